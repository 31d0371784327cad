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

"""Vibration: how strong it is, and the bias that it leaves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .recursion import recur
from .stage import listed, mask_of

Array = NDArray[np.float64]

MEMORY = 1.0
"""Time constant [s] of the mean and of the variance."""


class Vibration:
    """Mean and variance of the specific force over about the last second.

    dm = (f - m)/T dt and dv = ((f - m)^2 - v)/T dt with T = 1 s, solved for f constant over an
    interval; with phi = exp(-dt/T) and d = f - m at its start

        m_end = phi m + (1 - phi) f        v_end = phi v + phi (1 - phi) d^2
        mean of v = h v + (h - (1 - phi^2) T/(2 dt)) d^2,        h = (1 - phi) T/dt

    so the bias is the same however a steady force is cut into captures.

    Parameters
    ----------
    batch : tuple of int

    Attributes
    ----------
    mean, variance : ndarray, shape (*batch, 3)
        Of the specific force [m/s^2], [(m/s^2)^2]; the mean is NaN where there is none yet.
    """

    def __init__(self, batch: tuple[int, ...]) -> None:
        self._shape = (*batch, 3)
        self._dt = 0.0
        self.mean = np.full(self._shape, np.nan)
        self.variance = np.zeros(self._shape)
        self._begins = True

    def follow(self, force: Array, dt: float) -> Array:
        """Take in the specific force [m/s^2], shape (T, *batch, 3).

        Returns
        -------
        ndarray, shape (T, *batch, 3)
            Mean variance over each interval [(m/s^2)^2].
        """
        if dt != self._dt:
            self._dt = dt
            self._fade = self.coefficients(dt)
        keep, pull, push, hold, spread = self._fade
        if self._begins:
            self.mean = np.where(np.isnan(self.mean), force[0], self.mean)
            self._begins = False
        if len(force) == 1:
            square: Array = force - self.mean
            square *= square
            before = self.variance
            self.mean = keep * self.mean + pull * force[0]
            self.variance = keep * before + push * square[0]
            square *= spread
            square += hold * before
            return square
        means = np.empty((1, len(force) + 1, *self._shape))
        means[0, 0] = self.mean
        recur(np.full((1, 1), keep), means, (pull * force)[None])
        squares: Array = force - means[0, :-1]
        squares *= squares
        variances = np.empty_like(means)
        variances[0, 0] = self.variance
        recur(np.full((1, 1), keep), variances, (push * squares)[None])
        self.mean, self.variance = means[0, -1].copy(), variances[0, -1].copy()
        squares *= spread
        squares += hold * variances[0, :-1]
        return squares

    @property
    def rms(self) -> Array:
        """Root mean square of the force about its mean, all axes together [m/s^2], (*batch,)."""
        rms: Array = np.sqrt(np.add.reduce(self.variance, axis=-1))
        return rms

    def skip(self, dt: float) -> None:
        """Let what is remembered fade; what the force did in the gap is not known."""
        self.mean = np.full(self._shape, np.nan)
        self.variance = math.exp(-dt / MEMORY) * self.variance
        self._begins = True

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin at the next capture, with `where`, shape `batch`, for those members alone."""
        begin = mask_of(where)
        self.mean = np.where(begin, np.nan, self.mean)
        self.variance = np.where(begin, 0.0, self.variance)
        self._begins = True

    def state(self) -> Any:
        """Return mean and variance; the mean is None where there is none yet."""
        return {"mean": listed(self.mean), "variance": self.variance.tolist()}

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""
        self.mean = np.array(state["mean"], dtype=np.float64).reshape(self._shape)
        self.variance = np.array(state["variance"], dtype=np.float64).reshape(self._shape)
        self._begins = True

    def coefficients(self, dt: float) -> tuple[float, float, float, float, float]:
        """Return phi, 1 - phi, phi (1 - phi), h and the factor of d^2 in the mean of v."""
        a = dt / MEMORY
        keep, pull = math.exp(-a), -math.expm1(-a)
        hold = pull / a
        return keep, pull, keep * pull, hold, hold + 0.5 * math.expm1(-2.0 * a) / a
