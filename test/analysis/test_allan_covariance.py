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

import numpy as np
import pytest

from imu_noise_node.analysis.allan_covariance import covariance, covariance_forms
from imu_noise_node.analysis.allan_terms import TERMS, shapes

DT, COUNT, RUNS = 0.1, 1500, 1200
BAND = (1.0, 1000.0)
FACTORS = (1, 4, 16, 64)


def integrals(term: str, rng: np.random.Generator) -> np.ndarray:
    """Return runs of the integral of a term at a coefficient of 1, exact at the instants."""
    shape = (RUNS, COUNT + 1)
    if term == "quantization":
        return rng.standard_normal(shape)
    white = rng.standard_normal(shape) * np.sqrt(DT)
    if term == "noise_density":
        return np.cumsum(white, axis=1)
    walk = np.cumsum(white, axis=1) - white
    within = rng.standard_normal(shape) * np.sqrt(DT**3 / 12.0)
    return np.cumsum((walk + white / 2.0) * DT + within, axis=1)


def estimates(x: np.ndarray) -> np.ndarray:
    """Return overlapping Allan variances by their definition, shape (runs, factors)."""
    found = []
    for m in FACTORS:
        second = x[:, 2 * m :] - 2.0 * x[:, m:-m] + x[:, : -2 * m]
        found.append(np.mean(second**2, axis=1) / (2.0 * (m * DT) ** 2))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("term", ["quantization", "noise_density", "random_walk"])
def test_means_and_covariance_are_those_of_the_process(term):
    theta = np.array([name == term for name in TERMS], dtype=float)
    found = estimates(integrals(term, np.random.default_rng(3)))
    mean = shapes(np.array(FACTORS) * DT, BAND) @ theta
    expected = covariance(covariance_forms(FACTORS, COUNT, DT, BAND), theta)
    sigma = np.sqrt(np.diagonal(expected))
    # Means of 1200 runs scatter by sigma/sqrt(1200); 5.5 sigma is a false alarm in 2e7.
    assert np.abs((found.mean(axis=0) - mean) / sigma).max() < 5.5 / np.sqrt(RUNS)
    # A sample sigma scatters by about 1/sqrt(2 1200) = 2 %, more where there is excess kurtosis.
    np.testing.assert_allclose(found.std(axis=0), sigma, rtol=0.15)
    correlation = np.corrcoef(found.T)
    # One of a correlation by at most 1/sqrt(1200) = 2.9 %.
    assert np.abs(correlation - expected / np.outer(sigma, sigma)).max() < 5.5 / np.sqrt(RUNS)


def test_long_sums_in_steps_are_those_over_single_lags(monkeypatch):
    factors, theta = (32, 128), np.array([0.0, 1.0, 0.5, 0.3]) ** 2
    coarse = covariance(covariance_forms(factors, 4000, 0.01, BAND), theta)
    covariance_forms.cache_clear()
    monkeypatch.setattr("imu_noise_node.analysis.allan_covariance._RESOLUTION", 128)
    fine = covariance(covariance_forms(factors, 4000, 0.01, BAND), theta)
    np.testing.assert_allclose(coarse, fine, rtol=0.01)


def test_quantization_is_counted_at_single_lags(monkeypatch):
    theta = np.array([1.0, 0.0, 0.0, 0.0])
    coarse = covariance(covariance_forms((64,), 4000, 0.01, BAND), theta)
    covariance_forms.cache_clear()
    monkeypatch.setattr("imu_noise_node.analysis.allan_covariance._RESOLUTION", 64)
    fine = covariance(covariance_forms((64,), 4000, 0.01, BAND), theta)
    np.testing.assert_allclose(coarse, fine, rtol=1e-9)


def test_edges_are_the_degrees_of_freedom_of_theory():
    # White noise, non-overlapping at m = 1: edf = 2 avar^2/var, known in closed form. The second
    # differences have correlations 1, -1/2: sum of squares 1 + 2/4 over T - 1 of them.
    theta = np.array([0.0, 1.0, 0.0, 0.0])
    variance = covariance(covariance_forms((1,), COUNT, DT, BAND), theta)[0, 0]
    pairs = COUNT - 1
    exact = 2.0 / pairs**2 * (pairs + 2 * 0.25 * (pairs - 1)) / DT**2
    assert variance == pytest.approx(exact, rel=1e-9)
