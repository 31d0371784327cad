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

"""Allan deviations: of the formulas, and of what is simulated."""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import allan_variance_ou
from model_specs import CORRELATED
from model_statistics import allan_variance, assert_variance

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec

TAUS = np.array([0.01, 0.1, 1.0, 10.0, 100.0])
TERMS = {
    "white": {"noise_density": 0.02},
    "random_walk": {"random_walk": 0.3},
    "gauss_markov": {"bias_stddev": 0.5, "bias_correlation_time": [0.05, 0.8, 30.0]},
    "flicker": {"bias_instability": 0.4, "bias_instability_band": [0.1, 10.0]},
}


def both(**figures) -> ImuSpec:
    return ImuSpec(TriadSpec(**figures), TriadSpec(**figures))


def theory(**figures):
    return ImuModel(both(**figures)).theory


def all_on() -> dict:
    return {name: value for figures in TERMS.values() for name, value in figures.items()}


def test_white_noise_falls_with_the_root_of_time():
    found = theory(noise_density=[0.02, 0.0, 0.3]).allan_deviation(TAUS)
    expected = np.array([0.02, 0.0, 0.3]) / np.sqrt(TAUS)[:, None]
    np.testing.assert_allclose(found["gyroscope"]["white"], expected, rtol=1e-14)


def test_a_random_walk_rises_with_the_root_of_time():
    found = theory(random_walk=0.3).allan_deviation(TAUS)["accelerometer"]["random_walk"]
    np.testing.assert_allclose(found, 0.3 * np.sqrt(TAUS / 3.0)[:, None].repeat(3, 1), rtol=1e-14)


def test_a_gauss_markov_process_is_half_the_variance_of_the_difference_of_averages():
    found = theory(**TERMS["gauss_markov"]).allan_deviation(TAUS)["gyroscope"]["gauss_markov"]
    expected = 0.25 * allan_variance_ou(TAUS[:, None], np.array([0.05, 0.8, 30.0]))
    np.testing.assert_allclose(found**2, expected, rtol=1e-9)


@pytest.mark.parametrize("band", [(0.1, 10.0), (1.0, 1000.0), (0.01, 1e5)])
def test_flicker_is_flat_at_its_figure_over_its_band(band):
    figures = theory(bias_instability=[0.1, 0.2, 0.3], bias_instability_band=band)
    found = figures.allan_deviation(np.geomspace(*band, 50))["gyroscope"]["flicker"]
    np.testing.assert_allclose(found, np.tile([0.1, 0.2, 0.3], (50, 1)), rtol=0.01)


def test_the_total_is_the_root_of_the_sum_of_squares():
    found = theory(**all_on()).allan_deviation(TAUS)["gyroscope"]
    assert list(found) == [*TERMS, "total"]
    squares = sum(found[name] ** 2 for name in TERMS)
    np.testing.assert_allclose(found["total"] ** 2, squares, rtol=1e-13)


@pytest.mark.parametrize("name", TERMS)
def test_each_term_is_what_it_is_alone(name):
    alone = theory(**TERMS[name]).allan_deviation(TAUS)["gyroscope"]
    found = theory(**all_on()).allan_deviation(TAUS)["gyroscope"][name]
    assert list(alone) == [name, "total"]
    np.testing.assert_array_equal(alone[name], found)
    np.testing.assert_array_equal(alone[name], alone["total"])


def test_a_perfect_sensor_has_a_total_of_zero_alone():
    found = ImuModel().theory.allan_deviation(TAUS)
    assert {sensor: list(terms) for sensor, terms in found.items()} == {
        "gyroscope": ["total"],
        "accelerometer": ["total"],
    }
    assert not found["gyroscope"]["total"].any()


def test_terms_are_told_apart_by_sensor():
    spec = ImuSpec(TriadSpec(noise_density=0.1), TriadSpec(random_walk=0.2))
    found = ImuModel(spec).theory.allan_deviation(TAUS)
    assert list(found["gyroscope"]) == ["white", "total"]
    assert list(found["accelerometer"]) == ["random_walk", "total"]


def test_correlated_axes_have_the_diagonal_of_their_covariance():
    found = theory(noise_covariance=CORRELATED).allan_deviation([4.0])["gyroscope"]["white"]
    np.testing.assert_allclose(found[0] ** 2, np.diag(CORRELATED) / 4.0, rtol=1e-14)


