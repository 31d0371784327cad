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

"""The IMU's part of a VINS-Fusion or VINS-Mono config.

The estimator gives both ends of an interval the variance acc_n^2 and takes their mean, as if the
next interval did not share one of them, so that a step has acc_n^2 dt^2/2 in place of N^2 dt; the
bias has acc_w^2 dt^2 in place of K^2 dt (`noise` and `V` in vins_estimator/src/factor/
integration_base.h, lines 30 to 36 and 117 to 134). `noise_factor` and `walk_factor` are what makes
them equal.
"""

from __future__ import annotations

from ..profiles.formats.vins import noise_factor, walk_factor
from ..profiles.writer import number_text
from .figures import FilterFigures
from .settings import Setting, Settings, four

TITLE = "VINS-Fusion"


def settings(figures: FilterFigures) -> Settings:
    """Return the four figures that VINS-Fusion multiplies with its interval."""
    found, rate = four(figures), figures.rate
    noise, walk = noise_factor(rate), walk_factor(rate)
    table = (
        Setting("acc_n", found.accelerometer_noise * noise, "m/s^2"),
        Setting("gyr_n", found.gyroscope_noise * noise, "rad/s"),
        Setting("acc_w", found.accelerometer_walk * walk, "m/s^3"),
        Setting("gyr_w", found.gyroscope_walk * walk, "rad/s^2"),
    )
    lines = [
        f"# written by imu_noise for an IMU at {rate:g} Hz: the noise is the density times",
        "# sqrt(2 rate), the walk times sqrt(rate), as the estimator multiplies both with dt",
        *(f"{s.name}: {number_text(s.value)}  # {s.unit}" for s in table),
    ]
    note = (
        f"the figures hold at {rate:g} Hz: the estimator multiplies them with the interval; the "
        "densities themselves would make it sure of itself by far"
    )
    return Settings("vins_fusion_imu.yaml", "\n".join(lines) + "\n", table, (note,))
