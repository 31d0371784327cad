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

import itertools
import math

import numpy as np
import pytest

from imu_noise_node.motion import rotations as r

CASES = np.random.default_rng(5).standard_normal((200, 4))
UNITS = [tuple((q / np.linalg.norm(q)).tolist()) for q in CASES]
VECTORS = [tuple(v.tolist()) for v in CASES[:, :3]]


def matrix(q):
    """The textbook rotation matrix, written independently of the module."""
    x, y, z, w = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_rotate_is_the_matrix_product():
    for q, v in zip(UNITS, VECTORS, strict=True):
        assert r.rotate(q, v) == pytest.approx(tuple(matrix(q) @ v), abs=1e-14)


def test_product_turns_by_the_second_first():
    for p, q in itertools.pairwise(UNITS):
        assert matrix(r.product(p, q)) == pytest.approx(matrix(p) @ matrix(q), abs=1e-14)


def test_conjugate_undoes():
    for q in UNITS:
        assert r.product(q, r.conjugate(q)) == pytest.approx(r.IDENTITY, abs=1e-15)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-13, 1e-9, 1e-3, 1.0, 3.0, math.pi])
def test_logarithm_inverts_the_exponential(angle):
    axis = np.array([1.0, -2.0, 0.5]) / np.linalg.norm([1.0, -2.0, 0.5])
    q = (*(math.sin(angle / 2) * axis).tolist(), math.cos(angle / 2))
    assert r.logarithm(q) == pytest.approx(tuple(angle * axis), rel=1e-14, abs=1e-300)


def test_q_and_minus_q_have_one_logarithm():
    for q in UNITS:
        minus = tuple(-x for x in q)
        assert r.logarithm(q) == r.logarithm(minus)
        assert math.dist(r.logarithm(q), r.ZERO) <= math.pi + 1e-15


def test_from_rpy_turns_about_fixed_axes_roll_first():
    roll, pitch, yaw = 0.3, -0.8, 2.0
    about_x = (math.sin(roll / 2), 0.0, 0.0, math.cos(roll / 2))
    about_y = (0.0, math.sin(pitch / 2), 0.0, math.cos(pitch / 2))
    about_z = (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2))
    expected = r.product(about_z, r.product(about_y, about_x))
    assert r.from_rpy(roll, pitch, yaw) == pytest.approx(expected, abs=1e-15)


def test_cross_and_normalised():
    a, b = VECTORS[0], VECTORS[1]
    assert r.cross(a, b) == pytest.approx(tuple(np.cross(a, b)), abs=1e-15)
    assert r.norm(r.normalised((0.2, 0.4, -3.0, 1.0))) == pytest.approx(1.0, abs=1e-15)
