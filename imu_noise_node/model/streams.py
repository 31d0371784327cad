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

"""Random numbers: one seed, one named stream per sensor and effect.

Each stream yields rows of standard normals. Because every stream has its own generator, whether
an effect is on, and how large it is, changes no number of any other. Because NumPy draws the
same normals however a request is split, the rows do not depend on how many are taken at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError

Array = NDArray[np.float64]

_LARGEST_PREFETCH = 16
"""More rows at once take less time each, but the step that draws them takes the longer for it."""

_NUMBERS_PER_PREFETCH = 65536
_PREFETCHES_PER_MARK = 256
_NUMBERS_PER_MARK = 1_000_000
_FEWEST_PER_MARK = 16
"""Asking a generator for its state is slow: once in so many blocks is enough to go back from, and
seldom enough for a step in a thousand not to have it. Where rows are long there are fewer."""


@dataclass(frozen=True)
class Slot:
    """Which part of each capture's normals is the stream `name`'s: `[rows, ..., axes]`."""

    name: str
    rows: slice
    axes: slice


def resolve_seed(seed: int) -> int:
    """Return `seed`, or one drawn from the system for -1.

    Raises
    ------
    ParameterError
        Any other negative seed, or one that is no whole number.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < -1:
        allowed = "must be a whole number, 0 or more, or -1 to draw one"
        raise ParameterError("seed", seed, allowed)
    return secrets.randbits(31) if seed == -1 else int(seed)


class Streams:
    """The generators of one model, and a block of rows drawn ahead of their use.

    Parameters
    ----------
    seed : int
        0 or more.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._generators: dict[str, np.random.Generator] = {}
        self._slots: tuple[Slot, ...] = ()
        self._shape: tuple[int, ...] = (0,)
        self._prefetch = self._rows_per_mark = 1
        self._block: Array = np.zeros((0, 0))
        # Where the generators stood, and how many rows were drawn since, before those in `rows`.
        self._marks: dict[str, Any] = {}
        self._passed = 0
        self.ahead: Array = np.zeros((0, 0))
        self._parts_ahead: list[tuple[str, Array]] = []
        self.drawn = 0
        self.used = 0

    def generator(self, name: str) -> np.random.Generator:
        """Return the generator called `name`; its numbers depend on the seed and the name."""
        if name not in self._generators:
            sequence = np.random.SeedSequence(self.seed, spawn_key=tuple(name.encode()))
            self._generators[name] = np.random.Generator(np.random.PCG64(sequence))
        return self._generators[name]

    def lay_out(self, slots: Sequence[Slot], shape: tuple[int, ...]) -> None:
        """Say what a row is: its shape, and which streams fill which part. The rest is zero."""
        self.settle()
        self._slots = tuple(slots)
        self._shape = shape
        self._block = np.zeros((shape[0], 0, *shape[1:]))
        size = max(1, int(np.prod(shape)))
        self._prefetch = max(1, min(_LARGEST_PREFETCH, _NUMBERS_PER_PREFETCH // size))
        self.ahead = np.zeros((self._prefetch, *shape)).swapaxes(0, 1)
        self._parts_ahead = self._parts(self.ahead)
        rows = max(_FEWEST_PER_MARK, _NUMBERS_PER_MARK // size)
        self._rows_per_mark = min(rows, _PREFETCHES_PER_MARK * self._prefetch)

    def refill(self) -> None:
        """Draw the next block of rows over the last one; `used` starts again at zero."""
        self._passed += self.drawn
        if not self._marks or self._passed >= self._rows_per_mark:
            self._mark()
        self._fill(self._parts_ahead)
        self.drawn = self._prefetch
        self.used = 0

    def take(self, count: int) -> Array:
        """Return the normals of the next `count` captures, where the generators stand.

        Shape (first, count, *rest), for captures of shape (first, *rest). The next call may
        overwrite them: fresh memory for every block of a long run would cost more than filling it.
        """
        first, *rest = self._shape
        if self._block.shape[1] != count:
            self._block = np.zeros((first, count, *rest))
        self._fill(self._parts(self._block))
        return self._block

    def settle(self) -> None:
        """Put every generator where the last used row ended, and forget the rows beyond."""
        if self.used < self.drawn:
            for name, mark in self._marks.items():
                self.generator(name).bit_generator.state = mark
            self.take(self._passed + self.used)
        self._forget()

    def state(self) -> dict[str, Any]:
        """Return the generators' states by name, JSON-able."""
        self.settle()
        return {name: g.bit_generator.state for name, g in self._generators.items()}

    def restore(self, state: dict[str, Any], seed: int) -> None:
        """Continue from what `state` returned, for streams with that seed."""
        self.seed = seed
        self._forget()
        self._generators.clear()
        for name, value in state.items():
            self.generator(name).bit_generator.state = value

    def restart(self) -> None:
        """Begin every stream again at its first number."""
        self.restore({}, self.seed)

    def _forget(self) -> None:
        self.drawn = self.used = self._passed = 0
        self._marks.clear()

    def _mark(self) -> None:
        """Remember where the generators stand, so that `settle` can go back there."""
        self._marks = {s.name: self.generator(s.name).bit_generator.state for s in self._slots}
        self._passed = 0

    def _parts(self, normals: Array) -> list[tuple[str, Array]]:
        """Return by stream which part of `normals` is its own, captures first."""
        return [
            (slot.name, normals[slot.rows, :, ..., slot.axes].swapaxes(0, 1))
            for slot in self._slots
        ]

    def _fill(self, parts: list[tuple[str, Array]]) -> None:
        for name, part in parts:
            part[...] = self.generator(name).standard_normal(part.shape)
