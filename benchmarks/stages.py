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

"""What the stages of the whole sensor cost: `step` with all of them, beside noise alone.

A temperature that changes from sample to sample, as while the sensor warms up, makes every sample
compile its linear stage anew and is measured apart.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from imu_noise_node import Fault, ImuModel, ImuSpec

from . import figures
from .table import Row, Target, show
from .timing import Job, alternate, clocked, microseconds, ratios

ROUNDS = 41
COUNT = 1000
STEADY = 0.0025

_MUCH_LATER = 1e9


def measure() -> None:
    """Print the table."""
    whole = figures.spec(figures.WHOLE)
    jobs = {
        "noise": _job(figures.spec(figures.FULL)),
        "whole": _job(whole),
        "warming": _job(replace(whole, warm_up_time=1e6)),
    }
    times = alternate(jobs, ROUNDS)
    rows = [
        Row(
            what,
            ratios(times[key], times["noise"]),
            target,
            f"{microseconds(times[key]):.1f} us, noise alone {microseconds(times['noise']):.1f}",
        )
        for what, key, target in (
            ("every stage", "whole", Target(2.5, at_most=True)),
            ("every stage, while it warms up", "warming", None),
        )
    ]
    show("stages: step, times the cost of noise alone", rows)


def _job(spec: ImuSpec) -> Job:
    """Return the job that takes `COUNT` samples at 40 degC, with a fault still far away."""
    fault = Fault(mode="stuck", target="gyroscope", start=_MUCH_LATER)
    step = ImuModel(spec, faults=[fault] if spec.gyroscope.range else []).step
    rate, force = np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.0, 9.80665])

    def take() -> None:
        for _ in range(COUNT):
            step(STEADY, rate, force, 40.0)

    return clocked(take, COUNT)
