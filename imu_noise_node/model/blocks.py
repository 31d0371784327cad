"""Long runs: the stretches that cover them, and their biases for those who ask afterwards."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .processes import Bank
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


class Replay:
    """What a bank was before a run, to go through it again for the biases.

    They take as much memory as the measurements and a good part of the time, and few ask for
    them.

    Parameters
    ----------
    bank : Bank
        About to run.
    steps : ndarray, shape (T,)
        Intervals of the run [s].
    """

    def __init__(self, bank: Bank, steps: Array) -> None:
        self._figures = bank.figures
        self._states = bank.settle()
        self._streams = bank.streams.state()
        self._seed = bank.streams.seed
        self._batch = bank.batch
        self._steps = steps

    def expected(self) -> Array:
        """Return what the processes led to expect of each sample [u], shape (T, *batch, K)."""
        streams = Streams(self._seed)
        bank = Bank(self._figures, streams, self._batch)
        streams.restore(self._streams, self._seed)
        bank.restore(self._states)
        expected = np.empty((len(self._steps), *self._batch, self._figures.sigma.shape[-1]))
        for part, stretch, places in stretches(bank, self._steps):
            expected[part] = stretch.expected[places]
        return expected
