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

"""sensor.yaml of EuRoC and other ASL data sets, and Kimera's ImuParams: Kalibr's four figures."""

from __future__ import annotations

from typing import Any

from .imported import Ask, Imported, build
from .kalibr import FIGURES, four
from .keys import Keys

TITLE = "EuRoC sensor.yaml, Kimera ImuParams.yaml"

IGNORED = (
    # EuRoC: what the sensor is and where.
    *("sensor_type", "comment", "T_BS", "rate_hz"),
    # Kimera: settings of its estimator.
    *("imu_preintegration_type", "imu_bias_init_sigma", "do_imu_rate_time_alignment"),
    *("time_alignment_window_size_s", "time_alignment_variance_threshold_scaling"),
    *("imu_integration_sigma", "imu_time_shift", "n_gravity", "do_initial_time_alignment"),
)


def is_mine(document: Any) -> bool:
    """Whether a document is in this format: Kalibr's figures, but a rate under another name."""
    names = {key for figures in FIGURES.values() for key in figures.values()}
    return isinstance(document, dict) and "rate_hz" in document and not names.isdisjoint(document)


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures."""
    keys = Keys(document, ask.where)
    sensors, notes = four(keys)
    keys.ignore(IGNORED)
    return Imported(build(ask.where, sensors), [*notes, *keys.rest()])
