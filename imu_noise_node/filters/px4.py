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

"""PX4 EKF2: four noises and the two biases at switching on.

The filter adds up the IMU's increments until EKF2_PREDICT_US are over (imu_down_sampler.cpp). Of
such a step of dt it takes the variances (dt EKF2_GYR_NOISE)^2 of the angle, and of the bias
(dt EKF2_GYR_B_NOISE)^2 (`Ekf::predictCovariance`, src/modules/ekf2/EKF/covariance.cpp:
`d_ang_var`, `gyro_bias_sig` and the like): N and K over sqrt(dt), of the filter's interval and not
of the sensor's. Bounds and defaults are those of params_gyro_bias.yaml and its neighbours.
"""

from __future__ import annotations

import math

from ..profiles.formats.export import rms
from ..profiles.writer import number_text
from .figures import FilterFigures
from .settings import Setting, Settings, four

TITLE = "PX4 EKF2"

PREDICT = 0.01
"""Default of EKF2_PREDICT_US [s]."""

_BOUNDS = {
    "EKF2_GYR_NOISE": (1e-4, 0.1),
    "EKF2_ACC_NOISE": (0.01, 1.0),
    "EKF2_GYR_B_NOISE": (0.0, 0.01),
    "EKF2_ACC_B_NOISE": (0.0, 0.01),
    "EKF2_GBIAS_INIT": (0.0, 0.2),
    "EKF2_ABIAS_INIT": (0.0, 0.5),
}
"""Least and largest value that PX4's description of each allows."""


def interval(rate: float) -> float:
    """Return the filter's interval [s] with an IMU at `rate` [Hz]: a whole number of readings."""
    # As roundf does it: a half goes up.
    return max(1, math.floor(PREDICT * rate + 0.5)) / rate


def settings(figures: FilterFigures) -> Settings:
    """Return the parameters as commands for PX4's shell."""
    found, dt = four(figures), interval(figures.rate)
    root = math.sqrt(dt)
    table = [
        Setting("EKF2_GYR_NOISE", found.gyroscope_noise / root, "rad/s"),
        Setting("EKF2_ACC_NOISE", found.accelerometer_noise / root, "m/s^2"),
        Setting("EKF2_GYR_B_NOISE", found.gyroscope_walk / root, "rad/s^2"),
        Setting("EKF2_ACC_B_NOISE", found.accelerometer_walk / root, "m/s^3"),
    ]
    starts = (
        Setting("EKF2_GBIAS_INIT", rms(figures.gyroscope.start), "rad/s"),
        Setting("EKF2_ABIAS_INIT", rms(figures.accelerometer.start), "m/s^2"),
    )
    table += [start for start in starts if start.value > 0.0]
    lines = [
        f"# PX4 EKF2, written by imu_noise for a filter interval of {1e6 * dt:g} us",
        *(line for s in table for line in (f"# {s.unit}", _command(s))),
    ]
    notes = [
        f"they hold where the filter runs every {1e3 * dt:.4g} ms (EKF2_PREDICT_US, in whole "
        "readings), whatever the rate of the sensor",
        *filter(None, map(_beyond, table)),
        "PX4's defaults are N = 1.5e-3 rad/s/sqrt(Hz) and 0.035 m/s^2/sqrt(Hz): several times "
        "those of the sensors on its boards, for the vibration of a multicopter",
    ]
    return Settings("px4_ekf2.params.sh", "\n".join(lines) + "\n", tuple(table), tuple(notes))


def _command(setting: Setting) -> str:
    return f"param set {setting.name} {number_text(float(f'{setting.value:.6g}'))}"


def _beyond(setting: Setting) -> str:
    """Return a sentence where PX4 does not allow a figure."""
    low, high = _BOUNDS[setting.name]
    if low <= setting.value <= high:
        return ""
    return f"{setting.name} is outside of {low:g} to {high:g}, which QGroundControl allows"
