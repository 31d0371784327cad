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

"""Where in a recording the quietest window is looked for."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ..errors import InputError, ParameterError
from ..model.spec import INERTIAL
from ..recordings.record import ImuRecord
from ..recordings.timing import Timing, examine
from .still_blocks import Blocks, Window, cut, quietest
from .still_checks import motion

_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True)
class Search:
    """A recording, and the blocks among which a window is looked for.

    Attributes
    ----------
    record : ImuRecord
    origin : int
        The first stamp that belongs to the others [ns].
    timing : Timing
        Of the part that is searched.
    blocks : Blocks
        Of the sensors that there are.
    """

    record: ImuRecord
    origin: int
    timing: Timing
    blocks: Blocks

    @property
    def block(self) -> float:
        """Length of a block [s]."""
        return self.blocks.per_block / self.timing.rate

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sensors that there are."""
        return _axes(self.record)[1]

    def quietest(self, wanted: int) -> Window:
        """Return the quietest window of so many blocks."""
        stamps, rate = self.record.stamps, self.timing.rate
        return quietest(self.blocks, stamps, rate, wanted, self.record.source)

    def motion(self, window: Window) -> str:
        """Return in words how the sensor moves in it."""
        return motion(window, [f"{name}'s {axis}" for name in self.names for axis in "xyz"])

    def start(self, window: Window) -> float:
        """Return when a window begins [s], from the first reading."""
        stamp = int(self.record.stamps[window.readings.start])
        return (stamp - self.origin) / _NANOSECONDS

    def where(self, window: Window) -> str:
        """Return a window in words."""
        return f"the {window.blocks * self.block:.3g} s from {self.start(window):.4g} s"


def open_search(record: ImuRecord, start: float | None, end: float | None) -> Search:
    """Return the search of a recording, or of its part between two times [s].

    Raises
    ------
    InputError, ParameterError
        Nothing is there, or nothing between these times.
    """
    origin = int(record.stamps[int(examine(record.stamps, record.source).wrong_first)])
    part, timing = _part(record, origin, start, end)
    rows, _ = _axes(record)
    blocks = cut(record.values[rows], _runs(part.start, timing), timing.rate)
    return Search(record, origin, timing, blocks)


def _part(
    record: ImuRecord, origin: int, start: float | None, end: float | None
) -> tuple[slice, Timing]:
    """Return the readings between two times behind `origin`, and what their stamps say."""
    if start is None and end is None:
        return slice(0, len(record.stamps)), examine(record.stamps, record.source)
    inside = record.stamps >= origin + (start or 0.0) * _NANOSECONDS
    if end is not None:
        inside &= record.stamps < origin + end * _NANOSECONDS
    places = np.flatnonzero(inside)
    if len(places) < 3:
        length = (int(record.stamps.max()) - origin) / _NANOSECONDS
        raise ParameterError(
            "start and end",
            (start, end),
            f"must leave some of {record.source}, {length:.4g} s long",
        )
    part = slice(int(places[0]), int(places[-1]) + 1)
    return part, examine(record.stamps[part], record.source)


def _runs(start: int, timing: Timing) -> list[slice]:
    """Return the regular runs of a part that begins with the reading `start`."""
    # As in `examine`: in a burst, stamps repeat as a matter of course.
    repeated = timing.repeated[:0] if timing.bursts.size else timing.repeated
    breaks = np.concatenate([timing.gaps, timing.backward, repeated, [0] * timing.wrong_first])
    edges = start + np.concatenate([[0], np.unique(breaks).astype(int) + 1, [timing.count]])
    return [slice(a, b) for a, b in itertools.pairwise(edges.tolist())]


def _axes(record: ImuRecord) -> tuple[slice, tuple[str, ...]]:
    """Return the rows of the sensors that there are, and their names."""
    there = [record.has_gyroscope, record.has_accelerometer]
    names = tuple(name for name, found in zip(INERTIAL, there, strict=True) if found)
    if not names:
        raise InputError("recording", record.source, "has no reading that is a number")
    return slice(0 if there[0] else 3, 6 if there[1] else 3), names
