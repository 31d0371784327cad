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

"""The law of short intervals as polynomials in dt."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .coefficients import Law, exact_law
from .figures import Figures

Array = NDArray[np.float64]

_TERMS = 12
_REACH = 0.25
"""Up to this y = dt/(2 tau) of the fastest process the law is tabulated.

The law, divided by its powers of sqrt(dt), is analytic in dt with its nearest singularities at
y = +-i pi/2. Over 0 <= y <= 0.25 the error of its interpolation at Chebyshev points therefore
falls like 25^-n, and twelve terms leave nothing but rounding (Trefethen, Approximation Theory and
Approximation Practice, theorem 8.2).
"""


class LawPolynomials:
    """The law over 0 < dt <= longest for one sensor.

    The closed forms take some thirty array operations, a polynomial for all of them together
    takes one power and one product. In x = dt/longest its terms run from 1/x, which white noise
    needs, to x^12.

    Parameters
    ----------
    figures : Figures
        With at least one process, averaging always, without batch axes that matter, and without
        noise that the bandwidth limits.

    Attributes
    ----------
    longest : float
        [s]
    """

    def __init__(self, figures: Figures) -> None:
        fastest = figures.half_rate.max(initial=0.0, where=figures.sigma > 0.0)
        self.longest = _REACH / float(fastest)
        self._processes = len(figures.labels)
        self._exponents = np.arange(-1.0, _TERMS + 1.0)
        smooth = self._interpolate(figures)
        self._shape = smooth.shape[1:]
        table = np.zeros((len(self._exponents), *self._shape))
        table[1:-1, :-1] = smooth[:, :-1]
        # Var r was divided by dt, so its powers are one higher.
        table[2:, -1] = smooth[:, -1] * self.longest
        table[0, -1] = figures.density**2 / self.longest
        table[1, -1] += figures.per_sample**2
        self._table = table.reshape(len(self._exponents), -1)

    def rows(self, dt: float) -> Array:
        """Return keep, kick/sqrt(dt), gain and variance, shape (3 P + 1, *batch, K).

        Parameters
        ----------
        dt : float
            [s], at most `longest`.
        """
        powers = np.power(dt / self.longest, self._exponents)
        # At about two thousand products BLAS stays in this thread.
        rows: Array = powers.dot(self._table).reshape(self._shape)
        return rows

    def law(self, dt: float) -> Law:
        """Return the law for an interval of `dt` [s], at most `longest`."""
        rows = self.rows(dt)
        p = self._processes
        return Law(rows[:p], rows[p : 2 * p] * math.sqrt(dt), rows[2 * p : -1], rows[-1])

    def _interpolate(self, figures: Figures) -> Array:
        """Return the polynomials of keep, kick/sqrt(dt), gain and Var r/dt, lowest power first."""
        silent = replace(
            figures,
            density=np.zeros_like(figures.density),
            per_sample=np.zeros_like(figures.per_sample),
        )
        nodes = 0.5 + 0.5 * np.cos(math.pi * (np.arange(_TERMS) + 0.5) / _TERMS)
        steps = (nodes * self.longest).tolist()
        samples = np.array([_scaled(exact_law(silent, dt), dt) for dt in steps])
        powers = nodes[:, None] ** np.arange(float(_TERMS))
        solved: Array = np.linalg.solve(powers, samples.reshape(_TERMS, -1))
        return solved.reshape(samples.shape)


def _scaled(law: Law, dt: float) -> Array:
    shape = law.keep.shape[1:]
    rest = np.broadcast_to(law.variance / dt, shape)[None]
    return np.concatenate([law.keep, law.kick / math.sqrt(dt), law.gain, rest])
