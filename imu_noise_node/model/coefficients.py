"""What the bank multiplies with over a capture interval of length dt.

Each process obeys dx = -x/tau dt + q dW, and a sample contains its mean over the interval. With
a = dt/tau, phi = exp(-a) and t = tanh(a/2), the exact discrete law reads

    x_end = phi x + w                 Var w = q^2 tau/2 (1 - phi^2)
    mean  = t/a (x + x_end) + r       Var r = q^2 tau (a - 2 t)/a^2,  r independent of x and w

which is the familiar triple (Var w, Cov(w, mean), Var mean) of the integrated process (van Loan,
IEEE TAC 23(3), 1978) with the mean split into what the end points say and an independent rest.
Written with tanh, only Var r cancels, and for a < 0.2 its series is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .figures import Figures

Array = NDArray[np.float64]

_SERIES = (1.0 / 3.0, -2.0 / 15.0, 17.0 / 315.0, -62.0 / 2835.0, 1382.0 / 155925.0)
"""(1 - tanh(y)/y)/y = y (c0 + c1 y^2 + ...), y = a/2."""

_SERIES_LIMIT = 0.1


class Remainder:
    """The variance of all remainders r together, as a function of dt.

    Parameters
    ----------
    figures : Figures
    """

    def __init__(self, figures: Figures) -> None:
        self._half_rate = figures.half_rate
        self._variance = figures.sigma**2
        # For short intervals the sum over the processes is done once, leaving a polynomial.
        self._terms = [
            (c * self._variance * self._half_rate ** (2 * j + 1)).sum(axis=0)
            for j, c in enumerate(_SERIES)
        ]
        fastest = self._half_rate.max(initial=0.0, where=figures.sigma > 0.0)
        self._short = _SERIES_LIMIT / fastest if fastest > 0.0 else np.inf

    def variance(self, dt: float) -> Array:
        """Return the variance [u^2], shape (*batch, K), for an interval of `dt` [s]."""
        if dt < self._short:
            c0, c1, c2, c3, c4 = self._terms
            d = dt * dt
            polynomial: Array = ((((c4 * d + c3) * d + c2) * d + c1) * d + c0) * dt
            return polynomial
        y = dt * self._half_rate
        series = np.zeros_like(y)
        for c in reversed(_SERIES):
            series = series * (y * y) + c
        closed = (1.0 - np.tanh(y) / y) / y
        per_process = self._variance * np.where(y < _SERIES_LIMIT, series * y, closed)
        total: Array = per_process.sum(axis=0)
        return total


@dataclass(frozen=True)
class Coefficients:
    """The figures of one interval length.

    Attributes
    ----------
    dt : float
        [s]
    keep, kick, gain : ndarray, shape (P, *batch, K)
        phi; the standard deviation of w [u]; t/a.
    noise : ndarray, shape (*batch, K)
        Standard deviation [u] of white noise and remainders together.
    factor : ndarray, shape (*batch, K, K), or None
        Lower triangular factor of their covariance where axes are correlated.
    rounding : ndarray, shape (*batch, K)
        Variance of rounding to the resolution [u^2].
    """

    dt: float
    keep: Array
    kick: Array
    gain: Array
    noise: Array
    factor: Array | None
    rounding: Array

    @cached_property
    def hold(self) -> Array:
        """(1 - phi)/a: what the mean keeps of the state at the interval's start."""
        return self.gain * (1.0 + self.keep)

    @cached_property
    def fresh_covariance(self) -> Array:
        """Covariance [u^2] of what is new in a sample, shape (*batch, K, K)."""
        innovation = ((self.gain * self.kick) ** 2).sum(axis=0) + self.rounding
        if self.factor is None:
            return diagonal(self.noise**2 + innovation)
        return self.factor @ np.swapaxes(self.factor, -1, -2) + diagonal(innovation)


def coefficients(figures: Figures, remainder: Remainder, dt: float) -> Coefficients:
    """Return the exact coefficients for an interval of `dt` [s]."""
    y = dt * figures.half_rate
    t = np.tanh(y)
    one_plus = 1.0 + t
    window = np.minimum(figures.integration_time, dt)
    white = figures.density / np.sqrt(window) + figures.per_sample
    rest = remainder.variance(dt)
    factor = None
    if figures.covariance is not None:
        root = np.sqrt(window)
        correlated = figures.covariance / (root[..., :, None] * root[..., None, :])
        factor = _cholesky(correlated + diagonal(white * white + rest))
    return Coefficients(
        dt=dt,
        keep=(1.0 - t) / one_plus,
        kick=(2.0 * figures.sigma) * np.sqrt(t) / one_plus,
        gain=0.5 * t / y,
        noise=np.sqrt(white * white + rest),
        factor=factor,
        rounding=figures.resolution**2 / 12.0,
    )


def diagonal(variances: Array) -> Array:
    """Return matrices of shape (..., K, K) with `variances`, shape (..., K), on the diagonal."""
    return variances[..., :, None] * np.eye(variances.shape[-1])


def _cholesky(matrix: Array) -> Array:
    """Return the lower triangular factor of positive semidefinite matrices, shape (..., K, K).

    Unlike LAPACK's it takes singular ones: an axis that the ones before it explain gets a zero
    column.
    """
    size = matrix.shape[-1]
    factor = np.zeros_like(matrix)
    for j in range(size):
        rest = matrix[..., j:, j] - (factor[..., j:, :j] * factor[..., j, None, :j]).sum(axis=-1)
        # What is left of an axis is zero up to rounding when the earlier axes determine it.
        floor = 1e-14 * matrix[..., j, j]
        pivot = np.sqrt(np.maximum(rest[..., 0], 0.0))
        usable = rest[..., 0] > floor
        divisor = np.where(usable, pivot, 1.0)
        factor[..., j:, j] = np.where(usable[..., None], rest / divisor[..., None], 0.0)
    return factor
