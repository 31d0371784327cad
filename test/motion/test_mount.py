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

import math

import pytest

from imu_noise_node.errors import ParameterError
from imu_noise_node.motion.mount import Mount


def test_a_mount_at_the_origin_changes_nothing():
    mount = Mount()
    assert mount.lever is None
    assert mount.rotation is None
    assert mount.to_sensor((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)


def test_integers_and_texts_are_read_as_numbers():
    assert Mount([0, 1, 2]).lever == (0.0, 1.0, 2.0)


def test_vectors_turn_into_sensor_axes():
    mount = Mount(rpy=(math.pi, 0.0, 0.0))
    assert mount.to_sensor((1.0, 2.0, 3.0)) == pytest.approx((1.0, -2.0, -3.0), abs=1e-15)


@pytest.mark.parametrize("value", [[0.0, 1.0], [math.nan, 0.0, 0.0], "front", 1.0])
def test_anything_but_three_finite_numbers_is_one_sentence(value):
    with pytest.raises(ParameterError, match=r"translation .* 3 finite numbers \[m\]"):
        Mount(translation=value)


def test_angles_in_degrees_are_noticed():
    with pytest.raises(ParameterError, match=r"rpy .* from -6.28319 to 6.28319 \[rad\]"):
        Mount(rpy=[90.0, 0.0, 0.0])
