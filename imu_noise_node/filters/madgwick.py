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

"""imu_filter_madgwick: gain, zeta and orientation_stddev.

`gain` is the beta of Madgwick's report (An efficient orientation filter for inertial and
inertial/magnetic sensor arrays, 2010, filter gains): sqrt(3/4) times the error of a gyroscope's
reading; `zeta` is sqrt(3/4) times the rate at which its bias drifts. The code multiplies the
normalised gradient with them (src/imu_filter.cpp, lines 251 and 244), and uses zeta only where
there is a magnetometer: `madgwickAHRSupdateIMU`, line 271, does not. `orientation_stddev` becomes
the covariance of what is published (src/imu_filter_ros.cpp, lines 389 and 475).
"""

from __future__ import annotations

import math

import numpy as np

from ..profiles.formats.export import rms
from ..profiles.writer import number_text
from .figures import FilterFigures
from .settings import Setting, Settings

TITLE = "imu_filter_madgwick"

_GRAVITY = 9.80665
_THREE_AXES = math.sqrt(3.0 / 4.0)
"""Half the length of a vector of ones: the magnitude of a quaternion's derivative per axis."""


def settings(figures: FilterFigures) -> Settings:
    """Return the parameters of the ROS 2 node."""
    gyroscope, accelerometer = figures.sensors()
    noise = math.sqrt(float(np.trace(figures.sample_covariance[:3, :3])) / 3.0)
    bias, drift = rms(gyroscope.start), rms(gyroscope.random_walk / np.sqrt(gyroscope.time_scale))
    tilt = rms(accelerometer.start) / _GRAVITY
    table = [
        Setting("gain", _THREE_AXES * math.hypot(noise, bias), "rad/s"),
        Setting("zeta", _THREE_AXES * drift, "rad/s^2"),
    ]
    notes = [
        f"gain is the least that makes up for the noise of a reading at {figures.rate:g} Hz, "
        f"{_THREE_AXES * noise:.2g}, and for the bias at switching on, {_THREE_AXES * bias:.2g}; "
        "0.1, the default, gets over a start at a wrong attitude in seconds",
        "zeta works with a magnetometer only: without one the filter does not estimate the bias",
    ]
    if tilt > 0.0:
        table.append(Setting("orientation_stddev", tilt, "rad"))
        notes.append(
            "orientation_stddev is the tilt that the accelerometer's bias makes; the heading is "
            "as good as the magnetometer, or drifts"
        )
    else:
        notes.append(
            "orientation_stddev is left out, as no figure says what bias the accelerometer has; "
            "its default of 0 claims a perfect attitude"
        )
    lines = [
        "# imu_filter_madgwick, written by imu_noise",
        "/**:",
        "  ros__parameters:",
        *(f"    {s.name}: {number_text(float(f'{s.value:.6g}'))}  # {s.unit}" for s in table),
    ]
    return Settings(
        "imu_filter_madgwick.yaml", "\n".join(lines) + "\n", tuple(table), tuple(notes)
    )
