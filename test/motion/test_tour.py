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

"""The motion for a first look: pose and twist must tell one story."""

import math

import pytest

from imu_noise_node.motion.rotations import conjugate, logarithm, norm, product, rotate
from imu_noise_node.motion.tour import tour


@pytest.mark.parametrize("elapsed", [0.0, 0.7, 5.0, 5.01, 9.99, 13.0, 1234.5])
def test_the_twist_is_the_derivative_of_the_pose(elapsed):
    """Central differences over 2 h err by h^2/6 of the third derivatives, some units here."""
    h = 1e-4
    before, now, after = (tour(0, elapsed + shift) for shift in (-h, 0.0, h))
    ends = zip(before.position, after.position, strict=True)
    slope = [(b - a) / (2 * h) for a, b in ends]
    assert rotate(now.orientation, now.velocity) == pytest.approx(slope, abs=1e-6)
    turn = logarithm(product(conjugate(before.orientation), after.orientation))
    assert now.angular_velocity == pytest.approx([x / (2 * h) for x in turn], abs=1e-6)
    assert norm(now.orientation) == pytest.approx(1.0, abs=1e-14)


def test_it_heads_along_its_way_and_never_stands():
    for k in range(200):
        truth = tour(0, 0.1 * k)
        assert math.hypot(*truth.velocity) > 1.0
        # Rocking turns the velocity out of the x axis by no more than the rocking itself.
        assert truth.velocity[0] > 0.98 * math.hypot(*truth.velocity)
