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

"""Captures that have been sampled, with what it takes to explain them later."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .coefficients import Coefficients
from .discretisation import Discretisation
from .recursion import SHORT, recur

Array = NDArray[np.float64]


class Interval(NamedTuple):
    """An interval length and what knows its coefficients.

    Attributes
    ----------
    discretisation : Discretisation
    dt : float
        [s]
    """

    discretisation: Discretisation
    dt: float

    @property
    def coefficients(self) -> Coefficients:
        """The coefficients of the interval."""
        return self.discretisation.at(self.dt)


class Stretch(ABC):
    """Consecutive captures that are the same time apart, n of them.

    Attributes
    ----------
    interval : Interval
        Between two captures.
    noise : ndarray, shape (n, *batch, K)
        What each sample contains of noise and processes [u].
    white : ndarray, shape (n, *batch, K)
        The part that white noise and the remainders of the processes have in it [u]. Valid until
        the bank goes on.
    """

    __slots__ = ("_expected", "interval", "noise", "white")

    def __init__(self, interval: Interval, noise: Array, white: Array) -> None:
        self.interval = interval
        self.noise = noise
        self.white = white
        self._expected: Array | None = None

    def heated(self, places: slice, factor: Array) -> Array:
        """Return `noise[places]` with white noise multiplied by `factor`, (n, *batch, K)."""
        white, band = self.interval.coefficients.heat(factor)
        noise = self.noise[places] + (white - 1.0) * self.white[places]
        limited = self.limited
        if limited is not None:
            noise = noise + (band - 1.0) * limited[places]
        return noise

    @property
    @abstractmethod
    def limited(self) -> Array | None:
        """The part of noise that the bandwidth limits [u], shape (n, *batch, K), if any."""

    @property
    @abstractmethod
    def before(self) -> Array:
        """The processes [u] at the start of each interval, shape (P, n, *batch, K)."""

    @property
    @abstractmethod
    def after(self) -> Array:
        """The processes [u] at the last capture, shape (P, *batch, K)."""

    @property
    def expected(self) -> Array:
        """What the processes at each interval's start lead to expect of `noise`, its shape."""
        if self._expected is None:
            held = self.interval.coefficients.hold[:, None] * self.before
            self._expected = np.add.reduce(held, axis=0)
        return self._expected


class Block(Stretch):
    """Captures computed as arrays.

    Parameters
    ----------
    interval : Interval
    start : ndarray, shape (P, *batch, K)
        The processes [u] before the first capture.
    pushes : ndarray, shape (1 + P, n, *batch, K)
        Normals times `Coefficients.scale`: white noise first, then each process.
    """

    __slots__ = ("_states",)

    def __init__(self, interval: Interval, start: Array, pushes: Array) -> None:
        c = interval.coefficients
        is_limited = interval.discretisation.figures.is_band_limited
        count = pushes.shape[1]
        if count < SHORT:
            # In memory the processes of one capture side by side, for the loop over time.
            states = np.empty((count + 1, *start.shape)).swapaxes(0, 1)
        else:
            states = np.empty((len(start), count + 1, *start.shape[1:]))
        white = pushes[0]
        if c.factor is not None:
            white = np.add.reduce(c.factor * white[..., None, :], axis=-1)
        noise = white
        if len(start):
            states[:, 0] = start
            recur(c.keep, states, pushes[1:])
            # Here the captures of one process side by side, whatever `states` has: so the sum over
            # the processes is one over long rows.
            ends = np.empty(pushes[1:].shape)
            np.add(states[:, :-1], states[:, 1:], out=ends)
            if is_limited:
                ends[-1] = states[-1, 1:]
            ends *= c.gain[:, None]
            noise = np.add.reduce(ends, axis=0) + white
        super().__init__(interval, noise, white)
        self._states = states

    @property
    def limited(self) -> Array | None:
        """The part of noise that the bandwidth limits [u], shape (n, *batch, K), if any."""
        if not self.interval.discretisation.figures.is_band_limited:
            return None
        limited: Array = self.interval.coefficients.gain[-1] * self._states[-1, 1:]
        return limited

    @property
    def before(self) -> Array:
        """The processes [u] at the start of each interval, shape (P, n, *batch, K)."""
        return self._states[:, :-1]

    @property
    def after(self) -> Array:
        """The processes [u] at the last capture, shape (P, *batch, K)."""
        last: Array = self._states[:, -1]
        return last


