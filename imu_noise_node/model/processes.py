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

"""The bank of random processes: white noise, random walk, Gauss-Markov, flicker, in one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .discretisation import Discretisation
from .figures import Figures, slots
from .streams import Streams
from .stretch import Block, Interval, Row, Single, Stretch

Array = NDArray[np.float64]

_NUMBERS_PER_STRETCH = 120_000
"""Normals drawn at once in a long run: few enough to stay in the processor's cache."""


class Bank:
    """The random processes of one model and where they stand.

    Parameters
    ----------
    figures : Figures
    streams : Streams
    batch : tuple of int
        Shape of the batch of independent sensors.
    """

    def __init__(self, figures: Figures, streams: Streams, batch: tuple[int, ...]) -> None:
        self.streams = streams
        self.batch = batch
        self._stretch: Stretch
        self._dt = 0.0
        self._taken = self._count = 0
        self._axes = figures.sigma.shape[-1]
        self._adopt(figures)
        self._begin(self._start())

    def step(self, dt: float) -> tuple[Stretch, int]:
        """Advance by one capture; return the stretch it belongs to and its place there."""
        place = self._taken
        if dt != self._dt or place == self._count:
            self._plan(dt)
            place = 0
        self._taken = place + 1
        self.streams.used += 1
        return self._stretch, place

    def run(self, dt: float, count: int) -> Iterator[Stretch]:
        """Advance by `count` captures `dt` [s] apart, in stretches that fit the cache."""
        self._begin(self.states)
        interval = Interval(self._discretisation, dt)
        scale = interval.coefficients.scale[:, None]
        size = max(1, _NUMBERS_PER_STRETCH // (self._origin.size + self._axes))
        while count:
            taken = min(size, count)
            pushes = self.streams.take(taken)
            pushes *= scale
            self._stretch = Block(interval, self.states, pushes)
            self._taken = self._count = taken
            self._dt = dt
            count -= taken
            yield self._stretch

    @property
    def states(self) -> Array:
        """The processes at the last capture [u], shape (P, *batch, K)."""
        if self._count == 0:
            return self._origin
        if self._taken == self._count:
            return self._stretch.after
        states: Array = self._stretch.before[:, self._taken]
        return states

    @property
    def figures(self) -> Figures:
        """The figures in use."""
        return self._figures

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin again; with `where`, shape (*batch, 1), only those members, with new draws."""
        fresh = self._start()
        self._begin(fresh if where is None else np.where(where, fresh, self.states))

    def retune(self, figures: Figures) -> None:
        """Go on with new figures from the present states.

        An effect that was off starts as after a reset; one that is switched off is gone at once.
        """
        old, states = self._figures, self.states
        self.streams.settle()
        self._adopt(figures)
        fresh = self._start()
        for p, label in enumerate(figures.labels):
            if label in old.labels:
                q = old.labels.index(label)
                kept = (old.sigma[q] > 0.0) & (figures.sigma[p] > 0.0)
                fresh[p] = np.where(kept, states[q], fresh[p])
        self._begin(fresh)

    def settle(self) -> Array:
        """Forget what was computed ahead, streams included, and return the present states."""
        self._begin(self.states)
        return self.states

    def restore(self, states: Any) -> None:
        """Continue from states that `settle` returned, as an array or nested lists.

        Raises
        ------
        ValueError
            The shape is not that of this bank.
        """
        values = np.asarray(states, dtype=np.float64).reshape(self.states.shape)
        self._begin(values)

    def _adopt(self, figures: Figures) -> None:
        self._figures = figures
        self._discretisation = Discretisation(figures)
        self.streams.lay_out(slots(figures), (1 + len(figures.labels), *self.batch, self._axes))

    def _begin(self, states: Array) -> None:
        """Stand at `states`, with nothing planned."""
        self.streams.settle()
        self._origin = states
        self._dt = 0.0
        self._taken = self._count = 0

    def _start(self) -> Array:
        """Draw the states of a sensor just switched on: stationary, and zero for a walk."""
        figures = self._figures
        states = np.zeros((len(figures.labels), *self.batch, self._axes))
        for effect, rows in figures.effects.items():
            if effect == "random_walk":
                continue
            for i, sensor in enumerate(figures.sensors):
                axes = slice(3 * i, 3 * i + 3)
                part = states[rows, ..., axes]
                normals = self.streams.generator(f"{sensor}/{effect}/start")
                part[...] = figures.sigma[rows, ..., axes] * normals.standard_normal(part.shape)
        return states

    def _plan(self, dt: float) -> None:
        """Compute the next captures ahead, as if they all came `dt` apart.

        Noise does not depend on the signal, so a steady stream gets it a block at a time. An
        interval seen for the first time may well be one of a kind, and gets one capture.
        """
        streams = self.streams
        if streams.used == streams.drawn:
            streams.refill()
        states, used = self.states, streams.used
        interval = Interval(self._discretisation, dt)
        if dt != self._dt and self.batch == () and dt <= self._discretisation.single_up_to:
            self._stretch = Single(interval, states, streams.ahead[:, used])
        else:
            stop = streams.drawn if dt == self._dt else used + 1
            if self.batch and stop == used + 1:
                self._stretch = Row(interval, states, streams.ahead[:, used])
            else:
                scale = interval.coefficients.scale[:, None]
                self._stretch = Block(interval, states, streams.ahead[:, used:stop] * scale)
        self._dt = dt
        self._taken = 0
        self._count = len(self._stretch.noise)
