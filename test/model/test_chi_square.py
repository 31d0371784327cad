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

"""What a measurement publishes as its covariance is what was drawn.

measured - truth - bias, whitened by the published covariance, must be standard normal and
independent from sample to sample and from axis to axis.
"""

from __future__ import annotations

import numpy as np
import pytest
from model_specs import CORRELATED, SINGULAR
from model_statistics import assert_covariance, assert_uncorrelated, assert_variance

from imu_noise_node import ImuModel, ImuSpec, TriadSpec

PROCESSES = {
    "random_walk": 0.2,
    "bias_stddev": 0.3,
    "bias_correlation_time": [0.02, 1.0, 50.0],
    "bias_instability": 0.1,
    "bias_instability_band": [0.02, 2.0],
}
TRIADS = {
    "density": TriadSpec(noise_density=[0.002, 0.02, 0.2]),
    "per sample": TriadSpec(noise_stddev=[0.1, 0.2, 0.3]),
    "processes alone": TriadSpec(**PROCESSES),
    "correlated axes": TriadSpec(noise_covariance=CORRELATED),
    # Rounding of a normal value is as good as independent from sigma = one step on.
    "resolution": TriadSpec(noise_stddev=0.1, resolution=[0.1, 0.05, 0.09]),
    "all": TriadSpec(
        noise_covariance=CORRELATED,
        integration_time=0.006,
        resolution=0.02,
        turn_on_bias_stddev=0.5,
        constant_bias=0.7,
        **PROCESSES,
    ),
}
INTERVALS = {
    "50 Hz": np.full(4000, 0.02),
    "100 Hz": np.full(4000, 0.01),
    "400 Hz": np.full(4000, 0.0025),
    "jittered": np.random.default_rng(0).uniform(0.002, 0.03, 2000),
}
MEMBERS = 10
"""At the fixed rates 240000 residuals, bound on their variance 1.8 %; jittered 120000, 2.5 %."""


def residuals(model, intervals):
    truth = np.random.default_rng(1).normal(0.0, 1.0, (2, len(intervals), *model.batch, 3))
    m = model.run(intervals, *truth)
    return m.values - m.truth.values - m.bias.values, m.covariance


def whitened(errors, covariance):
    """Return independent standard normals if `errors`, (T, members, 6), have `covariance`."""
    inverse = np.linalg.inv(np.linalg.cholesky(covariance))
    return (inverse @ errors[..., None])[..., 0]


@pytest.mark.parametrize("rate", INTERVALS)
@pytest.mark.parametrize("name", TRIADS)
def test_sample_covariance(name, rate):
    # 1 + 6 + 1 comparisons, false alarms 1e-9 each.
    model = ImuModel(ImuSpec(TRIADS[name], TRIADS[name]), 3, (MEMBERS,))
    white = whitened(*residuals(model, INTERVALS[rate]))
    assert_variance(white, 1.0)
    for axis in range(6):
        assert_variance(white[..., axis], 1.0)
    assert_uncorrelated(white)


@pytest.mark.parametrize("name", TRIADS)
def test_axes_are_as_correlated_as_published(name):
    # Fifteen pairs of axes, 40000 products each, false alarms 1e-9 each.
    model = ImuModel(ImuSpec(TRIADS[name], TRIADS[name]), 4, (MEMBERS,))
    white = whitened(*residuals(model, INTERVALS["100 Hz"]))
    for i in range(6):
        for j in range(i):
            assert_covariance(white[..., i], white[..., j], 0.0, (1.0, 1.0))


def test_one_sensor_over_a_long_run():
    # Ten minutes at 100 Hz: 360000 residuals, bound 1.4 %; false alarms 2e-9.
    model = ImuModel(ImuSpec(TRIADS["all"], TRIADS["all"]), 5)
    errors, covariance = residuals(model, np.full(60_000, 0.01))
    white = whitened(errors, covariance)
    assert_variance(white, 1.0)
    assert_uncorrelated(white)


def test_residuals_have_nothing_to_do_with_the_bias():
    # 240000 products, false alarms 1e-9: else some of the noise would have been foreseeable.
    model = ImuModel(ImuSpec(TRIADS["processes alone"], TRIADS["processes alone"]), 6, (4000,))
    for _ in range(10):
        m = model.step(0.01, 0.0, 0.0)
    white = (m.values - m.bias.values) / np.sqrt(np.diag(m.covariance[0]))
    bias = m.bias.values / m.bias.values.std(axis=0)
    assert_covariance(white, bias, 0.0, (1.0, 1.0))


@pytest.mark.parametrize("rate", INTERVALS)
def test_a_singular_covariance(rate):
    # Along (1, -2, 0.5) all of the noise, 40000 (20000) values, bound 4.3 % (6.1 %); across, none.
    model = ImuModel(ImuSpec(TriadSpec(noise_covariance=SINGULAR)), 7, (MEMBERS,))
    errors, covariance = residuals(model, INTERVALS[rate])
    along = np.array([1.0, -2.0, 0.5, 0.0, 0.0, 0.0])
    gain = errors @ along / (along @ along)
    variance = covariance[..., 0, 0].reshape(-1, 1)
    assert_variance(gain, variance)
    np.testing.assert_allclose(variance[:, 0] * INTERVALS[rate], 1e-5, rtol=1e-12)
    assert np.abs(errors - gain[..., None] * along).max() < 1e-7 * np.abs(errors).max()


AGES = [1e-6, 2.0, 20.0, 3000.0]
CAUSES = {
    "turn on": {"turn_on_bias_stddev": 0.4},
    "walk": {"random_walk": 0.2},
    "gauss-markov": {"bias_stddev": 0.3, "bias_correlation_time": [0.02, 1.0, 50.0]},
    "flicker": {"bias_instability": 0.1, "bias_instability_band": [0.02, 2.0]},
    "all": {"noise_density": 0.02, "resolution": 0.05, "turn_on_bias_stddev": 0.4, **PROCESSES},
}


@pytest.mark.parametrize("dt", [0.01, 0.5])
@pytest.mark.parametrize("cause", CAUSES)
def test_total_covariance_over_an_ensemble(cause, dt):
    # At each of four ages 36000 errors, bound 4.6 %, false alarms 1e-9.
    triad = TriadSpec(constant_bias=0.7, **CAUSES[cause])
    model = ImuModel(ImuSpec(triad, triad), 8, (6000,), "total")
    now = 0.0
    for age in AGES:
        model.skip(age - now)
        m = model.step(dt, 0.0, 0.0)
        now = age + dt
        errors = m.values - 0.7
        assert_variance(errors, np.diag(m.covariance[0]))


def test_total_covariance_grows_from_the_last_reset_of_each_member():
    # 18000 errors in either half, bound 6.4 %, false alarms 2e-9.
    triad = TriadSpec(random_walk=0.2)
    model = ImuModel(ImuSpec(triad, triad), 9, (6000,), "total")
    late = np.arange(6000) % 2 == 0
    model.skip(10.0)
    model.reset(late)
    m = model.step(1.0, 0.0, 0.0)
    for half, age in ((late, 0.0), (~late, 10.0)):
        variances = np.diagonal(m.covariance[half], axis1=-2, axis2=-1)
        np.testing.assert_allclose(variances, 0.04 * (age + 1.0 / 3.0), rtol=1e-9)
        assert_variance(m.values[half], variances)