class Row(Stretch):
    """One capture of many sensors: what `Block` makes of one row, to the bit.

    It goes process by process, so that few arrays are on their way at once and these stay in the
    processor's cache, and writes over the normals, for memory never touched before costs as much
    as the arithmetic.

    Parameters
    ----------
    interval : Interval
    start : ndarray, shape (P, *batch, K)
        The processes [u] before the capture.
    normals : ndarray, shape (1 + P, *batch, K)
        White noise first, then each process; overwritten.
    """

    __slots__ = ("_end", "_start")

    def __init__(self, interval: Interval, start: Array, normals: Array) -> None:
        c = interval.coefficients
        is_limited = interval.discretisation.figures.is_band_limited
        end, noise = np.empty_like(start), np.zeros(start.shape[1:])
        for p, (kick, keep, gain) in enumerate(zip(normals[1:], c.keep, c.gain, strict=True)):
            kick *= c.scale[1 + p]
            np.multiply(keep, start[p], out=end[p])
            end[p] += kick
            if is_limited and p == len(start) - 1:
                kick[...] = end[p]
            else:
                np.add(start[p], end[p], out=kick)
            kick *= gain
            noise += kick
        white = normals[0]
        white *= c.scale[0]
        if c.factor is not None:
            white = np.add.reduce(c.factor * white[..., None, :], axis=-1)
        noise += white
        super().__init__(interval, noise[None], white[None])
        self._start = start
        self._end = end

    @property
    def limited(self) -> Array | None:
        """The part of noise that the bandwidth limits [u], shape (1, *batch, K), if any."""
        if not self.interval.discretisation.figures.is_band_limited:
            return None
        limited: Array = self.interval.coefficients.gain[-1] * self._end[-1:]
        return limited

    @property
    def before(self) -> Array:
        """The processes [u] at the interval's start, shape (P, 1, *batch, K)."""
        return self._start[:, None]

    @property
    def after(self) -> Array:
        """The processes [u] at the capture, shape (P, *batch, K)."""
        return self._end


class Single(Stretch):
    """One capture of one sensor: what `Block` makes of one row, to the bit, in half the time.

    Parameters
    ----------
    interval : Interval
        At most `single_up_to` of its discretisation long.
    start : ndarray, shape (P, K)
        The processes [u] before the capture.
    normals : ndarray, shape (1 + P, K)
        White noise first, then each process.
    """

    __slots__ = ("_end", "_start")

    def __init__(self, interval: Interval, start: Array, normals: Array) -> None:
        discretisation, dt = interval
        assert discretisation.polynomials is not None
        rows = discretisation.polynomials.rows(dt)
        p = len(start)
        root = math.sqrt(dt)
        kick = rows[p : 2 * p] * root
        kick *= normals[1:]
        end = rows[:p] * start
        end += kick
        ends = start + end
        ends *= rows[2 * p : -1]
        noise = np.add.reduce(ends)
        white = np.sqrt(rows[-1]) * normals[0]
        noise += white
        super().__init__(interval, noise[None], white[None])
        self._start = start
        self._end = end

    @property
    def limited(self) -> Array | None:
        """None: a sensor with noise that the bandwidth limits takes the other way."""
        return None

    @property
    def before(self) -> Array:
        """The processes [u] at the interval's start, shape (P, 1, K)."""
        return self._start[:, None]

    @property
    def after(self) -> Array:
        """The processes [u] at the capture, shape (P, K)."""
        return self._end
