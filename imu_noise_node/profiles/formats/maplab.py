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

"""maplab's IMU files: densities and walks below `sigmas`, and where the sensor saturates."""

from __future__ import annotations

from typing import Any

from .imported import Ask, Imported, build
from .keys import Keys

TITLE = "maplab IMU yaml"

IGNORED = ("id", "hardware_id", "sensor_type", "gravity_magnitude_mps2", "topic", "description")


def is_mine(document: Any) -> bool:
    """Whether a document is in this format."""
    sigmas = document.get("sigmas") if isinstance(document, dict) else None
    return isinstance(sigmas, dict) and any(
        key in sigmas for key in ("gyro_noise_density", "acc_noise_density")
    )


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures."""
    keys = Keys(document, ask.where)
    sigmas = Keys(keys.raw("sigmas"), f"{ask.where}: sigmas")
    sensors = {
        sensor: {
            "noise_density": sigmas.number(f"{short}_noise_density", lower=0.0),
            "random_walk": sigmas.number(f"{short}_bias_random_walk_noise_density", lower=0.0),
            "range": keys.number(saturation, lower=0.0),
        }
        for sensor, short, saturation in (
            ("gyroscope", "gyro", "saturation_gyro_max_radps"),
            ("accelerometer", "acc", "saturation_accel_max_mps2"),
        )
    }
    keys.ignore(IGNORED)
    return Imported(build(ask.where, sensors), [*sigmas.rest(), *keys.rest()])
