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

"""rwth-irt IMU-Simulator: N, B, K with a correlation time, and constants drawn uniformly.

Its bias instability is a Gauss-Markov process whose Allan deviation peaks near 0.664 B: its
variance is B^2 ln 2 / (pi 0.4365^2). Its constants lie anywhere within +-interval: their sigma is
interval / sqrt(3).
"""

from __future__ import annotations

import math
from typing import Any

from .imported import Ask, Imported, build
from .keys import Keys

TITLE = "rwth-irt IMU-Simulator yaml"

GAUSS_MARKOV = math.sqrt(math.log(2.0) / math.pi) / 0.4365
"""Sigma of the Gauss-Markov process, by B."""
UNIFORM = 1.0 / math.sqrt(3.0)
"""Sigma of a uniform law, by half its width."""

IGNORED = ("general_settings", "environmental_settings")
"""Rates, seeds and places, which are no errors of the sensor."""

_DISABLED = {
    "enable_turn_on_bias": ("turn_on_bias_stddev",),
    "enable_scaling": ("scale_factor_stddev",),
    "enable_misalignment": ("misalignment_stddev",),
    "enable_stochastic_error": (
        *("noise_density", "random_walk", "bias_stddev", "bias_correlation_time"),
    ),
    "enable_saturation": ("range",),
    "enable_quantization": ("resolution",),
}
"""The figures that each switch is for."""


def is_mine(document: Any) -> bool:
    """Whether a document is in this format; also below `ros__parameters`."""
    return _root(document) is not None


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures of the effects that are enabled."""
    root = Keys(_root(document), f"{ask.where}: imu_simulator")
    name = "model_parameter_settings"
    parameters = Keys(root.raw(name), f"{root.where}: {name}")
    switches = root.below("model_enable_settings")
    sensors, notes = {}, []
    for sensor in ("gyroscope", "accelerometer"):
        keys = parameters.below(sensor)
        if keys is None:
            continue
        figures, said = _sensor(keys)
        enabled = None if switches is None else switches.below(sensor)
        sensors[sensor], off = _without_disabled(figures, enabled)
        notes += [*said, *off]
    root.ignore(IGNORED)
    notes += [
        "turn-on bias, scale factor and misalignment, uniform there, are drawn from normal laws "
        "of the same variance",
        "the Gauss-Markov bias, which starts at 0 there, starts from its stationary law",
        *(parameters.rest() + root.rest() + (switches.rest() if switches else [])),
    ]
    return Imported(build(ask.where, sensors), notes)


def _sensor(keys: Keys) -> tuple[dict[str, Any], list[str]]:
    def times(key: str, factor: float) -> Any:
        value = keys.axes(key, lower=0.0)
        return None if value is None else value * factor

    figures = {
        "noise_density": times("N", 1.0),
        "random_walk": times("K", 1.0),
        "bias_stddev": times("B", GAUSS_MARKOV),
        "bias_correlation_time": times("correlation_time", 1.0),
        "turn_on_bias_stddev": times("interval_turn_on_bias", UNIFORM),
        "scale_factor_stddev": times("interval_scale_factor", UNIFORM / 100.0),
        "misalignment_stddev": times("interval_misalignment", UNIFORM),
        "range": times("measurement_range", 1.0),
        "resolution": times("resolution", 1.0),
    }
    return figures, keys.rest()


def _without_disabled(
    figures: dict[str, Any], switches: Keys | None
) -> tuple[dict[str, Any], list[str]]:
    if switches is None:
        return figures, []
    # Gravity and the turn of the Earth belong to the truth.
    switches.ignore(("enable_local_ref_vec",))
    off = {
        figure
        for switch, affected in _DISABLED.items()
        if not switches.flag(switch, default=True)
        for figure in affected
    }
    return {k: v for k, v in figures.items() if k not in off}, switches.rest()


def _root(document: Any) -> Any:
    """Return what stands below `imu_simulator`, at the top or in a ROS parameter file."""
    if not isinstance(document, dict):
        return None
    places = [document]
    places += [v["ros__parameters"] for v in document.values() if _has(v, "ros__parameters")]
    roots = [place["imu_simulator"] for place in places if _has(place, "imu_simulator")]
    return next((root for root in roots if _has(root, "model_parameter_settings")), None)


def _has(value: Any, key: str) -> bool:
    return isinstance(value, dict) and key in value
