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

"""Allan deviations of what samples are: behind a bandwidth, rounded, of a real grade of sensor."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from model_reference import allan_variance_ou, mean_variance
from model_statistics import allan_variance, assert_variance, chi_square_limits
from model_theory import increments

from imu_noise_node import ImuModel, ImuSpec, ParameterError, Theory, TriadSpec
from imu_noise_node.model.flicker import components
from imu_noise_node.model.theory_allan import allan_variance_sampled

TAUS = np.array([0.02, 0.1, 1.0, 30.0])


def gyroscope(taus, dt=None, **figures):
    """Return the terms of a gyroscope by name, each of shape (n, 3)."""
    return Theory.of(ImuSpec(TriadSpec(**figures))).allan_deviation(taus, dt)["gyroscope"]


@np.vectorize
def by_summation(count: int, dt: float, tau: float) -> float:
    """Return half the variance of the difference of two sums of samples over `count`, squared."""
    with localcontext() as context:
        context.prec = 60
        count = int(count)
        powers = [(-Decimal(dt) / Decimal(tau) * j).exp() for j in range(2 * count)]
        own = count + 2 * sum((count - j) * powers[j] for j in range(1, count))
        across = sum((count - abs(count - j)) * powers[j] for j in range(1, 2 * count))
        return float((own - across) / Decimal(count) ** 2)


@pytest.mark.parametrize("tau", [1e-3, 0.02, 1.0, 9.0, 11.0, 1e4, 1e9])
def test_averages_of_samples_by_summation(tau):
    counts = np.array([1, 2, 3, 17, 300])
    found = allan_variance_sampled(counts * 0.01, np.array(tau), 0.01)
    np.testing.assert_allclose(found, by_summation(counts, 0.01, tau), rtol=1e-9)


def test_one_sample_differs_from_the_next_by_what_is_not_kept():
    found = gyroscope([0.01], 0.01, noise_density=0.1, bandwidth=5.0)["white"]
    expected = 0.01 * np.pi * 5.0 * -np.expm1(-2.0 * np.pi * 5.0 * 0.01)
    np.testing.assert_allclose(found**2, expected, rtol=1e-13)


def test_behind_a_bandwidth_fast_samples_are_the_process_itself():
    figures = {"noise_density": 0.1, "bandwidth": [0.5, 5.0, 50.0]}
    tau = 0.5 / (np.pi * np.array([0.5, 5.0, 50.0]))
    expected = 0.01 / (2.0 * tau) * allan_variance_ou(TAUS[:, None], tau)
    found = gyroscope(TAUS, **figures)
    assert list(found) == ["white", "total"]
    np.testing.assert_allclose(found["white"] ** 2, expected, rtol=1e-9)
    np.testing.assert_allclose(gyroscope(TAUS, 1e-6, **figures)["white"] ** 2, expected, rtol=1e-3)
    # Over many correlation times it is white noise of the density given.
    np.testing.assert_allclose(gyroscope([1e7], **figures)["white"], 0.1 / 1e7**0.5, rtol=1e-6)


def test_behind_a_bandwidth_slow_samples_are_white_noise():
    # 5 Hz: from 1/(pi 5 Hz) = 63.7 ms on a sample is an average.
    for dt, is_white in ((0.0636, False), (0.0637, True)):
        found = gyroscope([20 * dt], dt, noise_density=0.1, bandwidth=5.0)["white"]
        ratio = found[0] / (0.1 / (20 * dt) ** 0.5)
        assert np.allclose(ratio, 1.0, rtol=1e-13) == is_white


def test_an_axis_without_bandwidth_beside_one_with_it():
    found = gyroscope(TAUS, 0.02, noise_density=0.1, bandwidth=[5.0, 0.0, 5.0])["white"]
    np.testing.assert_allclose(found[:, 1], 0.1 / np.sqrt(TAUS), rtol=1e-14)
    assert (found[:, 0] != found[:, 1]).all()


def test_rounding_is_noise_per_sample():
    found = gyroscope([0.1, 10.0], 0.1, resolution=[0.6, 0.0, 0.3], noise_density=0.2)
    assert list(found) == ["white", "resolution", "total"]
    expected = np.outer([1.0, 0.1], np.array([0.6, 0.0, 0.3]) / 12.0**0.5)
    np.testing.assert_allclose(found["resolution"], expected, rtol=1e-14)
    squares = found["white"] ** 2 + found["resolution"] ** 2
    np.testing.assert_allclose(found["total"] ** 2, squares, rtol=1e-14)
    assert "resolution" not in gyroscope([1.0], noise_density=0.2, resolution=0.6)


def test_averages_shorter_than_an_interval_are_refused():
    with pytest.raises(ParameterError, match=r"^taus = .*must not be shorter than dt, 0.1 s$"):
        gyroscope([0.05], 0.1, noise_density=0.2)
    assert gyroscope([3 * 0.1, 0.1 * 3], 0.3, noise_density=0.2)


@pytest.mark.parametrize("dt", [0.0, -1.0, math.nan, "fast"])
def test_an_interval_that_is_none_is_refused(dt):
    with pytest.raises(ParameterError, match=r"^dt = .*must be a finite time above 0 \[s\]"):
        gyroscope([1.0], dt, noise_density=0.2)


def test_the_variance_of_a_difference_is_what_the_filter_model_says():
    # Averages over adjacent spans: half the sum of their variances, less their covariance, which
    # is what the states at the end of the first mean for the second.
    triad = TriadSpec(
        noise_density=0.02,
        bandwidth=[3.0, 40.0, 0.0],
        resolution=0.01,
        random_walk=0.2,
        bias_stddev=0.3,
        bias_correlation_time=0.5,
        bias_instability=0.1,
    )
    theory = Theory.of(ImuSpec(triad, triad))
    for dt, count in ((0.01, 1), (0.01, 40), (0.5, 3)):
        first = theory.filter_model([dt] * count, 50.0, kind="averages")
        second = theory.filter_model([dt] * count, 50.0 + first.dt, kind="averages")
        into = first.measurement @ first.start.covariance @ first.transition.T
        shared = (into + first.cross_covariance) @ second.measurement.T
        half = 0.5 * (first.marginal_covariance + second.marginal_covariance) - shared
        found = theory.allan_deviation([count * dt], dt)["accelerometer"]["total"]
        np.testing.assert_allclose(np.diag(half)[:3], found[0] ** 2, rtol=1e-9)


# 300 series of 1024 samples of six axes. Adjacent differences are worth at least half their
# number: bounds on the variance 1.6 % at one sample, 13 % at 64. False alarms 1e-9 for each of
# some fifty comparisons.
SERIES, LENGTH = 300, 1024


def simulated(spec, dt, count, seed=51):
    """Return the Allan variances by axis of samples `dt` apart, shape (K,), and their worth."""
    model = ImuModel(spec, seed, (SERIES,))
    samples = model.run(np.full(LENGTH, dt), 0.0, 0.0).values
    return allan_variance(samples, count).mean(axis=0), SERIES * 0.5 * (LENGTH / count - 1.0)


BY_CAPTURE = {
    "bandwidth": TriadSpec(noise_density=0.02, bandwidth=[3.0, 40.0, 400.0]),
    "resolution": TriadSpec(noise_density=0.02, resolution=0.05),
    "integration time": TriadSpec(noise_density=0.02, integration_time=0.005),
    "per sample": TriadSpec(noise_stddev=[0.1, 0.2, 0.3], resolution=0.1),
}


@pytest.mark.parametrize("dt", [0.002, 0.02, 0.15])
@pytest.mark.parametrize("term", BY_CAPTURE)
def test_samples_have_the_allan_deviation_of_their_interval(term, dt):
    spec = ImuSpec(BY_CAPTURE[term])
    for count in (1, 8, 64):
        found, dof = simulated(spec, dt, count)
        expected = Theory.of(spec).allan_deviation([count * dt], dt)["gyroscope"]["total"][0]
        for axis in range(3):
            assert_variance(np.sqrt(found[axis]), expected[axis] ** 2, dof)


@pytest.mark.parametrize("band", [(0.1, 10.0), (1.0, 1000.0)])
def test_simulated_flicker_has_its_floor_over_the_band(band):
    # At 20 intervals to the start of the band, so that it reaches from 20 to more than 64.
    triad = TriadSpec(bias_instability=[0.1, 0.2, 0.3], bias_instability_band=band)
    for count in (20, 64):
        found, dof = simulated(ImuSpec(triad), band[0] / 20.0, count)
        low, high = (limit / dof for limit in chi_square_limits(dof))
        ratio = found[:3] / np.array([0.01, 0.04, 0.09])
        assert (low * 0.99**2 < ratio).all()
        assert (ratio < high * 1.01**2).all()


# A navigation grade: angle random walk 0.001 deg/sqrt(h), bias instability 0.003 deg/h.
HOUR, DEGREE = 3600.0, math.pi / 180.0
WALK = 0.001 * DEGREE / HOUR**0.5
FLOOR = 0.003 * DEGREE / HOUR
BAND = (100.0, 10000.0)


def angle_error(intervals, **figures):
    """Return the standard deviation of the angle after the intervals [deg], by axis."""
    record = Theory.of(ImuSpec(TriadSpec(**figures))).filter_model(intervals)
    return np.sqrt(np.diag(record.marginal_covariance)[3:]) / DEGREE


@pytest.mark.parametrize("intervals", [HOUR, np.full(1_440_000, 0.0025), [0.01, 3599.0, 0.99]])
def test_an_hour_of_angle_random_walk_is_what_its_figure_says(intervals):
    found = angle_error(intervals, noise_density=WALK)
    np.testing.assert_allclose(found, 0.001, rtol=1e-10)


def test_an_hour_of_bias_instability_is_the_mean_of_its_processes():
    times, sigmas = components(*BAND)
    variance = (FLOOR**2 * sigmas**2 * mean_variance(HOUR, times)).sum() * (HOUR / DEGREE) ** 2
    figures = {"bias_instability": FLOOR, "bias_instability_band": BAND}
    for intervals in (HOUR, np.full(360_000, 0.01)):
        np.testing.assert_allclose(angle_error(intervals, **figures) ** 2, variance, rtol=1e-9)
        both = angle_error(intervals, noise_density=WALK, **figures)
        np.testing.assert_allclose(both**2, 1e-6 + variance, rtol=1e-9)


@pytest.mark.parametrize("flicker", [0.0, FLOOR])
def test_navigation_sensors_integrate_to_the_angle_promised(flicker):
    # 18000 axes, an hour cut unevenly: bound on the variance 6.4 %; 4 comparisons at 1e-9.
    triad = TriadSpec(noise_density=WALK, bias_instability=flicker, bias_instability_band=BAND)
    intervals = np.random.default_rng(3).uniform(1.0, 90.0, 80)
    intervals *= HOUR / intervals.sum()
    model = ImuModel(ImuSpec(triad), 52, (6000,))
    angle = increments(model, intervals.tolist())[:, 3:] / DEGREE
    record = Theory.of(ImuSpec(triad)).filter_model(intervals)
    assert_variance(angle, np.diag(record.marginal_covariance)[3:] / DEGREE**2)
    if not flicker:
        assert_variance(angle, 0.001**2)
