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

"""Dead reckoning drifts as the covariance that is propagated along the truth says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from imu_noise_node import ImuSpec, TriadSpec
from imu_noise_node.analysis.drift import MARKS, drift, moments_of
from imu_noise_node.analysis.drift_theory import ATTITUDE, POSITION, VELOCITY
from imu_noise_node.errors import InputError
from imu_noise_node.recordings.record import ImuRecord
from imu_noise_node.simulation.scene import Scene
from imu_noise_node.simulation.still import still
from imu_noise_node.simulation.stream import stream_of
from imu_noise_node.simulation.trajectory import Trajectory

G = 9.80665
Z = 5.0
"""False alarms: 6e-7 for one comparison, on either side together."""

EVERYTHING = ImuSpec(
    TriadSpec(
        noise_density=2e-4,
        random_walk=2e-5,
        bias_instability=1e-4,
        bias_stddev=2e-4,
        bias_correlation_time=5.0,
        turn_on_bias_stddev=2e-4,
        scale_factor_stddev=1e-3,
        misalignment_stddev=1e-3,
        constant_bias=[1e-4, -2e-4, 1e-4],
        g_sensitivity=1e-5,
    ),
    TriadSpec(
        noise_covariance=1e-6 * np.array([4.0, 1.0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0, 9.0]),
        random_walk=1e-3,
        bias_instability=2e-3,
        bias_stddev=2e-3,
        bias_correlation_time=2.0,
        turn_on_bias_stddev=1e-3,
        scale_factor_stddev=1e-4,
        misalignment_covariance=1e-8 * np.array([4.0, 1.0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0, 9.0]),
        cross_axis=2e-4,
        resolution=1e-3,
        range=40.0,
    ),
    increments_scale=3.0,
)


def tape_of(trajectory):
    return Scene().record(stream_of(trajectory))


def flight(seconds=20.0, rate=50.0):
    """Circles that climb and bank: turns about all axes, forces along all."""
    t = np.arange(round(seconds * rate) + 1) / rate
    yaw, roll = 0.5 * t, 0.4 * np.sin(0.7 * t)
    zero = np.zeros_like(t)
    by_yaw = np.stack([zero, zero, np.sin(yaw / 2), np.cos(yaw / 2)])
    by_roll = np.stack([np.sin(roll / 2), zero, zero, np.cos(roll / 2)])
    x, w = by_roll[0], by_roll[3]
    z, c = by_yaw[2], by_yaw[3]
    orientation = np.column_stack([c * x, z * x, z * w, c * w])
    position = np.column_stack([8 * np.sin(yaw), -8 * np.cos(yaw), np.sin(0.9 * t)])
    velocity = np.column_stack([4 * np.cos(yaw), 4 * np.sin(yaw), 0.9 * np.cos(0.9 * t)])
    roll_rate = 0.28 * np.cos(0.7 * t)
    rate_body = np.column_stack([roll_rate, 0.5 * np.sin(roll), 0.5 * np.cos(roll)])
    stamps = 10**9 + np.rint(t * 1e9).astype(np.int64)
    return Trajectory("circles", stamps, position, orientation, velocity, rate_body)


@pytest.mark.parametrize("truth", [still(60.0, 20.0), flight()], ids=["still", "moving"])
def test_the_runs_have_the_covariance_of_theory(truth):
    # For each of 9 times: the nine errors of 200 runs, weighted by theory, are chi-square with
    # 1800 degrees of freedom (+- 17 % at 5 sigma); the mean, 9 numbers, +- Z / sqrt(200) sigma.
    runs, moments = 200, np.array([0.5, 1.0, 2.0, 5.0, 8.0, 11.0, 14.0, 17.0, 20.0])
    found = drift(tape_of(truth), EVERYTHING, runs, 3, moments=moments)
    np.testing.assert_allclose(found.times, moments)
    for errors, mean, covariance in zip(found.errors, found.mean, found.covariance, strict=True):
        root = np.linalg.cholesky(covariance)
        white = np.linalg.solve(root, (errors - mean).T)
        assert np.sum(white**2) == pytest.approx(9 * runs, abs=Z * math.sqrt(2 * 9 * runs))
        assert np.abs(white.mean(axis=1)).max() < Z / math.sqrt(runs)
        assert (np.abs(np.mean(white**2, axis=1) - 1.0) < Z * math.sqrt(2 / runs)).all()
        off = np.corrcoef(white) - np.eye(9)
        assert np.abs(off).max() < Z / math.sqrt(runs)


def test_the_rms_is_within_its_spread():
    # 303 comparisons of each part, strongly correlated.
    found = drift(tape_of(flight()), EVERYTHING, 100, 1)
    for part in (POSITION, VELOCITY, ATTITUDE):
        off = found.measured(part) - found.expected(part)
        assert (np.abs(off) < Z * found.spread(part)).all()
        typical = found.spread(part) / found.expected(part)
        # One number that decides has 1/sqrt(2 N), three alike 1/sqrt(6 N).
        assert ((typical > 0.03) & (typical < 0.075)).all()


NOISE, BIAS, WALK = 3e-4, 2e-5, 1e-6


@pytest.mark.parametrize(
    ("gyroscope", "accelerometer", "part", "axis", "expected"),
    [
        # A gyroscope's white noise is a random walk of angle, and tilts gravity: g psi in force.
        ({"noise_density": NOISE}, {}, ATTITUDE, 2, lambda t: NOISE**2 * t),
        ({"noise_density": NOISE}, {}, VELOCITY, 0, lambda t: (G * NOISE) ** 2 * t**3 / 3),
        ({"noise_density": NOISE}, {}, POSITION, 1, lambda t: (G * NOISE) ** 2 * t**5 / 20),
        ({"turn_on_bias_stddev": BIAS}, {}, POSITION, 0, lambda t: (G * BIAS * t**3 / 6) ** 2),
        ({"turn_on_bias_stddev": BIAS}, {}, ATTITUDE, 0, lambda t: (BIAS * t) ** 2),
        ({"random_walk": WALK}, {}, ATTITUDE, 1, lambda t: WALK**2 * t**3 / 3),
        ({"random_walk": WALK}, {}, POSITION, 0, lambda t: (G * WALK) ** 2 * t**7 / 252),
        ({}, {"noise_density": NOISE}, VELOCITY, 2, lambda t: NOISE**2 * t),
        ({}, {"noise_density": NOISE}, POSITION, 0, lambda t: NOISE**2 * t**3 / 3),
        ({}, {"turn_on_bias_stddev": BIAS}, POSITION, 2, lambda t: (BIAS * t**2 / 2) ** 2),
        ({}, {"random_walk": WALK}, POSITION, 1, lambda t: WALK**2 * t**5 / 20),
        ({}, {"scale_factor_stddev": BIAS}, POSITION, 2, lambda t: (BIAS * G * t**2 / 2) ** 2),
        ({}, {"misalignment_stddev": BIAS}, VELOCITY, 0, lambda t: (BIAS * G * t) ** 2),
    ],
)
def test_at_rest_the_theory_is_the_closed_form(gyroscope, accelerometer, part, axis, expected):
    spec = ImuSpec(TriadSpec(**gyroscope), TriadSpec(**accelerometer))
    found = drift(tape_of(still(100.0, 10.0)), spec, 1, moments=np.array([30.0, 100.0]))
    for time, covariance in zip(found.times, found.covariance, strict=True):
        assert covariance[part, part][axis, axis] == pytest.approx(expected(time), rel=2e-3)


def test_a_correlation_time_is_that_of_the_bias():
    """The variance of the integral of a Gauss-Markov process from its stationary law."""
    sigma, time, t = 1e-4, 3.0, 20.0
    triad = TriadSpec(bias_stddev=sigma, bias_correlation_time=time)
    found = drift(tape_of(still(t, 10.0)), ImuSpec(triad), 1, moments=np.array([t]))
    expected = 2 * sigma**2 * time * (t - time * (1 - math.exp(-t / time)))
    assert found.covariance[0, 8, 8] == pytest.approx(expected, rel=1e-4)


def test_a_constant_bias_is_in_the_mean():
    spec = ImuSpec(accelerometer=TriadSpec(constant_bias=[0.0, 0.0, 0.01]))
    found = drift(tape_of(still(10.0, 10.0)), spec, 2, moments=np.array([10.0]))
    assert found.mean[0, 2] == pytest.approx(0.5)
    np.testing.assert_allclose(found.errors[0], np.stack([found.mean[0]] * 2), atol=1e-12)
    assert not found.covariance.any()
    assert found.measured(POSITION) == pytest.approx(found.expected(POSITION))
    assert found.spread(POSITION) == pytest.approx(0.0)


def test_beside_a_large_mean_only_noise_along_it_spreads_the_rms():
    bias, noise, t, runs = 1.0, 1e-3, 10.0, 4
    triad = TriadSpec(constant_bias=[0.0, 0.0, bias], noise_density=noise)
    tape = tape_of(still(t, 10.0))
    found = drift(tape, ImuSpec(accelerometer=triad), runs, moments=np.array([t]))
    assert found.spread(POSITION) == pytest.approx(noise * math.sqrt(t**3 / 3 / runs), rel=1e-3)


def test_rounding_is_no_bias():
    triad = TriadSpec(noise_density=0.01, resolution=0.05)
    found = drift(tape_of(still(10.0, 10.0)), ImuSpec(accelerometer=triad), 2)
    assert not found.mean.any()


def test_correlated_misalignments_turn_gravity():
    """At rest the sensor reads f x d: G (-d_y, d_x, 0)."""
    matrix = 1e-8 * np.array([[9.0, 2.0, 1.0], [2.0, 4.0, 0.0], [1.0, 0.0, 1.0]])
    triad = TriadSpec(misalignment_covariance=matrix.ravel())
    tape = tape_of(still(10.0, 10.0))
    found = drift(tape, ImuSpec(accelerometer=triad), 1, moments=np.array([10.0]))
    xx, xy, yy = matrix[0, 0], matrix[0, 1], matrix[1, 1]
    expected = (10.0 * G) ** 2 * np.array([[yy, -xy], [-xy, xx]])
    np.testing.assert_allclose(found.covariance[0, 3:5, 3:5], expected, rtol=1e-6)


def test_it_starts_from_the_true_attitude():
    t = np.arange(6) * 0.2
    zero = np.zeros((6, 3))
    orientation = np.column_stack([zero[:, :2], np.sin(t / 2), np.cos(t / 2)])
    stamps = np.rint(1e9 + 1e9 * t).astype(np.int64)
    rates = np.tile([0.0, 0.0, 1.0], (6, 1))
    tape = tape_of(Trajectory("turntable", stamps, zero, orientation, zero, rates))
    spec = ImuSpec(accelerometer=TriadSpec(constant_bias=[1.0, 0.0, 0.0]))
    found = drift(tape, spec, 1, moments=np.array([0.2]))
    # The mean of a bias that has turned by 0.2 rad.
    expected = [math.sin(0.2), 1.0 - math.cos(0.2), 0.0]
    np.testing.assert_allclose(found.mean[0, VELOCITY], expected, atol=1e-12)


def test_a_large_attitude_is_beyond_the_theory():
    spec = ImuSpec(gyroscope=TriadSpec(turn_on_bias_stddev=0.02))
    found = drift(tape_of(still(30.0, 10.0)), spec, 2)
    late = found.times > 0.3 / (0.02 * math.sqrt(3.0)) + 0.2
    assert np.isnan(found.expected(POSITION)[late]).all()
    assert np.isfinite(found.expected(POSITION)[found.times < 8.0]).all()


def test_seeds_give_the_same_runs_again():
    tape, spec = tape_of(still(2.0, 10.0)), ImuSpec(TriadSpec(noise_density=1e-4))
    one, same, other = (drift(tape, spec, 3, seed).errors for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_the_moments_are_marks_and_the_end():
    moments = moments_of(tape_of(still(61.0, 10.0)))
    assert set(MARKS[:3]) <= set(moments.tolist())
    assert moments[-1] == pytest.approx(61.0, rel=1e-12)
    assert moments[0] == pytest.approx(0.1)
    assert (np.diff(moments) > 0.0).all()


def broken():
    truth = flight(4.0)
    stamps = truth.stamps.copy()
    stamps[100:] += 2 * 10**9
    return stream_of(
        Trajectory(
            "t",
            stamps,
            truth.position,
            truth.orientation,
            truth.velocity,
            truth.angular_velocity,
        )
    )


@pytest.mark.parametrize(
    ("stream", "sentence"),
    [
        (broken(), "gap"),
        (stream_of(ImuRecord("i", np.arange(1, 9) * 10**7, np.ones((6, 8)))), "orientation"),
        (stream_of(ImuRecord("i", np.array([10**9]), np.ones((6, 1)))), "two"),
    ],
    ids=["gap", "no orientation", "one pose"],
)
def test_what_cannot_be_reckoned_is_refused(stream, sentence):
    with pytest.raises(InputError, match=sentence):
        drift(Scene().record(stream), ImuSpec())
