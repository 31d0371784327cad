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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .figures import Figures

Array = NDArray[np.float64]

_SERIES = (1.0 / 3.0, -2.0 / 15.0, 17.0 / 315.0, -62.0 / 2835.0, 1382.0 / 155925.0)
"""(1 - tanh(y)/y)/y = y (c0 + c1 y^2 + ...), y = a/2."""

_SERIES_LIMIT = 0.1


class Law(NamedTuple):
    """The discrete law of all processes over one interval.

    Attributes
    ----------
    keep, kick, gain : ndarray, shape (P, *batch, K)
        phi; the standard deviation of w [u]; t/a.
    variance : ndarray, shape (*batch, K)
        Of white noise and all r together [u^2].
    """

    keep: Array
    kick: Array
    gain: Array
    variance: Array


def exact_law(figures: Figures, dt: float) -> Law:
    """Return the law for an interval of `dt` [s] from the closed forms."""
    y = dt * figures.half_rate
    t = np.tanh(y)
    one_plus = 1.0 + t
    series = np.zeros_like(y)
    for c in reversed(_SERIES):
        series = series * (y * y) + c
    closed = (1.0 - t / y) / y
    rest = figures.sigma**2 * np.where(y < _SERIES_LIMIT, series * y, closed)
    window = np.minimum(figures.integration_time, dt)
    white = figures.density**2 / window + figures.per_sample**2
    return Law(
        keep=(1.0 - t) / one_plus,
        kick=(2.0 * figures.sigma) * np.sqrt(t) / one_plus,
        gain=0.5 * t / y,
        variance=white + np.add.reduce(rest, axis=0),
    )


class Coefficients:
    """The law of one interval, white noise included.

    Attributes
    ----------
    dt : float
        [s]
    keep, kick, gain : ndarray, shape (P, *batch, K)
        As in `Law`.
    noise : ndarray, shape (*batch, K)
        Standard deviation [u] of white noise and remainders together.
    factor : ndarray, shape (*batch, K, K), or None
        Lower triangular factor of their covariance where axes are correlated.
    scale : ndarray, shape (1 + P, *batch, K)
        What the normals of a capture are multiplied with: `noise` and `kick`. Correlated noise
        is left to `factor`.
    """

    __slots__ = (
        "_fresh",
        "_hold",
        "_rounding",
        "dt",
        "factor",
        "gain",
        "keep",
        "kick",
        "noise",
        "scale",
    )

    def __init__(self, figures: Figures, law: Law, dt: float) -> None:
        self.dt = dt
        self.keep, self.kick, self.gain, variance = law
        if figures.labels:
            self.noise: Array = np.sqrt(variance)
        else:
            # Without a detour over variances a density and a sigma per sample that mean the same
            # give the same bits.
            window = np.minimum(figures.integration_time, dt)
            self.noise = figures.density / np.sqrt(window) + figures.per_sample
        self.factor = None
        if figures.covariance is not None:
            self.factor = _cholesky(_correlated(figures, dt) + diagonal(self.noise**2))
        shape = np.broadcast_shapes(self.noise.shape, self.kick.shape[1:])
        self.scale: Array = np.ones((1 + len(self.kick), *shape))
        self.scale[1:] = self.kick
        if self.factor is None:
            self.scale[0] = self.noise
        self._rounding = figures.resolution
        self._hold: Array | None = None
        self._fresh: Array | None = None

    @property
    def hold(self) -> Array:
        """(1 - phi)/a: what the mean keeps of the state at the interval's start."""
        if self._hold is None:
            self._hold = self.gain * (1.0 + self.keep)
        return self._hold

    @property
    def fresh_covariance(self) -> Array:
        """Covariance [u^2] of what is new in a sample, rounding included; (*batch, K, K)."""
        if self._fresh is None:
            fresh = np.add.reduce((self.gain * self.kick) ** 2, axis=0) + self._rounding**2 / 12.0
            if self.factor is None:
                self._fresh = diagonal(self.noise**2 + fresh)
            else:
                noise = self.factor @ np.swapaxes(self.factor, -1, -2)
                self._fresh = noise + diagonal(fresh)
        return self._fresh


def diagonal(variances: Array) -> Array:
    """Return matrices of shape (..., K, K) with `variances`, shape (..., K), on the diagonal."""
    return variances[..., :, None] * np.eye(variances.shape[-1])


def _correlated(figures: Figures, dt: float) -> Array:
    assert figures.covariance is not None
    root = np.sqrt(np.minimum(figures.integration_time, dt))
    scaled: Array = figures.covariance / (root[..., :, None] * root[..., None, :])
    return scaled


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
        usable = rest[..., 0] > floor
        divisor = np.where(usable, np.sqrt(np.maximum(rest[..., 0], 0.0)), 1.0)
        factor[..., j:, j] = np.where(usable[..., None], rest / divisor[..., None], 0.0)
    return factor
