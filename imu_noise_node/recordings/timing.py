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

"""What the stamps of a recording say: its rate, and where it is not regular."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..samples import Array
from .options import NANOSECONDS

_CATCH_UP = 64
"""Longest burst, in readings."""

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Timing:
    """The rate of a recording, and its irregularities.

    An index is that of the reading behind which the odd interval lies.

    Attributes
    ----------
    count : int
        Readings.
    rate : float
        [Hz], over the longest regular stretch.
    dt : float
        Median of the intervals there [s]; with coarse stamps it may not be 1/rate.
    jitter : float
        Standard deviation of the intervals there [s].
    gaps : ndarray of int64, shape (G,)
        Intervals longer than 1.5 regular ones that later readings do not make up for.
    gap_lengths : ndarray, shape (G,)
        [s]
    repeated : ndarray of int64
        Where a stamp is the same as the one before.
    backward : ndarray of int64
        Where a stamp is earlier than the one before.
    bursts : ndarray of int64
        Late deliveries: long intervals that readings nearly together make up for.
    wrong_first : bool
        The first stamp is of another time than all others.
    good : slice
        The longest stretch without gaps and steps back.
    """

    count: int
    rate: float
    dt: float
    jitter: float
    gaps: Indices
    gap_lengths: Array
    repeated: Indices
    backward: Indices
    bursts: Indices
    wrong_first: bool
    good: slice

    @property
    def is_regular(self) -> bool:
        """Whether there is nothing to complain about."""
        return self.good == slice(0, self.count) and not (self.repeated.size or self.bursts.size)

    def sentences(self) -> list[str]:
        """Return the rate and then each irregularity, a sentence for each."""
        from .timing_text import sentences

        return sentences(self)


def examine(stamps: NDArray[np.int64], source: str = "recording") -> Timing:
    """Return the rate of a recording and where it is not regular.

    Parameters
    ----------
    stamps : ndarray of int64, shape (T,)
        Capture times [ns], in the order of the file.
    source : str
        What sentences about them begin with.

    Raises
    ------
    InputError
        There are fewer than three, or they do not advance.
    """
    if len(stamps) < 3:
        found = "one reading" if len(stamps) == 1 else f"{len(stamps)} readings"
        raise InputError(source, found, "at least 3 are needed to tell their rate")
    intervals = np.diff(stamps)
    step = _spacing(stamps, intervals, source)
    wrong_first = bool(abs(int(intervals[0])) > 10.0 * max(int(intervals[1:].max()), step))
    first = int(wrong_first)
    gaps, bursts = _long(stamps, intervals, step, first)
    repeated = np.flatnonzero(intervals == 0)
    backward = np.flatnonzero(intervals[first:] < 0) + first
    # In a burst, stamps repeat as a matter of course; elsewhere there is a reading too many.
    extra = repeated[:0] if bursts.size else repeated
    good = _longest(np.concatenate([np.arange(first), gaps, backward, extra]), len(stamps))
    rate, dt, jitter = _rate(stamps[good], intervals[good.start : good.stop - 1], step)
    lengths = intervals[gaps] / NANOSECONDS
    return Timing(
        *(len(stamps), rate, dt, jitter, gaps, lengths),
        *(repeated, backward, bursts, wrong_first, good),
    )


def _spacing(stamps: Indices, intervals: Indices, source: str) -> float:
    """Return the regular interval [ns], first estimate.

    The slope over many readings at a time is right where bursts and coarse stamps make intervals
    at which no reading was taken, but lost readings bend it. Where nine intervals in ten are alike
    and explain most of that slope, the middle one is taken, which lost readings leave alone.
    """
    span = max(1, min(1000, len(intervals) // 8))
    slope = float(np.median(np.diff(stamps[::span]))) / span
    if slope <= 0.0:
        how = "go backward" if slope < 0.0 else "do not advance"
        raise InputError(source, f"stamps of {len(stamps)} readings", how)
    middle = float(np.median(intervals))
    alike = (intervals > 0.5 * middle) & (intervals < 1.5 * middle)
    if slope < 1.5 * middle and np.count_nonzero(alike) > 0.9 * len(intervals):
        return middle
    return slope


def _long(stamps: Indices, intervals: Indices, step: float, first: int) -> tuple[Indices, Indices]:
    """Return where intervals are too long for good, and where readings nearly together follow."""
    long = np.flatnonzero(intervals[first:] > 1.5 * step) + first
    made_up = _made_up(stamps, long, intervals[long] / step, step)
    late = long[made_up]
    late = late[late + 1 < len(intervals)]
    return long[~made_up], late[intervals[late + 1] < 0.25 * step]


def _made_up(stamps: Indices, long: Indices, lengths: Array, step: float) -> NDArray[np.bool_]:
    """Return which long intervals the next readings make up for.

    They do when one of them is less than half an interval late. Only twice as many are looked at
    as the interval is long, so that chance makes up for none.
    """
    made_up = np.zeros(len(long), dtype=np.bool_)
    for count in range(1, _CATCH_UP):
        ahead = np.minimum(long + 1 + count, len(stamps) - 1)
        late = stamps[ahead] - stamps[long] - (ahead - long) * step
        made_up |= (late < 0.5 * step) & (count < 2.0 * lengths)
    return made_up


def _longest(breaks: Indices, count: int) -> slice:
    """Return the longest stretch of readings with no break behind any but its last."""
    edges = np.concatenate([[-1], np.sort(breaks), [count - 1]])
    longest = int(np.argmax(np.diff(edges)))
    return slice(int(edges[longest]) + 1, int(edges[longest + 1]) + 1)


def _rate(stamps: Indices, intervals: Indices, step: float) -> tuple[float, float, float]:
    """Return rate [Hz], median interval [s] and jitter [s] of a regular stretch."""
    if not len(intervals):
        return NANOSECONDS / step, step / NANOSECONDS, 0.0
    mean = float(stamps[-1] - stamps[0]) / len(intervals)
    # About the middle one first: the spread of equal intervals is then exactly 0.
    middle = float(np.median(intervals))
    jitter = float(np.std(intervals - middle))
    return NANOSECONDS / mean, middle / NANOSECONDS, jitter / NANOSECONDS
