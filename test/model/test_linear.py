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

"""y = C R^T (1 + s) x + G f: by hand, against SciPy, and what is drawn against its law.

Statistical bounds have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import numpy as np
import pytest
from model_statistics import Z, assert_covariance, assert_variance
from signal_specs import GYROSCOPE, SIGNAL

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.draws import draw_run
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.linear import Linear, rotation
from imu_noise_node.model.streams import Streams

Rotation = pytest.importorskip("scipy.spatial.transform").Rotation

MEMBERS = 20_000
RATE, FORCE = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 40.0])
EYE = np.eye(3)


def rendered(gyroscope=None, accelerometer=None, rate=RATE, force=FORCE, **model):
    """Response of gyroscope and accelerometer to one capture."""
    spec = ImuSpec(TriadSpec(**gyroscope or {}), TriadSpec(**accelerometer or {}))
    response = ImuModel(spec, **model).step(0.01, rate, force).response
    return response.angular_velocity, response.linear_acceleration


def drawn_rotations(seed=1, **figures):
    """What was drawn as rotation vectors [rad] of both sensors, shape (2, MEMBERS, 3)."""
    triad = TriadSpec(**figures)
    model = ImuModel(ImuSpec(triad, triad), seed, (MEMBERS,))
    # Of the three unit vectors the sensor reads the columns of R^T, that is the rows of R.
    rows = [model.step(0.01, unit, unit).response.values for unit in EYE]
    both = np.array(rows).reshape(3, MEMBERS, 2, 3)
    turns = Rotation.from_matrix(both.transpose(2, 1, 0, 3).reshape(-1, 3, 3))
    return turns.as_rotvec().reshape(2, MEMBERS, 3)


@pytest.mark.parametrize(
    ("figures", "rate"),
    [
        ({"scale_factor": 0.1}, [1.1, 2.2, 3.3]),
        ({"scale_factor": [0.1, -0.5, 0.0]}, [1.1, 1.0, 3.0]),
        ({"cross_axis": 0.1}, [1.5, 2.4, 3.3]),
        # Of z the two others pick up 0.3, of y 0.2, of x 0.1.
        ({"cross_axis": [0.1, 0.2, 0.3]}, [1 + 0.4 + 0.9, 2 + 0.1 + 0.9, 3 + 0.1 + 0.4]),
        ({"cross_axis": [1, 0.1, 0, 0, 1, 0.2, 0.3, 0, 1]}, [1.2, 2.6, 3.3]),
        ({"g_sensitivity": 0.01}, [1.1, 2.2, 3.4]),
        ({"g_sensitivity": [0.01, 0.0, 0.02]}, [1.1, 2.0, 3.8]),
        ({"g_sensitivity": [0, 0.1, 0, 0, 0, 0.1, 0.1, 0, 0]}, [3.0, 6.0, 4.0]),
        # A quarter turn about z: the sensor's x lies along y, its y against x.
        ({"misalignment": [0, 0, np.pi / 2]}, [2.0, -1.0, 3.0]),
        # Scale before rotation: the gain is that of the true axes.
        ({"misalignment": [0, 0, np.pi / 2], "scale_factor": [0.5, 0, 0]}, [2.0, -1.5, 3.0]),
        # Cross-axis after rotation: x picks up 0.1 of the sensor's y, which reads -1.
        (
            {"misalignment": [0, 0, np.pi / 2], "cross_axis": [1, 0.1, 0, 0, 1, 0, 0, 0, 1]},
            [1.9, -1.0, 3.0],
        ),
        # The specific force comes in as it is, neither scaled nor turned.
        (
            {"scale_factor": 1.0, "misalignment": [0, 0, np.pi / 2], "g_sensitivity": 0.01},
            [4.1, -1.8, 6.4],
        ),
    ],
)
def test_by_hand(figures, rate, batch):
    found, force = rendered(figures, batch=batch)
    np.testing.assert_allclose(found, np.broadcast_to(rate, (*batch, 3)), rtol=1e-14)
    assert np.array_equal(force, np.broadcast_to(FORCE, (*batch, 3)))
    if "g_sensitivity" not in figures:
        same = rendered({}, figures, force=RATE, batch=batch)[1]
        assert np.array_equal(same, found)


def test_a_gyroscope_feels_the_true_force_and_not_what_the_accelerometer_reads():
    crooked = {"scale_factor": 0.5, "misalignment": [0, 0, np.pi / 2], "cross_axis": 0.1}
    found, _ = rendered({"g_sensitivity": 0.01}, crooked)
    np.testing.assert_allclose(found, [1.1, 2.2, 3.4], rtol=1e-14)


def test_rotation_matrices_are_those_of_scipy():
    vectors = (
        np.random.default_rng(0).normal(size=(200, 3)) * np.geomspace(1e-12, 3.0, 200)[:, None]
    )
    vectors[0] = 0.0
    found, expected = rotation(vectors), Rotation.from_rotvec(vectors).as_matrix()
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=2e-15)


def test_the_whole_formula_against_scipy(batch):
    figures = {name: value for name, value in SIGNAL.items() if name not in ("bandwidth",)}
    figures = {**figures, "nonlinearity": 0.0, "g_sensitivity": np.arange(9) * 1e-3}
    for sizes in (1.0, 30.0):
        figures["misalignment"] = sizes * np.array([0.01, 0.02, -0.03])
        force, rate = np.random.default_rng(3).normal(size=(2, *batch, 3))
        found = rendered(figures, rate=rate, force=force, batch=batch, seed=7)[0]
        _, scale, turn = draw_run(Streams(7), ("gyroscope",), batch)
        gain = 1.0 + np.array(figures["scale_factor"]) + figures["scale_factor_stddev"] * scale
        axes = Rotation.from_rotvec(figures["misalignment"]) * Rotation.from_rotvec(
            (0.01 * turn).reshape(-1, 3)
        )
        inside = axes.inv().apply((gain * rate).reshape(-1, 3))
        cross = np.array([[1, -0.02, 0.03], [0.01, 1, 0.03], [0.01, -0.02, 1]])
        by_force = force.reshape(-1, 3) @ figures["g_sensitivity"].reshape(3, 3).T
        expected = (inside @ cross.T + by_force).reshape(*batch, 3)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_scale_factors_are_drawn_once_per_run():
    # 60000 draws for each sensor: variance within 3.5 %, mean within 2.5 % of a deviation.
    sigma = np.array([0.01, 0.02, 0.05])
    triad = TriadSpec(scale_factor=0.1, scale_factor_stddev=sigma)
    model = ImuModel(ImuSpec(triad, triad), 1, (MEMBERS,))
    found = model.step(0.01, 1.0, 1.0).response.values
    draws = (found - 1.1) / np.tile(sigma, 2)
    for axis in range(6):
        assert_variance(draws[:, axis], 1.0)
        assert abs(draws[:, axis].mean()) < Z / MEMBERS**0.5
        for other in range(axis):
            assert_covariance(draws[:, axis], draws[:, other], 0.0, (1.0, 1.0))
    assert np.array_equal(model.step(0.5, 1.0, 1.0).response.values, found)


def test_rotations_are_drawn_once_per_run():
    # Twice 3 x 20000 angles: variance of each axis within 6.1 %, all pairs uncorrelated.
    sigma = np.array([0.01, 0.05, 0.1])
    turns = drawn_rotations(misalignment_stddev=sigma) / sigma
    for k in range(3):
        assert_variance(turns[..., k], 1.0)
        assert_covariance(turns[0, :, k], turns[1, :, k], 0.0, (1.0, 1.0))
        assert_covariance(turns[..., k], turns[..., k - 1], 0.0, (1.0, 1.0))


@pytest.mark.parametrize("seed", [1, 2])
def test_rotations_have_the_covariance_given(seed):
    # Whitened with an independent factor: 120000 normals, variance within 2.5 %, uncorrelated.
    covariance = np.array([[4.0, 1.0, -2.0], [1.0, 9.0, 3.0], [-2.0, 3.0, 5.0]]) * 1e-4
    turns = drawn_rotations(seed, misalignment_covariance=covariance)
    values, vectors = np.linalg.eigh(covariance)
    white = (turns @ vectors) / np.sqrt(values)
    assert_variance(white, 1.0)
    for k in range(3):
        assert_variance(white[..., k], 1.0)
        assert_covariance(white[..., k], white[..., k - 1], 0.0, (1.0, 1.0))


def test_a_singular_covariance_turns_about_one_axis():
    axis = np.array([0.01, -0.02, 0.03])
    turns = drawn_rotations(misalignment_covariance=np.outer(axis, axis))
    sizes = turns @ axis / (axis @ axis)
    assert_variance(sizes, 1.0)
    np.testing.assert_allclose(turns, sizes[..., None] * axis, atol=1e-12)


def test_blocks_of_any_length_have_the_same_bits(batch):
    spec = ImuSpec(TriadSpec(**GYROSCOPE), TriadSpec(**SIGNAL), TriadSpec(**SIGNAL))
    figures = compile_spec(spec, len(batch))
    stage = Linear(figures.signal, draw_run(Streams(2), figures.sensors, batch))
    block = np.random.default_rng(4).normal(size=(40, *batch, 9))
    context = type("Context", (), {"thermal": None})()
    ones = np.concatenate([stage.apply(block[k : k + 1].copy(), 1.0, context) for k in range(40)])
    for length in (2, 15, 16, 17, 40):
        found = stage.apply(block[:length].copy(), 1.0, context)
        assert np.array_equal(found, ones[:length])


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("count", [1, 40])
def test_what_is_infinite_or_missing_spoils_no_axis_that_does_not_read_it(count):
    for value in (np.inf, -np.inf, np.nan):
        found, force = rendered({"scale_factor": 0.5}, rate=[value, 2.0, 3.0])
        assert np.array_equal(found, [value, 3.0, 4.5], equal_nan=True)
        assert np.array_equal(force, FORCE)
        model = ImuModel(ImuSpec(TriadSpec(scale_factor=0.5)))
        m = model.run(np.full(count, 0.1), [value, 2.0, 3.0], FORCE)
        assert np.array_equal(m.values[-1, :3], [value, 3.0, 4.5], equal_nan=True)
