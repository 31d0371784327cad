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

"""The sensor on which everything is measured: all the noise terms that peers have, too."""

from __future__ import annotations

from typing import Any

from imu_noise_node import ImuSpec, TriadSpec

BAND = (1.0, 1000.0)
"""Of the flicker noise [s]."""

FULL: dict[str, dict[str, Any]] = {
    "gyroscope": {
        "noise_density": 2e-4,
        "turn_on_bias_stddev": 1e-3,
        "bias_stddev": 1e-4,
        "bias_correlation_time": 100.0,
        "bias_instability": 3e-5,
        "bias_instability_band": BAND,
    },
    "accelerometer": {
        "noise_density": 2e-3,
        "turn_on_bias_stddev": 1e-2,
        "bias_stddev": 1e-3,
        "bias_correlation_time": 100.0,
        "bias_instability": 3e-4,
        "bias_instability_band": BAND,
    },
}
"""White noise, turn-on bias, Gauss-Markov bias and flicker, by sensor [SI]."""

WHITE: dict[str, dict[str, Any]] = {
    sensor: {"noise_density": figures["noise_density"]} for sensor, figures in FULL.items()
}
"""White noise alone."""


_STAGES: dict[str, Any] = {
    "random_walk": 1e-6,
    "bandwidth": 200.0,
    "constant_bias": 1e-3,
    "scale_factor": 1e-3,
    "scale_factor_stddev": 1e-3,
    "cross_axis": 1e-2,
    "misalignment": (1e-3, 2e-3, 3e-3),
    "misalignment_stddev": 1e-3,
    "nonlinearity": 1e-3,
    "vibration_rectification": 1e-4,
    "temperature_bias": 1e-5,
    "temperature_scale_factor": 1e-5,
    "temperature_noise": 1e-3,
    "range": 100.0,
    "resolution": 1e-3,
}

WHOLE: dict[str, dict[str, Any]] = {
    "gyroscope": {**FULL["gyroscope"], **_STAGES, "g_sensitivity": 1e-5},
    "accelerometer": {**FULL["accelerometer"], **_STAGES},
}
"""Every term and every stage."""


def spec(figures: dict[str, dict[str, Any]]) -> ImuSpec:
    """Return the spec with these figures."""
    return ImuSpec(**{sensor: TriadSpec(**triad) for sensor, triad in figures.items()})


def ros_arguments(figures: dict[str, dict[str, Any]]) -> list[str]:
    """Return the command line that gives a node these figures."""
    values = {
        f"{sensor}.{name}": list(value) if isinstance(value, tuple) else value
        for sensor, triad in figures.items()
        for name, value in triad.items()
    }
    return [part for name, value in values.items() for part in ("-p", f"{name}:={value}")]
