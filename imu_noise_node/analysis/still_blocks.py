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

"""Increments over 50 ms, and the run of them in which a sensor was quietest.

Over 50 ms the filters inside a sensor and the steps of its output have little left to say, and
the slow terms of its bias have not begun to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ..errors import InputError
from ..samples import Array

BLOCK = 0.05
"""Length of a block [s], as nearly as readings allow."""

FEWEST = 9
"""Blocks of a window: three cells of three."""

_CELLS = 10
"""Cells of a window, where there are enough blocks."""


_WHOLE = 1.25
"""How many times its own length a window may be spread over, by readings that got lost."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """The increments of a recording, none of them over a gap.

    Attributes
    ----------
    increments : ndarray, shape (K, B)
        [u s]
    first : ndarray of int64, shape (B,)
        Number of the reading with which each begins.
    per_block : int
        Readings of each.
    """

    increments: Array
    first: NDArray[np.int64]
    per_block: int


@dataclass(frozen=True, eq=False)
class Window:
    """The increments of one window, in cells whose variances ought to be alike.

    Attributes
    ----------
    cells : ndarray, shape (K, C, n)
        Increments of C cells of n blocks [u s].
    readings : slice
        Which readings of the recording it is of.
    """

    cells: Array
    readings: slice

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return int(self.cells[0].size)


def cut(values: Array, runs: Sequence[slice], rate: float) -> Blocks:
    """Return the increments of the regular runs of a recording: sums of readings times 1/rate.

    Parameters
    ----------
    values : ndarray, shape (K, T)
        [u]
    runs : sequence of slice
        Parts of it without gaps, in their order.
    rate : float
        [Hz]
    """
    size = max(1, round(BLOCK * rate))
    counts = [(run.stop - run.start) // size for run in runs]
    first = [run.start + size * np.arange(count) for run, count in zip(runs, counts, strict=True)]
    # An axis at a time: a long one lies on disk.
    with np.errstate(invalid="ignore"):
        rows = [
            [
                row[run.start : run.start + count * size].reshape(count, size).sum(axis=1)
                for run, count in zip(runs, counts, strict=True)
            ]
            for row in values
        ]
    increments = np.stack([np.concatenate(row) for row in rows]) / rate
    return Blocks(increments, np.concatenate(first), size)


def quietest(
    blocks: Blocks, stamps: NDArray[np.int64], rate: float, wanted: int, source: str
) -> Window:
    """Return the window of about `wanted` blocks with the least variance.

    Of each axis that is the mean over the cells of a window, each about its own mean; of all axes
    it is the product, so that no unit counts more than another.

    Parameters
    ----------
    stamps : ndarray of int64, shape (T,)
        Of the recording [ns].
    rate : float
        [Hz]
    wanted : int
        Number of blocks, `FEWEST` or more.
    source : str
        For messages.

    Raises
    ------
    InputError
        There is no window without long gaps and readings that are not finite.
    """
    # As many blocks as can be, in as many cells as can be.
    counts = range(3, min(_CELLS, wanted // 3) + 1)
    count = max(counts, key=lambda cells: (wanted // cells * cells, cells))
    size = wanted // count
    whole = blocks.first.size // size
    cells = blocks.increments[:, : whole * size].reshape(-1, whole, size)
    # What is not finite makes no window, below.
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = sliding_window_view(cells.var(axis=2, ddof=1), count, axis=1).mean(axis=2)
        scores = np.log(variances).sum(axis=0)
    starts = stamps[blocks.first[: whole * size].reshape(whole, size)]
    spans = 1e-9 * (starts[count - 1 :, -1] - starts[: whole - count + 1, 0])
    unbroken = np.abs(spans) * rate < _WHOLE * count * size * blocks.per_block
    scores[~(np.isfinite(variances).all(axis=0) & unbroken)] = np.inf
    best = int(np.argmin(scores))
    if scores[best] == np.inf:
        raise InputError("recording", source, "has gaps or missing numbers all over")
    first = blocks.first[best * size : (best + count) * size]
    readings = slice(int(first[0]), int(first[-1]) + blocks.per_block)
    return Window(cells[:, best : best + count], readings)
