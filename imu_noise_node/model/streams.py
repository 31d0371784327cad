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

_LARGEST_PREFETCH = 32
_NUMBERS_PER_PREFETCH = 65536


@dataclass(frozen=True)
class Slot:
    """Where the normals of the stream `name` go in a row: `row[rows, ..., axes]`."""

    name: str
    rows: slice
    axes: slice


def resolve_seed(seed: int) -> int:
    """Return `seed`, or one drawn from the system for -1.

    Raises
    ------
    ParameterError
        Any other negative seed.
    """
    if seed < -1:
        raise ParameterError("seed", seed, "must be 0 or more, or -1 to draw one")
    return secrets.randbits(31) if seed == -1 else seed


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
        self._marks: dict[str, Any] = {}
        self.rows: Array = np.zeros((0, 0))
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
        self.rows = np.zeros((0, *shape))

    def refill(self) -> None:
        """Draw the next block of rows; `used` starts again at zero."""
        size = max(1, int(np.prod(self._shape)))
        count = max(1, min(_LARGEST_PREFETCH, _NUMBERS_PER_PREFETCH // size))
        self._marks = {s.name: self.generator(s.name).bit_generator.state for s in self._slots}
        self.rows = self._draw(count)
        self.used = 0

    def take(self, count: int) -> Array:
        """Return the next `count` rows, shape (count, *row shape), past any drawn ahead."""
        self.settle()
        return self._draw(count)

    def settle(self) -> None:
        """Put every generator where the last used row ended, and forget the rows beyond."""
        if self.used < len(self.rows):
            for name, mark in self._marks.items():
                self.generator(name).bit_generator.state = mark
            self._draw(self.used)
        self.rows = self.rows[:0]
        self.used = 0

    def state(self) -> dict[str, Any]:
        """Return the generators' states by name, JSON-able."""
        self.settle()
        return {name: g.bit_generator.state for name, g in self._generators.items()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        self.rows = self.rows[:0]
        self.used = 0
        self._generators.clear()
        for name, value in state.items():
            self.generator(name).bit_generator.state = value

    def restart(self) -> None:
        """Begin every stream again at its first number."""
        self.restore({})

    def _draw(self, count: int) -> Array:
        rows = np.zeros((count, *self._shape))
        for slot in self._slots:
            part = rows[:, slot.rows, ..., slot.axes]
            part[...] = self.generator(slot.name).standard_normal(part.shape)
        return rows
