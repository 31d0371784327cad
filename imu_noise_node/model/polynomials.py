"""The law of short intervals as polynomials in dt."""

from __future__ import annotations

import math

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
    takes one power and one product.

    Parameters
    ----------
    figures : Figures
        With at least one process, and without batch axes in them.

    Attributes
    ----------
    longest : float
        [s]
    """

    def __init__(self, figures: Figures) -> None:
        fastest = figures.half_rate.max(initial=0.0, where=figures.sigma > 0.0)
        self.longest = _REACH / float(fastest)
        self._processes = len(figures.labels)
        self._exponents = np.arange(float(_TERMS))
        nodes = 0.5 + 0.5 * np.cos(math.pi * (np.arange(_TERMS) + 0.5) / _TERMS)
        steps = (nodes * self.longest).tolist()
        samples = np.array([_scaled(exact_law(figures, dt), dt) for dt in steps])
        self._shape = samples.shape[1:]
        powers = nodes[:, None] ** self._exponents
        self._coefficients = np.linalg.solve(powers, samples.reshape(_TERMS, -1))

    def rows(self, dt: float) -> Array:
        """Return keep, kick/sqrt(dt), gain and rest/dt, shape (3 P + 1, *batch, K).

        Parameters
        ----------
        dt : float
            [s], at most `longest`.
        """
        powers = np.power(dt / self.longest, self._exponents)
        # At about two thousand products BLAS stays in this thread.
        rows: Array = powers.dot(self._coefficients).reshape(self._shape)
        return rows

    def law(self, dt: float) -> Law:
        """Return the law for an interval of `dt` [s], at most `longest`."""
        rows = self.rows(dt)
        p = self._processes
        return Law(rows[:p], rows[p : 2 * p] * math.sqrt(dt), rows[2 * p : -1], rows[-1] * dt)


def _scaled(law: Law, dt: float) -> Array:
    return np.concatenate([law.keep, law.kick / math.sqrt(dt), law.gain, law.rest[None] / dt])
