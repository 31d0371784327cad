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

"""Sensors in lock-step: `step` of a batch beside the bare limit, the drawing of its normals.

As in `run`, the normals are drawn in blocks that fit the processor's cache and thrown away. A
batch of a few is ruled by what NumPy takes for a call, whatever the size; one of many by the
numbers.
"""

from __future__ import annotations

import numpy as np

from imu_noise_node import ImuModel

from . import figures
from .million import normals_job, normals_per_sample
from .table import Row, Target, show
from .timing import Job, alternate, clocked, microseconds, ratios

_BATCHES = (1, 8, 64, 512, 4096)
_TARGETS = {4096: Target(2.0, at_most=True)}
_ROUNDS = 21
_STEADY = 0.0025
_NUMBERS = 4096 * 8
"""Of sensors times steps in each round."""


def measure() -> None:
    """Print the table."""
    rows = [_row(sensors) for sensors in _BATCHES]
    show("batch: a step of all sensors, times the cost of drawing their normals", rows)


def _row(sensors: int) -> Row:
    steps = max(1, _NUMBERS // sensors)
    normals = normals_per_sample(figures.FULL) * sensors * steps
    jobs = {"steps": _job(sensors, steps), "normals": normals_job(normals)}
    times = alternate(jobs, _ROUNDS)
    each = microseconds(times["steps"]) / (sensors * steps)
    return Row(
        f"{sensors} at once",
        ratios(times["steps"], times["normals"]),
        _TARGETS.get(sensors),
        f"{each:.2f} us a sensor and step",
    )


def _job(sensors: int, steps: int) -> Job:
    """Return the job that takes `steps` samples of each sensor."""
    step = ImuModel(figures.spec(figures.FULL), batch=(sensors,)).step
    rate = np.zeros((sensors, 3))
    force = np.full((sensors, 3), 9.80665)

    def take() -> None:
        for _ in range(steps):
            step(_STEADY, rate, force)

    return clocked(take, 1)
