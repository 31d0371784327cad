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

"""Specs that between them take every way through the model."""

from __future__ import annotations

import numpy as np

from imu_noise_node.model.spec import ImuSpec, TriadSpec

ALL_ON = {
    "constant_bias": [0.1, -0.2, 0.3],
    "turn_on_bias_stddev": 0.05,
    "bias_stddev": 0.02,
    "bias_correlation_time": [3.0, 0.5, 20.0],
    "random_walk": 0.01,
    "bias_instability": 0.03,
    "bias_instability_band": [0.5, 50.0],
}
CORRELATED = np.array([[2.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 0.7]]) * 1e-5
SINGULAR = np.outer([1.0, -2.0, 0.5], [1.0, -2.0, 0.5]) * 1e-5
"""Three axes that share one white noise."""

SPECS = {
    "perfect": ImuSpec(),
    "white": ImuSpec(TriadSpec(noise_density=0.002), TriadSpec(noise_stddev=[0.1, 0.0, 0.2])),
    "walk": ImuSpec(TriadSpec(random_walk=0.01), TriadSpec(random_walk=[0.0, 0.1, 0.0])),
    "full": ImuSpec(
        TriadSpec(noise_density=[0.002, 0.003, 0.0], **ALL_ON),
        TriadSpec(noise_density=0.02, **ALL_ON, range=0.8, resolution=0.01),
    ),
    "correlated": ImuSpec(
        TriadSpec(noise_covariance=CORRELATED, **ALL_ON),
        TriadSpec(noise_covariance=SINGULAR, integration_time=0.004, random_walk=0.01),
    ),
}
