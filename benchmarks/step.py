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

"""What one sample costs: `ImuModel.step`, beside `measure` of imu-error-model.

Both have the same noise terms, run in one process, and take turns. An interval that is always the
same lets both keep their coefficients; one that is always new lets neither.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from imu_noise_node import ImuModel

from . import figures, peer
from .table import Row, Target, show
from .timing import Job, alternate, clocked, microseconds, ratios

ROUNDS = 41
OURS = 1000
THEIRS = 100
STEADY = 0.0025


def measure() -> None:
    """Print the table."""
    name = peer.installed()
    if name is None:
        print(f"\nstep: {peer.MISSING}")
        return
    jobs = {
        "steady": our_job(figures.FULL, steady=True),
        "their steady": their_job(steady=True),
        "new": our_job(figures.FULL, steady=False),
        "their new": their_job(steady=False),
    }
    times = alternate(jobs, ROUNDS)
    rows = [
        Row(
            what,
            ratios(times[f"their {key}"], times[key]),
            target,
            f"{microseconds(times[key]):.1f} us, theirs {microseconds(times[f'their {key}']):.0f}",
        )
        for what, key, target in (
            ("constant dt", "steady", Target(30.0)),
            ("every dt new", "new", Target(20.0)),
        )
    ]
    show(f"step: how many times faster than {name}", rows)


def our_job(terms: dict[str, dict[str, object]], steady: bool) -> Job:
    """Return the job that takes `OURS` samples."""
    step = ImuModel(figures.spec(terms)).step
    rate, force = np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.0, 9.80665])

    def take(intervals: list[float]) -> None:
        for dt in intervals:
            step(dt, rate, force)

    return _job(take, steady, OURS)


def their_job(steady: bool) -> Job:
    """Return the job that takes `THEIRS` samples."""
    return _job(peer.Peer(figures.FULL).take, steady, THEIRS)


def _job(take: Callable[[list[float]], None], steady: bool, count: int) -> Job:
    generator = np.random.default_rng(1)

    def job() -> float:
        intervals = [STEADY] * count
        if not steady:
            intervals = (STEADY * generator.uniform(0.8, 1.2, count)).tolist()
        return clocked(lambda: take(intervals), count)()

    return job
