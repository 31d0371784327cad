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

"""How the cost of a sample grows with the length of the record that it is made in.

`run` takes a record whole, `step` one sample after the other. What is there to be done once per
call fades with the length; what a longer record costs each of its samples is memory.
"""

from __future__ import annotations

import numpy as np

from imu_noise_node import ImuModel

from . import figures
from .table import Row, show
from .timing import Job, alternate, clocked, microseconds, ratios

_LENGTHS = (100, 1000, 10_000, 100_000, 1_000_000)
_REFERENCE = 100_000
_ROUNDS = 7
_SAMPLES = 200_000
"""Of each round at least, in as many records as that takes."""

_STEADY = 0.0025


def measure() -> None:
    """Print the table."""
    times = alternate({f"{length}": _job(length) for length in _LENGTHS}, _ROUNDS)
    reference = times[f"{_REFERENCE}"]
    rows = [
        Row(
            f"{length:,} samples",
            ratios(times[f"{length}"], reference),
            context=f"{microseconds(times[f'{length}']):.2f} us a sample",
        )
        for length in _LENGTHS
    ]
    show(f"record: a sample of run, times one in a record of {_REFERENCE:,}", rows)


def _job(length: int) -> Job:
    """Return the job that runs records of `length` samples."""
    run = ImuModel(figures.spec(figures.FULL)).run
    dt, rate, force = np.full(length, _STEADY), np.zeros((length, 3)), np.zeros((length, 3))
    count = max(1, _SAMPLES // length)

    def work() -> None:
        for _ in range(count):
            run(dt, rate, force)

    return clocked(work, count * length)
