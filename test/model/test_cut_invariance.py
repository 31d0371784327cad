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

"""The law of an average over a span does not depend on how many captures it was cut into.

First by algebra, from the coefficients that the sampler uses; then by sampling. Expected
variances are those of the average over T of the continuous processes (`model_reference`).
"""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import adjacent_covariance, mean_variance
from model_statistics import assert_covariance, assert_variance

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.coefficients import exact_law
from imu_noise_node.model.discretisation import Discretisation
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.flicker import components

SPAN = 1.0
WHITE, WALK, SIGMA, TAU, FLOOR = 0.3, 0.4, 0.5, 0.8, 0.6
BAND = (0.2, 20.0)
TERMS = {
    "white": {"noise_density": WHITE},
    "walk": {"random_walk": WALK},
    "gauss-markov": {"bias_stddev": SIGMA, "bias_correlation_time": TAU},
    "flicker": {"bias_instability": FLOOR, "bias_instability_band": BAND},
}
TERMS["all"] = {name: value for figures in list(TERMS.values()) for name, value in figures.items()}


def jittered(count: int):
    """Intervals of one span, the longest some ten times the shortest."""
    intervals = np.random.default_rng(count).uniform(0.1, 1.0, count)
    return intervals * (SPAN / intervals.sum())


CUTS = {
    "1": np.full(1, SPAN),
    "7": np.full(7, SPAN / 7.0),
    "100": np.full(100, SPAN / 100.0),
    "1000": np.full(1000, SPAN / 1000.0),
    "9 jittered": jittered(9),
    "250 jittered": jittered(250),
    "long and short": np.array([0.9, *np.full(100, 1e-3)]),
}


def in_theory(term: str) -> tuple[float, float, float]:
    """Variance of the average over the first span and over the second, and their covariance."""
    walk = (WALK**2 * SPAN / 3.0, WALK**2 * SPAN * 4.0 / 3.0, WALK**2 * SPAN / 2.0)
    times, sigmas = components(*BAND)
    stationary = {
        "gauss-markov": (np.array([TAU]), np.array([SIGMA])),
        "flicker": (times, FLOOR * sigmas),
    }
    terms = {"white": (WHITE**2 / SPAN, WHITE**2 / SPAN, 0.0), "walk": walk}
    for name, (taus, deviations) in stationary.items():
        variance = (deviations**2 * mean_variance(SPAN, taus)).sum()
        adjacent = (deviations**2 * adjacent_covariance(SPAN, taus)).sum()
        terms[name] = (variance, variance, adjacent)
    if term == "all":
        return tuple(np.sum(list(terms.values()), axis=0).tolist())
    return terms[term]


def by_algebra(laws, intervals, figures) -> tuple[float, float, float]:
    """Carry the covariance of state and integral through the captures; return that of averages.

    One pass per span; `x` is Var state, `s` Var integral, `c` their covariance, `p` the
    covariance of the state with the first span's integral.
    """
    start = np.where(figures.is_walk[:, None], 0.0, figures.sigma**2)
    x, found, p = start, [], np.zeros_like(start)
    for span in range(2):
        c, s = np.zeros_like(x), np.zeros(6)
        product = np.zeros(6)
        for dt in intervals.tolist():
            law = laws(dt)
            hold, kick = law.gain * (1.0 + law.keep), law.kick**2
            fresh = (law.gain**2 * kick).sum(axis=0) + law.noise**2
            s = s + (2.0 * dt * hold * c + dt**2 * hold**2 * x).sum(axis=0) + dt**2 * fresh
            c = law.keep * c + dt * (law.keep * hold * x + law.gain * kick)
            x = law.keep**2 * x + kick
            if span == 1:
                product = product + dt * (hold * p).sum(axis=0)
                p = law.keep * p
        p = c if span == 0 else p
        found.append(s[0] / SPAN**2)
    return found[0], found[1], product[0] / SPAN**2


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("term", TERMS)
def test_by_algebra_variances_and_covariance_are_those_of_theory(term, cut):
    triad = TriadSpec(**TERMS[term])
    figures = compile_spec(ImuSpec(triad, triad))
    found = by_algebra(Discretisation(figures).at, CUTS[cut], figures)
    # A thousand rounded additions, and the series of the rest good to 2e-12.
    assert found == pytest.approx(in_theory(term), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("term", TERMS)
def test_an_interval_is_the_two_halves_of_it(term):
    figures = compile_spec(ImuSpec(TriadSpec(**TERMS[term])))
    for dt in (1e-4, 0.3, 40.0):
        whole, half = exact_law(figures, dt), exact_law(figures, dt / 2.0)
        np.testing.assert_allclose(half.keep**2, whole.keep, rtol=1e-12, atol=1e-16)
        np.testing.assert_allclose(
            (1.0 + half.keep**2) * half.kick**2, whole.kick**2, rtol=1e-13, atol=1e-300
        )


def averages(model, intervals):
    """Weighted by dt, as samples of different length must be; of two spans."""
    found = []
    for _ in range(2):
        total = 0.0
        for dt in intervals.tolist():
            total = total + dt * model.step(dt, 0.0, 0.0).values
        found.append(total / SPAN)
    return found


# Members; each has six axes. The bound on a variance is 6.1 sqrt(2/n) of it: 2.5 % for one
# capture (n = 120000), 4.0 % (48000), 6.4 % (18000), 12 % (4800) for a thousand.
MEMBERS = {"1": 20000, "7": 8000, "9 jittered": 8000, "100": 3000, "1000": 800}


@pytest.mark.parametrize("cut", MEMBERS)
@pytest.mark.parametrize("term", TERMS)
def test_by_sampling_variances_and_covariance_are_those_of_theory(term, cut):
    # Three comparisons, false alarms 1e-9 each.
    triad = TriadSpec(**TERMS[term])
    model = ImuModel(ImuSpec(triad, triad), 2, (MEMBERS[cut],))
    first, second = averages(model, CUTS[cut])
    v1, v2, covariance = in_theory(term)
    assert_variance(first, v1)
    assert_variance(second, v2)
    assert_covariance(first, second, covariance, (v1**0.5, v2**0.5))


@pytest.mark.parametrize("count", [1, 7, 100])
@pytest.mark.parametrize("walk", [0.0, 0.02])
def test_noise_per_sample_averages_out_with_the_number_of_captures(count, walk):
    # sigma^2/n instead of N^2/T; 18000 averages, bound 6.4 %, false alarms 1e-9.
    triad = TriadSpec(noise_stddev=0.3, random_walk=walk)
    first, _ = averages(ImuModel(ImuSpec(triad, triad), 2, (3000,)), np.full(count, SPAN / count))
    assert_variance(first, 0.09 / count + walk**2 * SPAN / 3.0)


@pytest.mark.parametrize(("count", "window"), [(1, 0.02), (10, 0.02), (50, 0.02), (200, 0.005)])
def test_a_sensor_that_integrates_shortly_gains_nothing_from_slow_reading(count, window):
    # n samples of N^2/min(dt, 0.02): N^2/T only where they cover the span.
    # 18000 averages, bound 6.4 %, false alarms 1e-9.
    triad = TriadSpec(noise_density=WHITE, integration_time=0.02)
    first, _ = averages(ImuModel(ImuSpec(triad, triad), 2, (3000,)), np.full(count, SPAN / count))
    assert_variance(first, WHITE**2 / window / count)
