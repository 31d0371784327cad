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

"""The exact law of one interval, held against an independent one."""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import triple, triple_by_quadrature

from imu_noise_node.model.cholesky import lower_factor
from imu_noise_node.model.coefficients import Coefficients, band_law, exact_law
from imu_noise_node.model.discretisation import _split
from imu_noise_node.model.figures import FOREVER, compile_spec
from imu_noise_node.model.spec import ImuSpec, TriadSpec

RATIOS = np.geomspace(1e-9, 1e3, 49)
"""dt/tau, four to the decade."""

TAU = 2.0
SIGMA = 3.0
Q2 = 2.0 * SIGMA**2 / TAU


def gauss_markov(**others) -> Coefficients:
    triad = TriadSpec(bias_stddev=SIGMA, bias_correlation_time=TAU)
    return compile_spec(ImuSpec(triad, TriadSpec(**others)))


def law(ratio: float) -> Coefficients:
    figures = gauss_markov()
    dt = float(ratio) * TAU
    return Coefficients(figures, exact_law(figures, dt), dt)


@pytest.mark.parametrize("ratio", [1e-3, 0.05, 0.3, 1.0, 4.0])
def test_the_reference_agrees_with_quadrature_of_the_covariance_function(ratio):
    # The rest is a difference of numbers near 1/a times larger, hence the absolute tolerance.
    expected, found = triple_by_quadrature(ratio * TAU, TAU), triple(ratio * TAU, TAU)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13 * expected.var_m)


@pytest.mark.parametrize("ratio", RATIOS)
def test_keep_and_kick_are_the_transition_of_the_state(ratio):
    c, expected = law(ratio), triple(ratio * TAU, TAU)
    assert c.keep[0, 0] == pytest.approx(expected.phi, rel=1e-14, abs=2e-16)
    assert c.kick[0, 0] ** 2 == pytest.approx(Q2 * expected.var_w, rel=2e-15)


@pytest.mark.parametrize("ratio", RATIOS)
def test_hold_is_what_the_mean_keeps_of_the_state(ratio):
    assert law(ratio).hold[0, 0] == pytest.approx(triple(ratio * TAU, TAU).h, rel=2e-15)


@pytest.mark.parametrize("ratio", RATIOS)
def test_gain_is_the_regression_of_the_mean_on_the_state_at_the_end(ratio):
    # mean = gain (x + x_end) + r and x_end = phi x + w: Cov(w, mean) = gain Var w.
    c, expected = law(ratio), triple(ratio * TAU, TAU)
    assert c.gain[0, 0] * c.kick[0, 0] ** 2 == pytest.approx(Q2 * expected.cov, rel=4e-15)


@pytest.mark.parametrize("ratio", RATIOS)
def test_rest_is_what_the_end_points_leave_unsaid(ratio):
    # A series of five terms below dt/tau = 0.2, good to 2e-12 there; see the limit's own test.
    rest = law(ratio).noise[0] ** 2
    assert rest == pytest.approx(Q2 * triple(ratio * TAU, TAU).rest, rel=3e-12)


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_variance_of_the_mean_is_put_together_again(ratio):
    c, expected = law(ratio), triple(ratio * TAU, TAU)
    found = (c.gain * c.kick)[0, 0] ** 2 + c.noise[0] ** 2
    assert found == pytest.approx(Q2 * expected.var_m, rel=1e-12)


@pytest.mark.parametrize("ratio", [0.19, 0.1999999, 0.2, 0.2000001, 0.21])
def test_series_and_closed_form_meet(ratio):
    rest = law(ratio).noise[0] ** 2
    assert rest == pytest.approx(Q2 * triple(ratio * TAU, TAU).rest, rel=3e-12)


@pytest.mark.parametrize("dt", [1e-5, 2.5e-3, 1.0, 3600.0])
def test_a_random_walk_has_the_textbook_law(dt):
    walk = 0.7
    figures = compile_spec(ImuSpec(TriadSpec(random_walk=walk)))
    c = Coefficients(figures, exact_law(figures, dt), dt)
    variance = c.kick[0, 0] ** 2
    assert c.keep[0, 0] == pytest.approx(1.0, rel=1e-14)
    assert c.hold[0, 0] == pytest.approx(1.0, rel=1e-14)
    assert variance == pytest.approx(walk**2 * dt, rel=1e-14)
    assert c.gain[0, 0] * variance == pytest.approx(walk**2 * dt / 2.0, rel=1e-14)
    found = (c.gain[0, 0] * c.kick[0, 0]) ** 2 + c.noise[0] ** 2
    assert found == pytest.approx(walk**2 * dt / 3.0, rel=1e-14)


