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

"""Calibration at rest: what a sensor reads on average beyond what it should."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .samples import Measurement
from .schema import check_fields, parameter

Array = NDArray[np.float64]

STILL_RATE = 0.01
"""A sensor that turns faster [rad/s] is moving."""

STILL_FORCE = 0.1
"""So is one whose specific force changes by more [m/s^2] while it is calibrated."""

INERTIAL_AXES = 6

_PATIENCE = 3.0
"""A sensor that gives no readings for so many times the duration is given up."""


@dataclass(frozen=True)
class CalibrationPolicy:
    """How a sensor is calibrated.

    Raises
    ------
    ParameterError
        A value that is not allowed.
    """

    duration: float = parameter(
        5.0, "how long ~/calibrate averages", "s", lower=0.0, above_lower=True
    )

    def __post_init__(self) -> None:
        check_fields(self)


class Calibration:
    """Averages the errors of a sensor that is kept still at a known attitude.

    Parameters
    ----------
    duration : float
        [s]

    Attributes
    ----------
    refusal : str
        Why there is no result; empty where there is one, or none yet.
    result : ndarray, shape (K,), or None
        What to subtract [u]; None until it is known.
    """

    def __init__(self, duration: float) -> None:
        self.refusal = ""
        self.result: Array | None = None
        self._duration = duration
        self._passed = 0.0
        self._lost = 0.0
        self._sum: Array | float = 0.0
        self._first: Array | None = None

    def add(self, dt: float, measurement: Measurement) -> bool:
        """Take in a sample over `dt` [s]; return whether the calibration is over."""
        truth = measurement.truth.values
        if self._first is None:
            self._first = truth
        if not is_still(truth, self._first):
            self.refusal = "the sensor moved"
            return True
        # A magnetometer is calibrated by turning it, not by keeping it still.
        error = (measurement.values - truth)[:INERTIAL_AXES]
        if np.isfinite(error).all():
            self._sum = self._sum + dt * error
            self._passed += dt
        else:
            self._lost += dt
            if self._lost > _PATIENCE * self._duration:
                self.refusal = "the sensor gives no readings"
                return True
        # A sum of intervals may miss the duration by rounding.
        if self._passed < self._duration * (1.0 - 1e-9):
            return False
        self.result = np.zeros(truth.shape)
        self.result[:INERTIAL_AXES] = np.asarray(self._sum) / self._passed
        return True


def is_still(truth: Array, before: Array) -> bool:
    """Return whether a sensor with this truth, shape (K,), and that one before, is at rest."""
    turns = np.abs(truth[0:3]).max() > STILL_RATE
    accelerates = np.abs(truth[3:6] - before[3:6]).max() > STILL_FORCE
    return not (turns or accelerates)
