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

"""The four terms of an Allan variance, each with its shape and its law.

    AVAR(tau) = 3 Q^2/tau^2 + N^2/tau + B^2 F(tau) + K^2 tau/3

(IEEE Std 952, annex C). F is the flicker of our own error model: 1 within the band over which the
bias instability is flat, falling on either side. So what is fitted is what a profile with these
figures has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model.flicker import allan_variance_ou, components

Array = NDArray[np.float64]

TERMS = ("quantization", "noise_density", "bias_instability", "random_walk")
"""Q [u s], N [u/sqrt(Hz)], B [u] and K [u/s/sqrt(Hz)], in the order of all arrays here."""

LETTERS = dict(zip(TERMS, "QNBK", strict=True))


def shapes(taus: Array, band: tuple[float, float]) -> Array:
    """Return the Allan variance of each term at a coefficient of 1.

    Parameters
    ----------
    taus : ndarray, shape (n,)
        Averaging times [s].
    band : tuple of float
        Shortest and longest averaging time [s] over which the bias instability is flat.

    Returns
    -------
    ndarray, shape (n, 4)
        A column for each of `TERMS`, in units of its coefficient squared.
    """
    times, sigmas = components(*band)
    flicker = allan_variance_ou(taus[:, None], times) @ sigmas**2
    return np.stack([3.0 / taus**2, 1.0 / taus, flicker, taus / 3.0], axis=1)


def generalised_covariances(lags: Array, band: tuple[float, float]) -> Array:
    """Return the generalised autocovariance of the integral of each term at a coefficient of 1.

    The integral x of a term is not stationary, but its second differences are, and their
    covariances follow from a function s as if s were the autocovariance of x (Greenhall and Riley,
    "Uncertainty of stability variances based on finite differences", PTTI 2003):

        Q: 1 at 0, else 0      N: -|t|/2      K: |t|^3/12
        B: -sum of sigma^2 T^2 (r - 1 + exp(-r)), r = |t|/T, over the processes of the flicker

    Parameters
    ----------
    lags : ndarray, shape (n,)
        [s]

    Returns
    -------
    ndarray, shape (4, n)
    """
    t = np.abs(lags)
    times, sigmas = components(*band)
    flicker = np.zeros_like(t)
    for time, sigma in zip(times, sigmas, strict=True):
        flicker -= (sigma * time) ** 2 * (t / time + np.expm1(-t / time))
    return np.stack([np.where(t == 0.0, 1.0, 0.0), -t / 2.0, flicker, t**3 / 12.0])
