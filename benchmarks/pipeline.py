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

"""What one truth message costs from pose to measurement, and where the time goes.

The whole of `Pipeline.feed` does what `measure` of imu-error-model does: it takes two poses, works
out the motion between them, and adds the errors. The parts are timed one by one; what they leave
is the pipeline's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from imu_noise_node import ImuModel, Truth
from imu_noise_node.motion.intervals import Intervals, TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics, Station
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline

from . import figures, peer
from .step import OURS, STEADY, our_job, their_job
from .table import Row, show
from .timing import Job, Times, alternate, clocked, microseconds, ratios

ROUNDS = 21
_PARTS = ("time policy", "kinematics", "step")
_REST = "the pipeline's own"
_NANOSECONDS = round(STEADY * 1e9)


def measure() -> None:
    """Print the table."""
    jobs = {
        "feed": feed_job(),
        "time policy": policy_job(),
        "kinematics": kinematics_job(),
        "step": our_job(figures.FULL, steady=True),
    }
    name = peer.installed()
    if name is not None:
        jobs["theirs"] = their_job(steady=True)
    times = alternate(jobs, ROUNDS)
    rounds = zip(*(times[part] for part in ("feed", *_PARTS)), strict=True)
    times[_REST] = [whole - sum(parts) for whole, *parts in rounds]
    rows = [_share(part, times) for part in (*_PARTS, _REST)]
    show(
        "pipeline: shares of the time that one truth message takes",
        rows,
        f"the whole takes {microseconds(times['feed']):.1f} us",
    )
    if name is not None:
        row = Row("pose to sample, constant dt", ratios(times["theirs"], times["feed"]))
        show(f"pipeline: how many times faster than {name}", [row])


def _share(part: str, times: Times) -> Row:
    shares = ratios(times[part], times["feed"])
    return Row(part, shares, context=f"{microseconds(times[part]):.1f} us")


def circling(interval: int = _NANOSECONDS) -> Iterator[Truth]:
    """Yield the truth of a body that circles at 2 m/s and 1 rad/s, every `interval` [ns]."""
    stamp = 1_000_000_000
    while True:
        angle = stamp * 1e-9
        yield Truth(
            stamp,
            (2.0 * math.sin(angle), -2.0 * math.cos(angle), 0.0),
            (0.0, 0.0, math.sin(angle / 2.0), math.cos(angle / 2.0)),
            (2.0, 0.0, 0.0),
            (0.0, 0.0, 1.0),
        )
        stamp += interval


def feed_job() -> Job:
    """Return the job that feeds `OURS` messages."""
    model = ImuModel(figures.spec(figures.FULL))
    feed = Pipeline(TimePolicy(), _kinematics(), model, print).feed
    source = circling()

    def job() -> float:
        truths = _next(source)

        def work() -> None:
            for truth in truths:
                feed(truth)

        return clocked(work, OURS)()

    return job


def kinematics_job() -> Job:
    """Return the job that turns `OURS` poses into motion."""
    kinematics = _kinematics()
    source = circling()
    kinematics.begin(_located(kinematics, next(source)))

    def job() -> float:
        truths = _next(source)

        def work() -> None:
            for truth in truths:
                station = _located(kinematics, truth)
                kinematics.jumps(station)
                kinematics.advance(station)

        return clocked(work, OURS)()

    return job


def policy_job() -> Job:
    """Return the job that judges `OURS` stamps."""
    intervals = Intervals(TimePolicy())
    source = circling()
    intervals.start(next(source).stamp)

    def job() -> float:
        stamps = [truth.stamp for truth in _next(source)]

        def work() -> None:
            for stamp in stamps:
                intervals.judge(stamp)
                intervals.sample(stamp)

        return clocked(work, OURS)()

    return job


def _located(kinematics: PoseKinematics, truth: Truth) -> Station:
    station = kinematics.locate(truth)
    assert station is not None
    return station


def _kinematics() -> PoseKinematics:
    return PoseKinematics(Mount(), 9.80665, "body", 0.5, print)


def _next(source: Iterator[Truth]) -> list[Truth]:
    return [next(source) for _ in range(OURS)]
