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

"""How uncertain overlapping Allan variances are, and how they hang together.

Estimates at neighbouring averaging times share their data, and those at long times have few
independent differences behind them. For Gaussian noise both follow from the second differences

    z_i(k) = (x_{k+2m} - 2 x_{k+m} + x_k) / (sqrt(2) tau_i),     avar_i = mean over k of z_i(k)^2

since Cov(z^2, z'^2) = 2 Cov(z, z')^2 (Isserlis):

    Cov(avar_i, avar_j) = 2/(M_i M_j) * sum over k, l of Cov(z_i(k), z_j(l))^2

The covariance of the z is linear in the squared coefficients theta of the terms, so the sum is a
quadratic form theta^T G_ij theta. G is computed once for a set of averaging times.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .allan_terms import TERMS, Array, generalised_covariances

_RESOLUTION = 16
"""Lags per shorter averaging time at which long sums are taken; the covariance is smooth."""

_FARTHEST = 256
"""Ratio of averaging times above which the estimates are taken for independent.

The correlation falls as the ratio to the power -1.5, and is below 0.1 % here.
"""

_TAIL = 3
"""Longer averaging times that a sum goes on for where flicker alone is still correlated."""


@lru_cache(maxsize=4)
def covariance_forms(
    factors: tuple[int, ...], count: int, dt: float, band: tuple[float, float]
) -> Array:
    """Return G for averaging times of so many intervals.

    Parameters
    ----------
    factors : tuple of int, length n
        Powers of two, ascending.
    count : int
        Samples in the record.
    dt : float
        Interval between them [s].
    band : tuple of float
        See `allan_terms.shapes`.

    Returns
    -------
    ndarray, shape (n, n, 4, 4)
        Not to be written to: who asks again gets it again.
    """
    n = len(factors)
    forms = np.zeros((n, n, len(TERMS), len(TERMS)))
    for i, short in enumerate(factors):
        for j in range(i, n):
            if factors[j] <= _FARTHEST * short:
                forms[i, j] = forms[j, i] = _form(short, factors[j], count, dt, band)
    forms.flags.writeable = False
    return forms


def covariance(forms: Array, theta: Array) -> Array:
    """Return the covariance of the Allan variances for squared coefficients `theta`.

    Parameters
    ----------
    forms : ndarray, shape (n, n, 4, 4)
    theta : ndarray, shape (4,)

    Returns
    -------
    ndarray, shape (n, n)
    """
    found: Array = theta @ forms @ theta
    return found


def _form(short: int, long: int, count: int, dt: float, band: tuple[float, float]) -> Array:
    """Return G_ij; the sum over k and l goes by their difference, in steps of `step`."""
    step = max(1, short // _RESOLUTION)
    first, last = -(2 + _TAIL) * long, 2 * short + _TAIL * long
    # s is needed from l - k - 2 short to l - k + 2 long.
    lags = np.arange(first - 2 * short, last + 2 * long + step, step, dtype=np.float64)
    s = generalised_covariances(lags * dt, band)
    c = _second_difference(_second_difference(s, short // step), long // step)
    c /= 2.0 * short * long * dt**2
    difference = lags[2 * short // step :][: c.shape[1]]
    ours, theirs = count + 1 - 2 * short, count + 1 - 2 * long
    pairs = np.minimum(ours, theirs - difference) - np.maximum(0.0, -difference)
    sums = (c * np.maximum(pairs, 0.0)) @ c.T
    # White x, the first term, is correlated at single lags, which are no samples of a curve.
    width = np.full(sums.shape, float(step))
    width[0, :] = width[:, 0] = 1.0
    found: Array = 2.0 * width * sums / (float(ours) * theirs)
    return found


def _second_difference(values: Array, step: int) -> Array:
    """Return v_{k+2s} - 2 v_{k+s} + v_k along the last axis."""
    return values[:, 2 * step :] - 2.0 * values[:, step:-step] + values[:, : -2 * step]
