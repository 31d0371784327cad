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

"""Bounds for numbers estimated from samples, each with its false-alarm rate.

Every test draws from fixed seeds, so that it passes always or never; the rates say how likely
correct code would have failed when the seeds were chosen. One comparison has ALARM, all the
comparisons of these tests together (fewer than a thousand) less than 1e-6.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

ALARM = 1e-9
Z = -NormalDist().inv_cdf(ALARM / 2.0)
"""6.1: a normal estimate is farther off than so many of its deviations with probability ALARM."""


def chi_square_limits(dof: float) -> tuple[float, float]:
    """Return what a chi-square variable with `dof` degrees of freedom stays between.

    Wilson and Hilferty's cube: its quantiles are good to a part in a thousand from dof 100 on.
    """
    spread = 2.0 / (9.0 * dof)
    low, high = (dof * (1.0 - spread + z * spread**0.5) ** 3 for z in (-Z, Z))
    return low, high


def assert_variance(samples, expected, dof: float | None = None) -> None:
    """Check the mean square of samples of mean zero against theory.

    Parameters
    ----------
    samples : array_like
        Normally distributed.
    expected : array_like
        Variance of each, broadcasting with `samples`.
    dof : float, optional
        How many independent samples they are worth; all of them by default.
    """
    ratio = np.mean(np.square(samples) / expected)
    dof = np.size(samples) if dof is None else dof
    low, high = (limit / dof for limit in chi_square_limits(dof))
    assert low < ratio < high, f"{ratio:.5f} of theory, allowed {low:.5f} to {high:.5f}"


def assert_covariance(first, second, expected: float, deviations: tuple[float, float]) -> None:
    """Check the mean product of pairs of normal samples, given their standard deviations.

    The product of two such has variance s1^2 s2^2 + expected^2.
    """
    product = np.multiply(first, second)
    s1, s2 = deviations
    bound = Z * ((s1 * s2) ** 2 + expected**2) ** 0.5 / product.size**0.5
    found = product.mean()
    assert abs(found - expected) < bound, f"{found:.4g}, theory {expected:.4g} +- {bound:.2g}"


def assert_uncorrelated(series) -> None:
    """Check that neighbours along axis 0 of white series are uncorrelated: sd 1/sqrt(n)."""
    products = series[1:] * series[:-1]
    found = products.mean() / np.mean(np.square(series))
    assert abs(found) < Z / products.size**0.5, f"lag-1 autocorrelation {found:.4f}"


def allan_variance(samples, count: int):
    """Return the overlapping Allan variance along axis 0 at `count` samples per average."""
    sums = np.cumsum(samples, axis=0)
    sums = np.concatenate([np.zeros_like(sums[:1]), sums])
    means = (sums[count:] - sums[:-count]) / count
    return 0.5 * np.mean((means[count:] - means[:-count]) ** 2, axis=0)
