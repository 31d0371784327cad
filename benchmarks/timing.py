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

"""Jobs timed in turn, so that whatever else the machine does falls on all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

Job = Callable[[], float]
"""Does some work and returns the seconds that one unit of it took."""

Times = dict[str, list[float]]
"""By job, the seconds per unit of each round."""


def clocked(work: Callable[[], object], units: int) -> Job:
    """Return the job that does `work`, which is `units` units."""

    def job() -> float:
        begin = time.perf_counter()
        work()
        return (time.perf_counter() - begin) / units

    return job


def alternate(jobs: Mapping[str, Job], rounds: int, warm_up: int = 1) -> Times:
    """Run all jobs in turn, A B A B, and return what the rounds after the warm-up took."""
    times: Times = {name: [] for name in jobs}
    for round_number in range(warm_up + rounds):
        for name, job in jobs.items():
            seconds = job()
            if round_number >= warm_up:
                times[name].append(seconds)
    return times


def ratios(upper: Sequence[float], lower: Sequence[float]) -> list[float]:
    """Return the ratio of each round."""
    return [a / b for a, b in zip(upper, lower, strict=True)]


def microseconds(seconds: Sequence[float]) -> float:
    """Return the median, in microseconds."""
    return statistics.median(seconds) * 1e6
