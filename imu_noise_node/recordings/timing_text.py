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

"""What is said of the stamps of a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .timing import Timing


def sentences(timing: Timing) -> list[str]:
    """Return the rate and then each irregularity, a sentence for each; readings count from 1."""
    told = [_rate(timing), _first(timing), _gaps(timing)]
    told.append(_places(timing.repeated, "has the stamp of the one before it", 2))
    told.append(_places(timing.backward, "is stamped before the one before it", 2))
    told.append(_bursts(timing.bursts))
    if timing.good != slice(0, timing.count):
        start, stop = timing.good.start, timing.good.stop
        length = (stop - start - 1) / timing.rate
        told.append(
            f"The longest regular stretch is {length:.6g} s, readings {start + 1} to {stop}."
        )
    return [sentence for sentence in told if sentence]


def _rate(timing: Timing) -> str:
    return (
        f"{timing.count} readings at {timing.rate:.6g} Hz; the intervals, {1e3 * timing.dt:.5g} ms"
        f" in the middle, vary by {1e3 * timing.jitter:.2g} ms (1 sigma)."
    )


def _first(timing: Timing) -> str:
    return "The first stamp is of another time than all others." if timing.wrong_first else ""


def _gaps(timing: Timing) -> str:
    if not timing.gaps.size:
        return ""
    longest = int(np.argmax(timing.gap_lengths))
    lost = int(np.round(timing.gap_lengths * timing.rate - 1.0).clip(min=0).sum())
    place = f"{timing.gap_lengths[longest]:.4g} s behind reading {timing.gaps[longest] + 1}"
    gaps = (
        "There is a gap of" if len(timing.gaps) == 1 else f"{len(timing.gaps)} gaps, the longest"
    )
    return f"{gaps} {place}; {lost} readings are missing."


def _bursts(bursts: NDArray[np.int64]) -> str:
    if not bursts.size:
        return ""
    times = "once" if len(bursts) == 1 else f"{len(bursts)} times"
    return (
        f"Readings come late and then nearly together {times}, first behind reading"
        f" {bursts[0] + 1}: they are stamped on arrival, not when taken."
    )


def _places(where: NDArray[np.int64], what: str, offset: int) -> str:
    if not where.size:
        return ""
    if len(where) == 1:
        return f"Reading {where[0] + offset} {what}."
    return f"Reading {where[0] + offset} {what}, and so do {len(where) - 1} more."
