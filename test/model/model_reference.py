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

"""The law of one Ornstein-Uhlenbeck process and of averages, written down a second time.

Nothing here is taken from the package: the formulas are the textbook ones, in decimal
arithmetic of so many digits that their cancellations do not matter.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import NamedTuple

import numpy as np

DIGITS = 90


class Triple(NamedTuple):
    """One interval of a process with q = 1: x_end = phi x + w, mean = h x + m."""

    phi: float
    h: float
    var_w: float
    cov: float
    var_m: float
    rest: float
    """Var m - Cov^2/Var w: what w leaves unsaid of m."""


def triple(dt: float, tau: float) -> Triple:
    """Return the law of an interval of `dt` [s] of a process with correlation time `tau` [s]."""
    with localcontext() as context:
        context.prec = DIGITS
        d, t = Decimal(dt), Decimal(tau)
        phi = (-d / t).exp()
        var_w = t / 2 * (1 - phi**2)
        cov = t**2 / (2 * d) * (1 - phi) ** 2
        var_m = t**2 / d**2 * (d - 2 * t * (1 - phi) + t / 2 * (1 - phi**2))
        values = (phi, (1 - phi) * t / d, var_w, cov, var_m, var_m - cov**2 / var_w)
        return Triple(*(float(v) for v in values))


def triple_by_quadrature(dt: float, tau: float) -> Triple:
    """Return the same from the covariance function, by Gauss-Legendre quadrature.

    Begun at zero, Cov(x(s), x(t)) = tau/2 (exp(-|t - s|/tau) - exp(-(t + s)/tau)) for q = 1.
    """
    nodes, weights = np.polynomial.legendre.leggauss(60)
    t, wt = 0.5 * dt * (1.0 + nodes), 0.5 * dt * weights
    # Over 0 < s < t < dt, where the covariance is smooth; the other half is the same by symmetry.
    s, ws = 0.5 * t[:, None] * (1.0 + nodes), 0.5 * t[:, None] * weights
    inner = (ws * covariance(s, t[:, None], tau)).sum(axis=1)
    var_m = 2.0 * (wt * inner).sum() / dt**2
    cov = (wt * covariance(t, dt, tau)).sum() / dt
    var_w = covariance(dt, dt, tau)
    h = (wt * np.exp(-t / tau)).sum() / dt
    return Triple(np.exp(-dt / tau), h, var_w, cov, var_m, var_m - cov**2 / var_w)


def covariance(s, t, tau):
    """Return Cov(x(s), x(t)) of a process begun at zero, q = 1."""
    return 0.5 * tau * (np.exp(-np.abs(t - s) / tau) - np.exp(-(t + s) / tau))


@np.vectorize
def mean_variance(span: float, tau: float) -> float:
    """Return the variance of the average over `span` [s] of a stationary process of variance 1."""
    with localcontext() as context:
        context.prec = DIGITS
        r = Decimal(span) / Decimal(tau)
        return float(2 / r**2 * (r - 1 + (-r).exp()))


@np.vectorize
def adjacent_covariance(span: float, tau: float) -> float:
    """Return the covariance of the averages over two adjacent spans, likewise."""
    with localcontext() as context:
        context.prec = DIGITS
        r = Decimal(span) / Decimal(tau)
        return float(((1 - (-r).exp()) / r) ** 2)


@np.vectorize
def allan_variance_ou(span: float, tau: float) -> float:
    """Return half the variance of the difference of the averages over two adjacent spans."""
    with localcontext() as context:
        context.prec = DIGITS
        r = Decimal(span) / Decimal(tau)
        return float(2 / r**2 * (r - 1 + (-r).exp()) - ((1 - (-r).exp()) / r) ** 2)
