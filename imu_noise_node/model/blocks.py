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

"""Long runs: the stretches that cover them, and their parts for those who ask afterwards."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chain import Chain
from .processes import Bank
from .stage import Context
from .streams import Streams
from .stretch import Stretch

Array = NDArray[np.float64]

_LONG = 32
"""So many captures with one interval are worth a block of their own."""


def stretches(bank: Bank, steps: Array) -> Iterator[tuple[slice, Stretch, slice]]:
    """Advance `bank` over the intervals `steps` [s], shape (T,).

    Yields
    ------
    part : slice
        Of the T captures.
    stretch : Stretch
        That has them.
    places : slice
        Which of the stretch's captures they are.
    """
    changes = np.flatnonzero(steps[1:] != steps[:-1]) + 1
    for start, stop in itertools.pairwise([0, *changes.tolist(), len(steps)]):
        dt = float(steps[start])
        if stop - start < _LONG:
            for k in range(start, stop):
                stretch, place = bank.step(dt)
                yield slice(k, k + 1), stretch, slice(place, place + 1)
            continue
        for stretch in bank.run(dt, stop - start):
            end = start + len(stretch.noise)
            yield slice(start, end), stretch, slice(0, end - start)
            start = end


def temperature_of(temperature: float | Array | None, part: slice) -> float | Array | None:
    """Return the temperature of a part of the captures; one number or row is of all of them."""
    if isinstance(temperature, np.ndarray) and len(temperature) > 1:
        return temperature[part]
    return temperature


class Explanation(NamedTuple):
    """What a run was made of.

    Attributes
    ----------
    response, bias : ndarray, shape (T, *batch, K)
        The truth as the sensor renders it, and the slow errors, expected at each interval's
        start [u].
    heat : ndarray, shape (T, *batch, K), or None
        Factor of temperature on the noise; None where it has none.
    """

    response: Array
    bias: Array
    heat: Array | None


class Replay:
    """What a model was before a run, to go through it again and explain it.

    The parts take as much memory as the measurements and a good part of the time, and few ask
    for them.

    Parameters
    ----------
    bank : Bank
        About to run.
    chain : Chain
        About to run.
    steps : ndarray, shape (T,)
        Intervals of the run [s].
    truth : ndarray, shape (T, *batch, K)
        What went in [u].
    temperature : float, ndarray of shape (T or 1, *batch, 1), or None
        [degC]
    """

    def __init__(
        self,
        bank: Bank,
        chain: Chain,
        steps: Array,
        truth: Array,
        temperature: float | Array | None,
    ) -> None:
        self._figures = bank.figures
        self._states = bank.settle()
        self._streams = bank.streams.state()
        self._seed = bank.streams.seed
        self._batch = bank.batch
        self._chain = chain.twin()
        self._steps = steps
        self.truth = truth
        self._temperature = temperature

    @property
    def heats(self) -> bool:
        """Whether temperature has an effect on the noise."""
        return self._chain.climate.heats

    def explain(self) -> Explanation:
        """Go through the run again. Only once: it uses up what is kept."""
        streams = Streams(self._seed)
        bank = Bank(self._figures, streams, self._batch)
        streams.restore(self._streams, self._seed)
        bank.restore(self._states)
        shape = (len(self._steps), *self._batch, self._figures.sigma.shape[-1])
        response, bias, heat = np.empty(shape), np.empty(shape), np.empty(shape)
        heated = False
        for part, stretch, places in stretches(bank, self._steps):
            warmth = temperature_of(self._temperature, part)
            context = Context(self.truth[part], np.zeros(()), warmth, stretch, places)
            passage = self._chain.apply(stretch.interval.dt, context)
            response[part] = passage.response
            bias[part] = passage.offset + stretch.expected[places]
            if context.heat is not None:
                heat[part] = context.heat
                heated = True
        return Explanation(response, bias, heat if heated else None)