@pytest.mark.parametrize("figures", [{"noise_stddev": 0.1}, {"integration_time": 0.001}])
def test_where_the_law_depends_on_the_interval_it_must_be_given(figures):
    with pytest.raises(
        ParameterError,
        match=r"^dt = None: must be given where noise is per sample or integration_time is set$",
    ):
        theory(**figures).allan_deviation(TAUS)


def test_noise_per_sample_is_a_density_that_depends_on_the_interval():
    found = theory(noise_stddev=0.1).allan_deviation([1.0, 4.0], dt=0.01)["gyroscope"]["white"]
    np.testing.assert_allclose(found[:, 0], [0.01, 0.005], rtol=1e-14)


def test_integration_time_raises_what_slow_captures_show():
    figures = theory(noise_density=0.1, integration_time=[0.0, 0.001, 1.0])
    found = figures.allan_deviation([1.0], dt=0.01)["gyroscope"]["white"]
    np.testing.assert_allclose(found[0], [0.1, 0.1 * 10.0**0.5, 0.1], rtol=1e-14)


@pytest.mark.parametrize("taus", [[0.0], [-1.0], [float("nan")], [float("inf")], 1.0, [[1.0]]])
def test_taus_that_are_no_times_are_refused(taus):
    with pytest.raises(ParameterError, match=r"^taus = .*must be finite times above 0 \[s\]"):
        theory(noise_density=0.1).allan_deviation(taus)


def test_members_have_theories_of_their_own(batch):
    sizes = np.linspace(0.1, 0.5, int(np.prod(batch))).reshape(*batch, 1) * [1.0, 2.0, 3.0]
    triad = TriadSpec(noise_density=sizes, random_walk=sizes, noise_type="single-sided")
    found = ImuModel(ImuSpec(triad), batch=batch).theory.allan_deviation(TAUS)["gyroscope"]
    column = TAUS.reshape(-1, *(1,) * sizes.ndim)
    variance = sizes**2 / 2.0 / column + sizes**2 * column / 3.0
    np.testing.assert_allclose(np.broadcast_to(found["total"] ** 2, variance.shape), variance)


def test_new_figures_have_a_new_theory():
    model = ImuModel(both(noise_density=0.1))
    model.retune(both(noise_density=0.2))
    assert model.theory.allan_deviation([1.0])["gyroscope"]["white"][0, 0] == 0.2


@pytest.mark.parametrize("name", [*TERMS, "all"])
def test_simulated_data_have_the_allan_deviation_of_theory(name):
    # 100 series of 4096 samples at 20 Hz for each axis. Adjacent differences without overlap are
    # worth at least half their number: bounds on the variance 1.9 % at one sample, 39 % at 512;
    # twelve comparisons, false alarms 1e-9 each.
    triad = TriadSpec(**(all_on() if name == "all" else TERMS[name]))
    model = ImuModel(ImuSpec(triad), 11, (100,))
    dt, length = 0.05, 4096
    samples = model.run(np.full(length, dt), 0.0, 0.0).angular_velocity
    for count in (1, 8, 64, 512):
        found = allan_variance(samples, count).mean(axis=0)
        expected = model.theory.allan_deviation([count * dt])["gyroscope"]["total"].ravel()
        dof = 100 * 0.5 * (length / count - 1.0)
        for axis in range(3):
            assert_variance(np.sqrt(found[axis]), expected[axis] ** 2, dof)


def test_simulated_noise_per_sample_has_the_allan_deviation_of_theory():
    # As above, with correlated axes and an integration time too.
    spec = ImuSpec(
        TriadSpec(noise_stddev=0.1),
        TriadSpec(noise_covariance=CORRELATED, integration_time=0.01),
    )
    model = ImuModel(spec, 12, (50,))
    samples = model.run(np.full(4096, 0.05), 0.0, 0.0).values
    deviations = model.theory.allan_deviation([0.4], dt=0.05)
    expected = np.concatenate([terms["total"].ravel() for terms in deviations.values()])
    found = allan_variance(samples, 8).mean(axis=0)
    for axis in range(6):
        assert_variance(np.sqrt(found[axis]), expected[axis] ** 2, 50 * 0.5 * 511)
