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

"""What the rate table compares: one parked truth, and four sensors that measure it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.spec import INERTIAL
from ..motion.intervals import NANOSECONDS

WINDOW = 0.1
"""Length of an average [s]."""

TRUE_VALUES = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 9.80665])
"""What a parked, level IMU feels: gyroscope xyz [rad/s], accelerometer xyz [m/s^2]."""


@dataclass(frozen=True)
class Parked:
    """The truth that all runs are fed: `count` messages, `step` [ns] apart, from stamp `start`."""

    start: int = NANOSECONDS
    step: int = 2_500_000
    count: int = 8000

    @property
    def duration(self) -> float:
        """From the first stamp to the last [s]."""
        return (self.count - 1) * self.step / NANOSECONDS

    @property
    def windows(self) -> int:
        """How many averages fit in."""
        return (self.count - 1) * self.step // round(WINDOW * NANOSECONDS)

    def captures(self, rate: int) -> NDArray[np.int64]:
        """Return the stamps [ns] at which a sensor of `rate` [Hz] is read; the first has no dt."""
        step = NANOSECONDS // rate
        return np.arange(self.start + step, self.start + self.count * self.step, step)


@dataclass(frozen=True)
class Run:
    """A sensor as it is specified and read.

    Attributes
    ----------
    law : {"density", "per_sample"}
        What `noise` is.
    rate : int
        Samples per second.
    noise : tuple of float
        Of gyroscope and accelerometer: a density [u/sqrt(Hz)], or sigma per sample [u].
    """

    law: str
    rate: int
    noise: tuple[float, float]

    @property
    def name(self) -> str:
        """Name of the run, fit for a topic."""
        return f"{self.law}_{self.rate}hz"

    @property
    def parameters(self) -> dict[str, float]:
        """The node's parameters that make it so."""
        figure = {"density": "noise_density", "per_sample": "noise_stddev"}[self.law]
        named = {f"{s}.{figure}": n for s, n in zip(INERTIAL, self.noise, strict=True)}
        return {"rate": float(self.rate), **named}

    def sigma(self, sensor: int, window: float) -> float:
        """Return sigma [u] of the average over `window` [s] of sensor 0 or 1."""
        noise = self.noise[sensor]
        return noise / math.sqrt(window if self.law == "density" else window * self.rate)


RUNS = tuple(
    Run(law, rate, noise)
    for law, noise in (("density", (2e-4, 2e-3)), ("per_sample", (2e-3, 2e-2)))
    for rate in (100, 400)
)
