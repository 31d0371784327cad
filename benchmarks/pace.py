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

"""How evenly samples come: every step of a model that is asked for one at 4 kHz.

Steps differ, for the noise of the next captures is computed a block at a time. The time on the
clock also has in it what the machine does meanwhile; the time on the processor has not, and says
what of it is ours. Garbage is collected as Python pleases, and how often that was is told.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from imu_noise_node import ImuModel

from . import figures
from .table import Row, Target, show

_RATE = 4000.0
_SECONDS = 3.0
_ROUNDS = 5
_ALLOWED = 0.2e-3
_WARM_UP = 1000


class Steps(NamedTuple):
    """What each step of a round took, on the clock and on the processor [s]."""

    clock: list[float]
    processor: list[float]


def measure() -> None:
    """Print the tables."""
    for name, terms in (("all noise terms", figures.FULL), ("every stage", figures.WHOLE)):
        before = _collections()
        rounds = [_paced(ImuModel(figures.spec(terms))) for _ in range(_ROUNDS)]
        passed = _collections() - before
        rows = [
            _row(f"{what}, {clock}", percent, [getattr(steps, clock) for steps in rounds])
            for what, percent in (("median", 50.0), ("p99", 99.0), ("p99.9", 99.9))
            for clock in Steps._fields
        ]
        show(
            f"pace: a step at {_RATE:g} Hz, {name}; share of {_ALLOWED * 1e3:g} ms",
            rows,
            f"{_ROUNDS} rounds of {_RATE * _SECONDS:,.0f} steps; {passed} garbage collections",
        )


def _row(what: str, percent: float, rounds: Sequence[list[float]]) -> Row:
    found = [float(np.percentile(times, percent)) for times in rounds]
    target = Target(1.0, at_most=True) if percent == 99.9 else None
    shares = [seconds / _ALLOWED for seconds in found]
    return Row(what, shares, target, f"{statistics.median(found) * 1e6:.0f} us")


def _paced(model: ImuModel) -> Steps:
    rate, force, dt = (0.1, 0.2, 0.3), (0.0, 0.0, 9.80665), 1.0 / _RATE
    for _ in range(_WARM_UP):
        model.step(dt, rate, force)
    steps = Steps([], [])
    begin = time.perf_counter()
    for number in range(int(_RATE * _SECONDS)):
        while time.perf_counter() < begin + number * dt:
            pass
        clock, processor = time.perf_counter(), time.thread_time()
        model.step(dt, rate, force)
        steps.processor.append(time.thread_time() - processor)
        steps.clock.append(time.perf_counter() - clock)
    return steps


def _collections() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())