def test_a_random_walk_neither_forgets_nor_settles_in_a_lifetime():
    century = 100.0 * 365.25 * 86400.0
    figures = compile_spec(ImuSpec(TriadSpec(random_walk=1.0)))
    found = exact_law(figures, century)
    assert found.keep[0, 0] == pytest.approx(1.0, abs=1e-8)
    assert found.kick[0, 0] ** 2 == pytest.approx(century, rel=1e-8)
    assert century < 1e-8 * FOREVER


def test_a_long_interval_forgets_the_state_and_averages_it_to_white_noise():
    dt = 1e6 * TAU
    c = law(1e6)
    assert c.keep[0, 0] == 0.0
    assert c.kick[0, 0] == pytest.approx(SIGMA, rel=1e-14)
    # Its density is that of white noise: Var mean -> q^2 tau^2/dt, to the order of tau/dt.
    found = (c.gain * c.kick)[0, 0] ** 2 + c.noise[0] ** 2
    assert found == pytest.approx(Q2 * TAU**2 / dt, rel=3e-6)


@pytest.mark.parametrize("dt", [1e-3, 0.01, 0.5])
def test_white_noise_averages_over_the_shorter_of_interval_and_integration_time(dt):
    triad = TriadSpec(noise_density=0.002, integration_time=[0.0, 0.01, 1.0])
    figures = compile_spec(ImuSpec(triad))
    c = Coefficients(figures, exact_law(figures, dt), dt)
    window = [dt, min(dt, 0.01), dt]
    np.testing.assert_allclose(c.noise[:3], 0.002 / np.sqrt(window), rtol=1e-15)


@pytest.mark.parametrize("dt", [1e-3, 0.01, 0.5])
def test_noise_per_sample_is_the_same_at_any_rate(dt):
    figures = compile_spec(ImuSpec(TriadSpec(noise_stddev=0.2)))
    assert Coefficients(figures, exact_law(figures, dt), dt).noise[0] == 0.2


def test_a_density_wins_over_noise_per_sample():
    figures = compile_spec(ImuSpec(TriadSpec(noise_density=[0.1, 0.0, 0.1], noise_stddev=5.0)))
    assert Coefficients(figures, exact_law(figures, 0.25), 0.25).noise[:3].tolist() == [
        0.2,
        0,
        0.2,
    ]


def test_fresh_covariance_is_noise_plus_innovation_plus_rounding():
    dt = 0.3
    figures = gauss_markov(noise_density=0.1, resolution=0.5)
    c = Coefficients(figures, exact_law(figures, dt), dt)
    expected = [Q2 * triple(dt, TAU).var_m] * 3 + [0.01 / dt + 0.25 / 12.0] * 3
    np.testing.assert_allclose(c.fresh_covariance, np.diag(expected), rtol=1e-12)


def test_fresh_covariance_of_correlated_axes_is_the_one_given_plus_the_rest():
    dt = 0.3
    given = np.array([[2.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 0.7]])
    figures = gauss_markov(noise_covariance=given, integration_time=[0.0, 0.1, 0.2])
    c = Coefficients(figures, exact_law(figures, dt), dt)
    root = np.sqrt([0.3, 0.1, 0.2])
    np.testing.assert_allclose(
        c.fresh_covariance[3:, 3:], given / np.outer(root, root), rtol=1e-14
    )
    np.testing.assert_allclose(
        np.diag(c.fresh_covariance)[:3], Q2 * triple(dt, TAU).var_m, rtol=1e-12
    )
    assert not c.fresh_covariance[:3, 3:].any()


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_the_factor_of_a_covariance_of_any_rank_gives_it_back(rank):
    columns = np.random.default_rng(rank).standard_normal((4, 3, rank))
    matrices = columns @ np.swapaxes(columns, -1, -2)
    factor = lower_factor(matrices)
    np.testing.assert_allclose(factor @ np.swapaxes(factor, -1, -2), matrices, atol=1e-13)
    assert (np.triu(factor, 1) == 0.0).all()


@pytest.mark.filterwarnings("error")
def test_no_bandwidth_is_too_high():
    figures = compile_spec(ImuSpec(TriadSpec(noise_density=1.0, bandwidth=1e100)))
    assert np.isfinite(exact_law(figures, 0.01).variance).all()


def test_the_short_law_of_limited_noise_is_the_whole_one_to_the_bit():
    triad = TriadSpec(noise_density=[0.1, 0.2, 0.3], bandwidth=[20.0, 50.0, 0.0])
    _, band = _split(compile_spec(ImuSpec(triad)))
    for dt in (1e-6, 1e-3, 1.0 / (50.0 * np.pi), 0.01, 1.0, 1e4):
        for short, whole in zip(band_law(band, dt), exact_law(band, dt), strict=True):
            assert np.array_equal(short, np.broadcast_to(whole, short.shape)), dt
