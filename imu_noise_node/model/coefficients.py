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

"""What the bank multiplies with over a capture interval of length dt.

Each process obeys dx = -x/tau dt + q dW, and a sample contains its mean over the interval. With
a = dt/tau, phi = exp(-a) and t = tanh(a/2), the exact discrete law reads

    x_end = phi x + w                 Var w = q^2 tau/2 (1 - phi^2)
    mean  = t/a (x + x_end) + r       Var r = q^2 tau (a - 2 t)/a^2,  r independent of x and w

which is the familiar triple (Var w, Cov(w, mean), Var mean) of the integrated process (van Loan,
IEEE TAC 23(3), 1978) with the mean split into what the end points say and an independent rest.
Written with tanh, only Var r cancels, and for a < 0.2 its series is used.

Of noise behind a first-order low-pass a sample contains the value at the interval's end, as a
sensor does that is read faster than its filter reacts. Above 1/(pi f_c), where the average over
the interval has the smaller variance, N^2/dt against N^2 pi f_c, it contains that average.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cholesky import lower_factor
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
    series, small = np.zeros_like(y), np.minimum(y, _SERIES_LIMIT)
    for c in reversed(_SERIES):
        series = series * (small * small) + c
    closed = (1.0 - t / y) / y
    rest = figures.sigma**2 * np.where(y < _SERIES_LIMIT, series * y, closed)
    gain = 0.5 * t / y
    if figures.is_band_limited:
        rest[-1] = 0.0
        gain[-1] = dt <= figures.band_limit
    return Law(
        keep=(1.0 - t) / one_plus,
        kick=(2.0 * figures.sigma) * np.sqrt(t) / one_plus,
        gain=gain,
        variance=white_variance(figures, dt) + np.add.reduce(rest, axis=0),
    )


def band_law(figures: Figures, dt: float) -> Law:
    """Return `exact_law` of noise that the bandwidth limits and nothing else, in a third of it.

    Parameters
    ----------
    figures : Figures
        With one process, and without white noise of their own.
    dt : float
        [s]
    """
    t = np.tanh(dt * figures.half_rate)
    one_plus = 1.0 + t
    is_short = dt <= figures.band_limit
    gain = np.empty_like(t)
    gain[-1] = is_short
    return Law(
        keep=(1.0 - t) / one_plus,
        kick=(2.0 * figures.sigma) * np.sqrt(t) / one_plus,
        gain=gain,
        variance=np.where(is_short, 0.0, figures.band_density**2 / dt),
    )


def white_variance(figures: Figures, dt: float) -> Array:
    """Return the variance [u^2] that white noise has in a sample, shape (*batch, K)."""
    window = np.minimum(figures.integration_time, dt)
    variance: Array = figures.density**2 / window + figures.per_sample**2
    if figures.is_band_limited:
        variance = variance + np.where(dt > figures.band_limit, figures.band_density**2 / dt, 0.0)
    return variance


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
        "_figures",
        "_fresh",
        "_hold",
        "_share",
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
            self.factor = lower_factor(correlated(figures, dt) + diagonal(self.noise**2))
        shape = np.broadcast_shapes(self.noise.shape, self.kick.shape[1:])
        self.scale: Array = np.ones((1 + len(self.kick), *shape))
        self.scale[1:] = self.kick
        if self.factor is None:
            self.scale[0] = self.noise
        self._figures = figures
        self._hold: Array | None = None
        self._share: Array | None = None
        self._fresh: Array | None = None

    @property
    def hold(self) -> Array:
        """(1 - phi)/a: what the mean keeps of the state at the interval's start.

        Zero for noise that the bandwidth limits: it is no bias.
        """
        if self._hold is None:
            self._hold = self.gain * (1.0 + self.keep)
            if self._figures.is_band_limited:
                self._hold[-1] = 0.0
        return self._hold

    @property
    def innovation(self) -> Array:
        """Standard deviation [u] of what each process adds to a sample; (P, *batch, K).

        Of noise that the bandwidth limits it is all of it, and not only what is new.
        """
        added = self.gain * self.kick
        if self._figures.is_band_limited:
            added[-1] = self.gain[-1] * self._figures.sigma[-1]
        return added

    @property
    def fresh_covariance(self) -> Array:
        """Covariance [u^2] of what is new in a sample, rounding included; (*batch, K, K)."""
        if self._fresh is None:
            self._fresh = self._covariance(None)
        return self._fresh

    def heat(self, factor: Array) -> tuple[Array, Array]:
        """Return what multiplies noise when temperature multiplies the white noise by `factor`.

        The normals of white noise also stand for the processes' remainders, which temperature
        leaves alone, so the first array is a little nearer to 1 than `factor`. The second is for
        noise that the bandwidth limits.
        """
        if self._share is None:
            white = white_variance(self._figures, self.dt)
            if self._figures.covariance is not None:
                matrix = correlated(self._figures, self.dt)
                white = white + np.diagonal(matrix, axis1=-2, axis2=-1)
            whole = self.noise**2
            if self.factor is not None:
                whole = np.add.reduce(self.factor**2, axis=-1)
            share = np.divide(white, whole, out=np.ones_like(whole + white), where=whole > 0)
            # Rounding may bring it above 1.
            self._share = np.minimum(share, 1.0)
        return np.sqrt(1.0 + self._share * (factor * factor - 1.0)), factor

    def heated_covariance(self, factor: Array) -> Array:
        """Return `fresh_covariance` with the white noise multiplied by `factor` (..., K)."""
        return self._covariance(factor)

    def _covariance(self, factor: Array | None) -> Array:
        added = self.innovation**2
        white, band = (1.0, 1.0) if factor is None else self.heat(factor)
        if self._figures.is_band_limited:
            processes = np.add.reduce(added[:-1], axis=0) + np.square(band) * added[-1]
        else:
            processes = np.add.reduce(added, axis=0)
        processes = processes + self._figures.resolution**2 / 12.0
        if self.factor is None:
            return diagonal((white * self.noise) ** 2 + processes)
        root = np.asarray(white)[..., None] * self.factor
        return root @ np.swapaxes(root, -1, -2) + diagonal(processes)


def diagonal(variances: Array) -> Array:
    """Return matrices of shape (..., K, K) with `variances`, shape (..., K), on the diagonal."""
    return variances[..., :, None] * np.eye(variances.shape[-1])


def correlated(figures: Figures, dt: float) -> Array:
    """Return the covariance [u^2] that `noise_covariance` gives a sample, shape (*batch, K, K)."""
    assert figures.covariance is not None
    root = np.sqrt(np.minimum(figures.integration_time, dt))
    scaled: Array = figures.covariance / (root[..., :, None] * root[..., None, :])
    return scaled
