# Copyright 2026 the imu_noise contributors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.


"""The way of a true signal through the sensor, whichever of three it takes.

Plain is a sensor that adds an offset and noise, and converts. All else goes through the stages:
in blocks as arrays, and capture by capture in plain floats where `Lean` can stand in for them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .blocks import stretches, temperature_of
from .chain import Chain, Passage
from .late import Late
from .lean import Lean
from .origin import Piece
from .output import Converter
from .processes import Bank
from .stage import Context
from .stretch import Stretch
from .thermal import ThermalState

Array = NDArray[np.float64]


Read = tuple[Array, ArrayLike, ArrayLike, ThermalState | None]
"""What is read of one capture, its response and its offset (see `Passage`), each of shape
(*batch, K) [u], and what temperature did."""


class Path:
    """A chain, the stages after the noise, and a converter, one behind the other.

    Parameters
    ----------
    chain : Chain
    late : Late
        What is injected later needs a new path.
    converter : Converter
    batch : tuple of int

    Attributes
    ----------
    is_plain : bool
        Whether offset and noise are all that is added before the converter.
    """

    def __init__(
        self, chain: Chain, late: Late, converter: Converter, batch: tuple[int, ...]
    ) -> None:
        self.chain = chain
        self.converter = converter
        self.is_plain = chain.is_plain and not late.stages
        self._late = late
        self._batch = batch
        self._lean: Lean | None = None

    def step(
        self,
        truth: Array,
        dt: float,
        warmth: float | Array | None,
        age: Array,
        stretch: Stretch,
        place: int,
    ) -> Read:
        """Return what is read of one capture of a sensor that is not plain.

        Parameters
        ----------
        truth : ndarray, shape (*batch, K)
            [u]
        dt : float
            [s]
        warmth : float, ndarray or None
            Temperature as `checked_temperature` returns it [degC].
        age : ndarray
            Time since the run began, at the interval's start [s].
        stretch : Stretch
            That has the noise, at `place`.
        place : int
        """
        scheduled = self._late.scheduled
        if self._lean is not None:
            numbers = truth.tolist()
            # What is infinite takes the long way, on which it stays so.
            if math.isfinite(sum(numbers)) and (scheduled is None or scheduled.pass_by(dt)):
                assert not isinstance(warmth, np.ndarray)
                read, response, offset, thermal = self._lean.apply(
                    numbers, dt, warmth, stretch, place
                )
                if scheduled is not None:
                    scheduled.remember(read)
                return np.array(read), response, offset, thermal
            self.settle()
        context = Context(truth[None], age, warmth, stretch, slice(place, place + 1))
        passage = self.chain.apply(dt, context)
        values = self._finish(passage, dt, context)[0]
        if self._batch == () and self._late.is_idle:
            self._lean = Lean(self.chain, self.converter)
        added = np.broadcast_to(passage.offset, (1, *truth.shape))[0]
        return values, passage.response[0], added, context.thermal

    def run(
        self,
        bank: Bank,
        steps: Array,
        truth: Array,
        values: Array,
        temperature: float | Array | None,
        ages: Array,
    ) -> list[Piece]:
        """Fill `values` with what is read of `truth`; return the lengths of their intervals.

        It goes by blocks of equal intervals that are small enough for the processor's cache.

        Parameters
        ----------
        bank : Bank
            Has the noise, and goes on.
        steps : ndarray, shape (T,)
            Intervals [s].
        truth, values : ndarray, shape (T, *batch, K)
            [u]
        temperature : float, ndarray of shape (T or 1, *batch, 1), or None
            [degC]
        ages : ndarray, shape (T or more, ...)
            Time since the run began, at each interval's start [s].
        """
        pieces = []
        for part, stretch, places in stretches(bank, steps):
            block = values[part]
            if self.is_plain:
                np.add(truth[part], self.chain.offset + stretch.noise[places], out=block)
                self.converter.convert(block)
            else:
                warmth = temperature_of(temperature, part)
                context = Context(truth[part], ages[part.start], warmth, stretch, places)
                dt = stretch.interval.dt
                block[...] = self._finish(self.chain.apply(dt, context), dt, context)
            pieces.append(Piece(stretch.interval, len(block)))
        return pieces

    def skip(self, dt: float) -> None:
        """Let `dt` [s] pass without a capture."""
        self.chain.skip(dt)
        self._late.skip(dt)

    def settle(self) -> None:
        """Bring all states to where they are read and written."""
        if self._lean is not None:
            self._lean.settle()
            self._lean = None

    @property
    def vibration(self) -> Array | None:
        """Rms of the specific force over the last second [m/s^2]; None unless it is followed."""
        if self._lean is not None:
            self._lean.settle()
        return None if self.chain.vibration is None else self.chain.vibration.rms

    def _finish(self, passage: Passage, dt: float, context: Context) -> Array:
        """Return what the converter reads, shape (T, *batch, K)."""
        block = passage.response + (passage.offset + context.noise)
        return self._late.apply(block, dt, context, self.converter.convert)
