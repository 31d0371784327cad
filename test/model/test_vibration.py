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

"""Bias by vibration: the mean variance of the force over each interval, against quadrature."""

from __future__ import annotations

import json

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.vibration import Vibration

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
"""On (-1, 1); the integrands are exponentials over a few time constants."""


def quadrature(force, intervals):
    """Mean variance over each interval for one axis, from the two equations.

    m' = f - m and v' = (f - m)^2 - v, time constant 1 s, m settled at the first force, v = 0.
    """
    m, v, means = force[0], 0.0, []

    def variance(t):
        s = 0.5 * t * (1.0 + NODES)
        pushes = ((f - m) * np.exp(-s)) ** 2 * np.exp(-(t - s))
        return np.exp(-t) * v + 0.5 * t * (WEIGHTS * pushes).sum()

    for f, dt in zip(force, intervals, strict=True):
        inside = [variance(t) for t in 0.5 * dt * (1.0 + NODES)]
        means.append(0.5 * (WEIGHTS * inside).sum())
        m, v = f + (m - f) * np.exp(-dt), variance(dt)
    return np.array(means)


def followed(stage, force, intervals):
    parts = zip(force, intervals, strict=True)
    return np.concatenate([stage.follow(f[None], float(dt)) for f, dt in parts])


@pytest.mark.parametrize("span", [1e-3, 0.1, 3.0])
def test_it_is_the_mean_of_what_the_equations_say(span, batch):
    rng = np.random.default_rng(1)
    force = rng.normal([0.0, 5.0, 9.8], 3.0, (40, *batch, 3))
    intervals = rng.uniform(0.1, 1.0, 40) * span
    found = followed(Vibration(batch), force, intervals).reshape(40, -1)
    for lane, values in zip(force.reshape(40, -1).T, found.T, strict=True):
        np.testing.assert_allclose(values, quadrature(lane, intervals), rtol=1e-9, atol=1e-12)


def test_an_even_run_is_the_same(batch, recursion):
    force = np.random.default_rng(2).normal(size=(90, *batch, 3))
    found = Vibration(batch).follow(force, 0.01).reshape(90, -1)
    for lane, values in zip(force.reshape(90, -1).T, found.T, strict=True):
        np.testing.assert_allclose(values, quadrature(lane, [0.01] * 90), rtol=1e-9, atol=1e-12)


def test_a_steady_force_leaves_the_same_bias_however_it_is_cut():
    # One interval of 2 s after a jump by 4, and the same in 37 uneven ones, weighted by length.
    cut = np.random.default_rng(3).dirichlet(np.ones(37)) * 2.0
    whole, parts = Vibration(()), Vibration(())
    for stage in (whole, parts):
        stage.follow(np.ones((1, 3)), 0.5)
    one = whole.follow(np.full((1, 3), 5.0), 2.0)[0]
    many = followed(parts, np.full((37, 3), 5.0), cut)
    np.testing.assert_allclose((cut[:, None] * many).sum(axis=0) / 2.0, one, rtol=1e-12)
    np.testing.assert_allclose(parts.variance, whole.variance, rtol=1e-12)
    # v = 16 (exp(-t) - exp(-2 t)), whose mean over 2 s is 8 (1 - e^-2 - (1 - e^-4)/2).
    expected = 8.0 * ((1.0 - np.exp(-2.0)) - 0.5 * (1.0 - np.exp(-4.0)))
    np.testing.assert_allclose(one, expected, rtol=1e-12)


def test_a_fast_oscillation_has_half_the_square_of_its_amplitude():
    # 2 and 3 m/s^2 at 50 Hz for 20 s: variance 2 and 4.5, rms sqrt(6.5); the rest averages out.
    times = np.arange(1, 200_001) * 1e-4
    wave = np.sin(2.0 * np.pi * 50.0 * times)[:, None] * [2.0, 0.0, 3.0] + [0.0, 0.0, 9.8]
    stage = Vibration(())
    found = stage.follow(wave, 1e-4)
    np.testing.assert_allclose(found[-200:].mean(axis=0), [2.0, 0.0, 4.5], rtol=1e-3)
    assert stage.rms == pytest.approx(np.sqrt(6.5), rel=5e-3)


def test_the_bias_is_by_the_variance_along_the_same_axis(batch):
    spec = ImuSpec(
        TriadSpec(vibration_rectification=[0.1, 0.2, -0.3], constant_bias=0.5),
        TriadSpec(vibration_rectification=[1.0, 0.0, 2.0]),
        TriadSpec(),
    )
    model = ImuModel(spec, batch=batch)
    force = np.random.default_rng(4).normal(size=(60, *batch, 3))
    m = model.run(np.full(60, 0.02), 0.0, force, None, 0.0)
    variance = Vibration(batch).follow(force, 0.02)
    np.testing.assert_allclose(m.bias.angular_velocity, 0.5 + variance * [0.1, 0.2, -0.3])
    np.testing.assert_allclose(m.bias.linear_acceleration, variance * [1.0, 0.0, 2.0])
    assert not m.bias.magnetic_field.any()
    np.testing.assert_allclose(m.values, m.truth.values + m.bias.values, rtol=1e-14)


def test_in_a_gap_it_fades_and_begins_at_the_next_force():
    stage = Vibration((2,))
    stage.follow(np.random.default_rng(5).normal(size=(50, 2, 3)), 0.05)
    before = stage.variance.copy()
    stage.skip(0.7)
    np.testing.assert_allclose(stage.variance, before * np.exp(-0.7), rtol=1e-14)
    # The mean begins at the next force, whatever that is: no jump.
    found = stage.follow(np.full((1, 2, 3), 1e3), 1e-9)[0]
    np.testing.assert_allclose(found, before * np.exp(-0.7), rtol=1e-8)
    stage.reset(np.array([True, False]))
    assert not stage.variance[0].any()
    assert stage.variance[1].all()


def test_a_state_goes_through_json():
    force = np.random.default_rng(6).normal(size=(9, 2, 3))
    for count in (0, 1, 5):
        stage, other = Vibration((2,)), Vibration((2,))
        if count:
            stage.follow(force[:count], 0.02)
        other.follow(force[::-1], 0.3)
        other.restore(json.loads(json.dumps(stage.state(), allow_nan=False)))
        assert np.array_equal(other.follow(force, 0.01), stage.follow(force, 0.01))
