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

"""Noise behind the bandwidth: N^2 min(pi f_c, 1/dt), correlated as exp(-2 pi f_c dt).

Statistical bounds have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import triple
from model_statistics import assert_covariance, assert_uncorrelated, assert_variance

from imu_noise_node import ImuModel, ImuSpec, TriadSpec

MEMBERS = 8000
"""24000 values of each figure: variance within 5.5 %."""

DENSITY, CUTOFF = 0.02, 50.0
LIMIT = 1.0 / (np.pi * CUTOFF)
"""[s]; 6.4 ms, where sampling the filter and averaging have the same variance."""

INTERVALS = [1e-5, 1e-3, 0.999 * LIMIT, 1.001 * LIMIT, 0.02, 1.0]


def both(**figures) -> ImuSpec:
    triad = TriadSpec(**{"noise_density": DENSITY, "bandwidth": CUTOFF, **figures})
    return ImuSpec(triad, TriadSpec(noise_density=DENSITY))


def marginal(dt):
    return DENSITY**2 * min(np.pi * CUTOFF, 1.0 / dt)


@pytest.mark.parametrize("dt", INTERVALS)
def test_variance_from_the_first_sample_on_and_as_published(dt):
    model = ImuModel(both(), 1, (MEMBERS,))
    for _ in range(3):
        m = model.step(dt, 0.0, 0.0)
        assert_variance(m.angular_velocity, marginal(dt))
        assert_variance(m.linear_acceleration, DENSITY**2 / dt)
        published = np.diagonal(m.covariance[0])
        np.testing.assert_allclose(published[:3], marginal(dt), rtol=1e-12)
        np.testing.assert_allclose(published[3:], DENSITY**2 / dt, rtol=1e-12)
        assert not m.bias.values.any()


@pytest.mark.parametrize("dt", INTERVALS)
def test_neighbours_are_correlated_as_behind_a_filter(dt):
    # 24000 products for each lag: bounds 4 % of the variance.
    m = ImuModel(both(), 2, (MEMBERS,)).run(np.full(4, dt), 0.0, 0.0)
    gyroscope, sigma = m.angular_velocity, marginal(dt) ** 0.5
    for lag in (1, 2, 3):
        expected = np.exp(-lag * dt * 2.0 * np.pi * CUTOFF) if dt < LIMIT else 0.0
        pair = gyroscope[0], gyroscope[lag]
        assert_covariance(*pair, expected * sigma**2, (sigma, sigma))
    assert_uncorrelated(m.linear_acceleration)


def test_between_fast_samples_slow_ones_do_not_break_the_correlation():
    # 1 ms, 2 ms, 20 ms (white, with the filter going on inside), 1 ms, 0.5 ms.
    steps = np.array([1e-3, 2e-3, 0.02, 1e-3, 5e-4])
    g = ImuModel(both(), 3, (MEMBERS,)).run(steps, 0.0, 0.0).angular_velocity
    sigma = marginal(1e-3) ** 0.5
    times = np.cumsum(steps)
    for i, j in ((0, 1), (3, 4), (1, 3)):
        expected = np.exp(-(times[j] - times[i]) * 2.0 * np.pi * CUTOFF)
        assert_covariance(g[i], g[j], expected * sigma**2, (sigma, sigma))
    assert_variance(g[2], DENSITY**2 / 0.02)


def test_axes_and_members_have_bandwidths_of_their_own():
    # 6000 values of each of three axes in two kinds of members: variance within 11.2 %.
    cutoff = np.tile([[50.0, 0.0, 5.0], [5.0, 500.0, 0.0]], (6000, 1))
    m = ImuModel(both(bandwidth=cutoff), 4, (12_000,)).step(2e-3, 0.0, 0.0)
    limit = np.where(cutoff > 0.0, np.pi * cutoff, np.inf)
    expected = DENSITY**2 * np.minimum(limit, 500.0)
    published = np.diagonal(m.angular_velocity_covariance, axis1=-2, axis2=-1)
    np.testing.assert_allclose(published, expected, rtol=1e-12)
    for kind in (0, 1):
        for axis in range(3):
            assert_variance(m.angular_velocity[kind::2, axis], expected[kind, axis])


@pytest.mark.parametrize("dt", [1e-3, 0.02])
def test_temperature_multiplies_it(dt):
    model = ImuModel(both(temperature_noise=0.02), 5, (MEMBERS,))
    m = model.step(dt, 0.0, 0.0, 75.0)
    assert_variance(m.angular_velocity, 4.0 * marginal(dt))
    published = np.diagonal(m.angular_velocity_covariance[0])
    np.testing.assert_allclose(published, 4.0 * marginal(dt), rtol=1e-12)


@pytest.mark.parametrize("dt", [1e-3, 0.02])
def test_processes_go_beside_it(dt):
    # A Gauss-Markov bias of 0.5 with 2 s, foreseen but for its own step; 24000 values.
    spec = both(bias_stddev=0.5, bias_correlation_time=2.0)
    model = ImuModel(spec, 6, (MEMBERS,))
    m = model.run([dt, dt], 0.0, 0.0)
    errors = (m.values - m.bias.values)[1, :, :3]
    published = m.covariance[1, 0, 0, 0]
    # Of the mean given the start of the interval, with q^2 = 2 sigma^2/tau = 0.25.
    step = 0.25 * triple(dt, 2.0).var_m
    assert published == pytest.approx(marginal(dt) + step, rel=1e-9)
    assert_variance(errors, published)
    assert_variance(m.bias.angular_velocity[0], 0.25)


@pytest.mark.parametrize("dt", [1e-3, 0.02])
def test_single_sided_figures_are_larger_by_the_root_of_two(dt):
    # N^2/2 for all that comes of it; 24000 values for each sensor.
    triad = TriadSpec(noise_density=0.3, noise_type="single-sided")
    limited = TriadSpec(noise_density=0.3, noise_type="single-sided", bandwidth=CUTOFF)
    m = ImuModel(ImuSpec(triad, limited), 7, (MEMBERS,)).step(dt, 0.0, 0.0)
    expected = 0.5 * 0.09 / dt, 0.5 * 0.09 * min(np.pi * CUTOFF, 1.0 / dt)
    for values, variance, k in zip(
        (m.angular_velocity, m.linear_acceleration), expected, (0, 3), strict=True
    ):
        assert_variance(values, variance)
        np.testing.assert_allclose(m.covariance[0, k, k], variance, rtol=1e-12)


def test_a_run_does_not_depend_on_how_it_is_cut(batch):
    steps = np.repeat([1e-3, 0.02, 2e-3, LIMIT], [70, 3, 40, 5])
    whole = ImuModel(both(random_walk=0.1), 8, batch).run(steps, 0.0, 0.0).values
    model = ImuModel(both(random_walk=0.1), 8, batch)
    parts = [model.run(part, 0.0, 0.0).values for part in np.array_split(steps, 11)]
    assert np.array_equal(np.concatenate(parts), whole)
    single = ImuModel(both(random_walk=0.1), 8, batch)
    assert np.array_equal([single.step(float(d), 0.0, 0.0).values for d in steps], whole)


def test_members_may_have_densities_of_their_own_behind_one_bandwidth():
    densities = np.array([[1.0] * 3, [2.0] * 3])
    spec = ImuSpec(TriadSpec(noise_density=densities, bandwidth=2.0))
    m = ImuModel(spec, batch=(2,)).run(np.full(3, 0.01), np.zeros(3), np.zeros(3))
    variances = m.covariance[:, :, 0, 0]
    assert np.allclose(variances, np.pi * 2.0 * np.array([1.0, 4.0]), rtol=1e-12, atol=0)
