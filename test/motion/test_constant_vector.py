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

"""A vector that is constant in the world, averaged in turning axes."""

import math

import numpy as np

from imu_noise_node.motion.constant_vector import mean_in_sensor
from imu_noise_node.motion.rotations import product, rotate

FIELD = (2.1e-5, 0.4e-5, -4.4e-5)
ZERO = (0.0, 0.0, 0.0)


def turned(angle, axis):
    s = math.sin(angle / 2.0) / math.dist(axis, ZERO)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(angle / 2.0))


def test_a_sensor_at_rest_sees_the_field_in_its_own_axes():
    quarter = turned(math.pi / 2.0, (0.0, 0.0, 1.0))
    seen = mean_in_sensor(FIELD, ZERO, quarter)
    assert np.allclose(seen, (FIELD[1], -FIELD[0], FIELD[2]), rtol=0, atol=1e-20)


def test_the_mean_over_a_turn_at_constant_rate_is_that_of_many_short_parts():
    start = turned(0.7, (1.0, -2.0, 0.5))
    axis, rate, dt = (0.3, 0.4, -1.2), 9.0, 0.1
    parts = 2000
    seen = np.zeros(3)
    for k in range(parts):
        now = product(start, turned(rate * dt * (k + 0.5) / parts, axis))
        seen += rotate((-now[0], -now[1], -now[2], now[3]), FIELD)
    length = math.dist(axis, ZERO)
    phi = tuple(rate * dt * a / length for a in axis)
    end = product(start, turned(rate * dt, axis))
    found = mean_in_sensor(FIELD, phi, end)
    # The midpoint rule is right to (rate dt/parts)^2/24.
    assert np.allclose(found, seen / parts, rtol=0, atol=1e-8 * 5e-5)
