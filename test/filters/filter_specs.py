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

"""Sensors on which the settings of filters are tried."""

import math

from imu_noise_node.model.spec import ImuSpec, TriadSpec

DEGREE = math.pi / 180.0

WALKING = ImuSpec(
    gyroscope=TriadSpec(noise_density=2e-4, random_walk=3e-3),
    accelerometer=TriadSpec(noise_density=2e-3, random_walk=2e-2),
)
"""White noise, and a random walk that shows within a second."""

FLICKERING = TriadSpec(noise_density=0.34 * DEGREE / 60, bias_instability=4 * DEGREE / 3600)
SLOW = TriadSpec(noise_density=1e-4, random_walk=2e-5)
DRIFTING = TriadSpec(noise_density=1e-4, bias_stddev=4e-5, bias_correlation_time=100.0)
