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

"""The time policy: which captures become samples, and why the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..errors import ParameterError
from ..schema import check_fields, parameter

NANOSECONDS = 1_000_000_000
_ALWAYS = -(2**64)
"""A due time before every stamp."""


@dataclass(frozen=True)
class TimePolicy:
    """What counts as too soon, too late, or too far.

    Raises
    ------
    ParameterError
        A value out of bounds.
    """

    rate: float = parameter(
        0.0,
        "highest rate of samples; truth that comes faster is averaged; 0 takes every message",
        "Hz",
        lower=0.0,
    )
    min_interval: float = parameter(
        50e-6, "shorter intervals are joined to the next one", "s", lower=0.0
    )
    max_gap: float = parameter(
        0.5, "no sample is made across a longer interval", "s", lower=0.0, above_lower=True
    )
    reset_threshold: float = parameter(
        0.1,
        "a message older than the last by less is late and ignored, by more restarts the run",
        "s",
        lower=0.0,
    )
    teleport_distance: float = parameter(
        0.5,
        "no sample is made where the position jumps by more than velocity explains",
        "m",
        lower=0.0,
        above_lower=True,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.min_interval >= self.max_gap:
            raise ParameterError(
                "min_interval", self.min_interval, f"must be below max_gap, {self.max_gap:g} [s]"
            )


class Verdict(Enum):
    """What becomes of a truth message. The value is the name under which it is counted."""

    SAMPLE = "samples"
    BASELINE = "baseline"
    BETWEEN = "between_captures"
    NO_TIME = "stamp_zero"
    REPEATED = "same_stamp"
    TOO_SOON = "too_soon"
    LATE = "late"
    RESET = "reset"
    GAP = "gap"
    TELEPORT = "teleport"
    INVALID = "invalid"
    DISABLED = "disabled"
    NO_MOUNT = "no_mount"

    # There is one of each, so its identity will do: Enum's own hash is a function in Python.
    __hash__ = object.__hash__


class Intervals:
    """Decides on stamps alone; remembers the last accepted truth and the last capture.

    Parameters
    ----------
    policy : TimePolicy

    Attributes
    ----------
    last : int or None
        Stamp of the last accepted message [ns]; None before the baseline.
    capture : int
        Stamp of the last capture or baseline [ns].
    max_gap : int
        [ns]
    """

    def __init__(self, policy: TimePolicy) -> None:
        self.last: int | None = None
        self.capture = 0
        self._rate = 0.0
        self._ticks = 1
        self._begin_grid()
        self.retune(policy)

    def retune(self, policy: TimePolicy) -> None:
        """Go on with other limits; a new rate counts from the last capture."""
        self._min_interval = round(policy.min_interval * NANOSECONDS)
        self.max_gap = round(policy.max_gap * NANOSECONDS)
        self._reset = round(policy.reset_threshold * NANOSECONDS)
        if policy.rate != self._rate:
            self._rate = policy.rate
            self._begin_grid()

    def judge(self, stamp: int) -> Verdict:
        """Return what a truth message of `stamp` [ns] is; nothing is remembered yet.

        SAMPLE and BETWEEN mean that the interval since the last message may be used.
        """
        last = self.last
        if stamp == 0:
            return Verdict.NO_TIME
        if last is None:
            return Verdict.BASELINE
        elapsed = stamp - last
        if elapsed <= 0:
            if elapsed == 0:
                return Verdict.REPEATED
            return Verdict.LATE if -elapsed < self._reset else Verdict.RESET
        if elapsed < self._min_interval:
            return Verdict.TOO_SOON
        if elapsed > self.max_gap:
            return Verdict.GAP
        return Verdict.SAMPLE if stamp >= self._due - self._min_interval else Verdict.BETWEEN

    def start(self, stamp: int) -> None:
        """Make `stamp` [ns] the baseline."""
        self.last = self.capture = stamp
        self._begin_grid()

    def extend(self, stamp: int) -> None:
        """Take in a truth message between two captures."""
        self.last = stamp

    def sample(self, stamp: int) -> None:
        """Make `stamp` [ns] a capture and find the next time that one is due."""
        self.last = self.capture = stamp
        rate = self._rate
        if rate > 0.0:
            # Counted from the grid's origin, so that rounding does not add up.
            passed = int((stamp + self._min_interval - self._origin) * rate / NANOSECONDS)
            self._ticks = max(self._ticks, passed) + 1
            self._due = self._origin + round(self._ticks * NANOSECONDS / rate)

    def forget(self) -> None:
        """Await a new baseline."""
        self.last = None

    def state(self) -> list[int | None]:
        """Return what the next decisions depend on, JSON-able."""
        return [self.last, self.capture, self._origin, self._ticks, self._due]

    def restore(self, state: Sequence[Any]) -> None:
        """Continue from what `state` returned."""
        self.last, self.capture, self._origin, self._ticks, self._due = state

    def _begin_grid(self) -> None:
        rate = self._rate
        self._origin = self.capture
        self._ticks = 1
        self._due = self._origin + round(NANOSECONDS / rate) if rate > 0.0 else _ALWAYS
