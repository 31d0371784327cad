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

"""robot_localization: the covariances that the Imu message must carry.

The filters take the noise of a reading from the message (`RosFilter<T>::prepareTwist` and
`prepareAcceleration`, src/ros_filter.cpp, lines 3334 and 2669), and a variance below 1e-9 as 1e-9
(src/ekf.cpp, lines 145 to 151). `process_noise_covariance` is multiplied with the interval (line
436) and is about how a robot may move between readings: nothing of the IMU belongs there. There
are no biases among the states.
"""

from __future__ import annotations

import numpy as np

from ..profiles.formats.export import rms
from ..profiles.writer import number_text
from ..samples import Array
from .figures import FilterFigures
from .settings import Setting, Settings

TITLE = "robot_localization"

LEAST = 1e-9
"""What the filters take a smaller variance for."""


def settings(figures: FilterFigures) -> Settings:
    """Return the covariances of one reading, row by row, as a YAML file."""
    blocks = {
        "angular_velocity_covariance": (figures.sample_covariance[:3, :3], "(rad/s)^2"),
        "linear_acceleration_covariance": (figures.sample_covariance[3:, 3:], "(m/s^2)^2"),
    }
    lines = [
        f"# Covariances of a reading at {figures.rate:g} Hz, written by imu_noise: what a",
        "# driver must put into sensor_msgs/Imu, where robot_localization looks for them.",
        *(f"{name}: [{_row(block)}]  # {unit}" for name, (block, unit) in blocks.items()),
    ]
    table = tuple(
        Setting(f"{name}[{axis}]", float(block[k, k]), unit)
        for name, (block, unit) in blocks.items()
        for k, axis in enumerate((0, 4, 8))
    )
    notes = [
        "robot_localization takes them from the Imu message, and the node of this package puts "
        "them there; process_noise_covariance is about how the robot moves, not about its IMU",
        _bias(figures),
        *(f"{s.name} is below 1e-9, and taken for 1e-9" for s in table if s.value < LEAST),
    ]
    return Settings("robot_localization_imu.yaml", "\n".join(lines) + "\n", table, tuple(notes))


def _bias(figures: FilterFigures) -> str:
    rate, force = (rms(sensor.start) for sensor in figures.sensors())
    sizes = f" ({rate:.2g} rad/s, {force:.2g} m/s^2 at switching on)" if rate or force else ""
    return (
        f"it has no states for the biases{sizes}: take them off first; no covariance makes up for "
        "an error that all readings share"
    )


def _row(block: Array) -> str:
    return ", ".join(number_text(float(value)) for value in np.ravel(block))
