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

"""Allan variances of the terms of a spec."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from .figures import Figures
from .flicker import allan_variance_ou
from .theory_filter import white_covariance

Array = NDArray[np.float64]

_SERIES_LIMIT = 1e-3


def check_times(taus: object, times: Array, dt: float | None) -> None:
    """Raise ParameterError unless `times`, given as `taus`, can be averaging times.

    Parameters
    ----------
    taus : array_like
    times : ndarray
        [s]
    dt : float, optional
        Interval between captures [s].
    """
    if times.ndim != 1 or not ((times > 0.0) & (times < math.inf)).all():
        raise ParameterError("taus", taus, "must be finite times above 0 [s], shape (n,)")
    # A whole number of intervals may come out a little shorter by rounding.
    if dt is not None and (times < dt * (1.0 - 1e-9)).any():
        raise ParameterError("taus", taus, f"must not be shorter than dt, {dt:g} s")


def allan_variances(figures: Figures, tau: Array, dt: float | None) -> dict[str, Array]:
    """Return the Allan variance [u^2] by term, each of a shape that broadcasts to (n, *batch, K).

    Parameters
    ----------
    figures : Figures
    tau : ndarray, shape (n, 1, ..., 1)
        Averaging times [s].
    dt : float, optional
        Interval between captures [s].

    Raises
    ------
    ParameterError
        `dt` is missing where it matters.
    """
    variances = {"white": _white(figures, tau, dt)}
    for effect, rows in figures.effects.items():
        found = _processes(figures, effect, rows, tau, dt)
        if effect == "band_limited":
            variances["white"] = variances["white"] + found
        else:
            variances[effect] = found
    if dt is not None:
        variances["resolution"] = figures.resolution**2 / 12.0 * dt / tau
    return variances


def allan_variance_sampled(tau: Array, correlation_time: Array, dt: float) -> Array:
    """Return the Allan variance of samples of an Ornstein-Uhlenbeck process of unit variance.

    Averages of m = tau/dt samples with correlation phi^|i - j| between them, phi = exp(-dt/T).
    Half the variance of the difference of two adjacent ones is, the geometric sums worked out,

        [m (1 + phi)/(1 - phi) - phi (1 - phi^m)(3 - phi^m)/(1 - phi)^2] / m^2

    which for m -> infinity is `allan_variance_ou`. Exact for whole m, smooth between them. Where
    tau/T is small it cancels, and its expansion in r = tau/T is used.

    Parameters
    ----------
    tau, correlation_time : ndarray
        Of shapes that broadcast [s].
    dt : float
        Between samples [s].
    """
    r = np.asarray(tau / correlation_time, dtype=np.float64)
    m = tau / dt
    u = 1.0 / m**2
    cubic = (1.0 + (1.0 - u) / 2.0 - (1.0 - u) * (3.0 - 2.0 * u) / 30.0) / 6.0
    series = r * ((2.0 + u) / 3.0 - r * (0.5 - r * (cubic - r * (2.0 - u) / 24.0)))
    safe = np.maximum(r, _SERIES_LIMIT)
    a = safe / m
    left = -np.expm1(-a)
    gone = -np.expm1(-safe)
    closed = ((2.0 - left) / left - np.exp(-a) * gone * (2.0 + gone) / (m * left**2)) / m
    return np.where(r < _SERIES_LIMIT, series, closed)


def _white(figures: Figures, tau: Array, dt: float | None) -> Array:
    if dt is not None:
        per_capture = np.diagonal(white_covariance(figures, dt), axis1=-2, axis2=-1)
        white: Array = per_capture * (dt / tau)
        return white
    if figures.per_sample.any() or np.isfinite(figures.integration_time).any():
        raise ParameterError(
            "dt", dt, "must be given where noise is per sample or integration_time is set"
        )
    density: Array = figures.density**2
    if figures.covariance is not None:
        density = density + np.diagonal(figures.covariance, axis1=-2, axis2=-1)
    return density / tau


def _processes(figures: Figures, effect: str, rows: slice, tau: Array, dt: float | None) -> Array:
    sigma, half_rate = figures.sigma[rows], figures.half_rate[rows]
    total = np.zeros(np.broadcast_shapes(tau.shape, sigma.shape[1:]))
    for s, rate in zip(sigma, half_rate, strict=True):
        if effect == "random_walk":
            # q^2 tau/3 with q^2 = sigma^2 2/tau_0 = sigma^2 4 (1/(2 tau_0))
            total += s**2 * 4.0 * rate * tau / 3.0
        elif effect == "band_limited" and dt is not None:
            # Over longer intervals it is white, and part of `white_covariance`.
            sampled = s**2 * allan_variance_sampled(tau, 0.5 / rate, dt)
            total += np.where(dt <= figures.band_limit, sampled, 0.0)
        else:
            total += s**2 * allan_variance_ou(tau, 0.5 / rate)
    return total
