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

"""Specs with every stage of the signal path, and inputs for them."""

from __future__ import annotations

import numpy as np

from imu_noise_node.model.spec import ImuSpec, TriadSpec

SIGNAL = {
    "scale_factor": [0.01, -0.02, 0.0],
    "scale_factor_stddev": [0.01, 0.02, 0.0],
    "cross_axis": [0.01, -0.02, 0.03],
    "misalignment": [0.01, 0.02, -0.03],
    "misalignment_stddev": 0.01,
    "nonlinearity": [0.01, 0.0, -0.02],
    "range": 100.0,
    "bandwidth": [100.0, 5.0, 0.0],
    "temperature_bias": [1e-3, -2e-3, 0.0],
    "temperature_scale_factor": 1e-4,
}
NOISE = {
    "noise_density": [1e-3, 2e-3, 0.0],
    "random_walk": 1e-3,
    "bias_stddev": 1e-3,
    "bias_correlation_time": [3.0, 0.5, 20.0],
    "bias_instability": 1e-3,
    "bias_instability_band": [0.5, 50.0],
    "turn_on_bias_stddev": 1e-2,
    "constant_bias": [0.1, 0.0, -0.2],
    "temperature_noise": 0.01,
    "resolution": [1e-4, 0.0, 1e-3],
}
ALL = {**SIGNAL, **NOISE}
GYROSCOPE = {**ALL, "g_sensitivity": 1e-3, "vibration_rectification": 1e-3}
ACCELEROMETER = {**ALL, "vibration_rectification": [1e-3, 0.0, -1e-3]}


def whole(magnetometer: bool = True, warm_up_time: float = 3.0, **changes) -> ImuSpec:
    """A spec with every stage on, but for `changes` in all triads."""
    triads = [TriadSpec(**{**figures, **changes}) for figures in (GYROSCOPE, ACCELEROMETER, ALL)]
    return ImuSpec(*triads[: 3 if magnetometer else 2], warm_up_time=warm_up_time)


def members_of(batch: tuple[int, ...], seed: int = 0) -> ImuSpec:
    """A spec in which every member of the batch is another sensor."""
    rng = np.random.default_rng(seed)

    def spread(figures):
        return {
            name: value
            if name in ("bias_instability_band", "misalignment")
            else np.broadcast_to(value, (3,)) * rng.uniform(0.5, 1.5, (*batch, 1))
            for name, value in figures.items()
        }

    triads = [TriadSpec(**spread(figures)) for figures in (GYROSCOPE, ACCELEROMETER, ALL)]
    return ImuSpec(*triads, warm_up_time=3.0)


def inputs(intervals, batch: tuple[int, ...], temperature: str | None, seed: int = 1):
    """Truth of three sensors, shape (3, T, *batch, 3), and the temperatures: all, and by step."""
    rng = np.random.default_rng(seed)
    count = len(intervals)
    truth = rng.normal(0.0, 2.0, (3, count, *batch, 3))
    ramp = np.linspace(-10.0, 60.0, count)
    each = rng.uniform(0.0, 60.0, (count, *batch))
    given = {
        None: (None, [None] * count),
        "number": (40.0, [40.0] * count),
        "ramp": (ramp, ramp.tolist()),
        "members": (each[0], [each[0]] * count),
        "ramp of members": (each, list(each)),
    }
    return truth, *given[temperature]
