"""Least squares for variances: their mean is linear in theta, their covariance quadratic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .allan_covariance import covariance
from .allan_terms import Array

Z = 1.959964
"""Half the width of a 95 % interval of a normal law, in sigmas."""

_HALVINGS = 16
_FAR = (1.0, 10.0, 100.0, 1e3)
"""Where the upper end of an interval is looked for; one that is farther off is none."""

_ROUNDS = 30
_SETTLED = 1e-6


@dataclass(frozen=True, eq=False)
class Solution:
    """A fit.

    Attributes
    ----------
    theta : ndarray, shape (p,)
        Squared coefficients, none negative.
    lower, upper : ndarray, shape (p,)
        95 % interval of each.
    chi_square : float
    freedom : int
        Degrees of freedom of it.
    """

    theta: Array
    lower: Array
    upper: Array
    chi_square: float
    freedom: int


def solve(design: Array, observed: Array, forms: Array) -> Solution:
    """Return theta >= 0 for which `design @ theta` is nearest to what was observed.

    Parameters
    ----------
    design : ndarray, shape (n, p)
    observed : ndarray, shape (n,)
        All above 0.
    forms : ndarray, shape (n, n, p, p)
        The covariance of `observed` is theta^T forms theta.
    """
    scale = (design / observed[:, None]).max(axis=0)
    unit = design / scale
    scaled = forms / np.multiply.outer(scale, scale)
    theta = _nonnegative(unit / observed[:, None], np.ones_like(observed))
    for _ in range(_ROUNDS):
        root = np.linalg.cholesky(covariance(scaled, theta))
        before, theta = theta, _nonnegative(*_whiten(root, unit, observed))
        if np.abs(theta - before).max() <= _SETTLED * theta.max():
            break
    white, target = _whiten(root, unit, observed)
    residual = target - white @ theta
    lower, upper = _Intervals(unit, observed, scaled, theta, _errors(white)).ends()
    return Solution(
        theta / scale,
        lower / scale,
        upper / scale,
        float(residual @ residual),
        len(observed) - int(np.count_nonzero(theta)),
    )


def _whiten(root: Array, design: Array, observed: Array) -> tuple[Array, Array]:
    """Return both sides of the fit with errors that are independent and of variance 1."""
    both = np.linalg.solve(root, np.column_stack([design, observed]))
    return both[:, :-1], both[:, -1]


def _nonnegative(design: Array, observed: Array) -> Array:
    from scipy.optimize import nnls

    found: Array = nnls(design, observed)[0]
    return found


def _errors(white: Array) -> Array:
    """Return the covariance of theta where it is not bounded, so that each allows for all."""
    return np.linalg.inv(white.T @ white)


@dataclass(frozen=True, eq=False)
class _Intervals:
    """The values of each coefficient that what was observed does not contradict.

    These are all t >= 0 that are within Z sigmas of the estimate, with weights and sigma as they
    are if t is true, as in Wilson's interval for a proportion ("Probable inference", JASA 1927):
    the scatter of a variance grows with the variance. The other coefficients are then where this
    one drives them.
    """

    design: Array
    observed: Array
    forms: Array
    theta: Array
    errors: Array

    def ends(self) -> tuple[Array, Array]:
        """Return lower and upper ends, shape (p,) each."""
        pairs = [self._ends(term) for term in range(len(self.theta))]
        lower, upper = np.array(pairs).T
        return lower, upper

    def _ends(self, term: int) -> tuple[float, float]:
        value, unit = float(self.theta[term]), float(np.sqrt(self.errors[term, term]))
        lower, upper = 0.0, np.inf
        if value > 0.0 and self._contradicts(term, 0.0):
            lower = self._border(term, 0.0, value)
        for factor in _FAR:
            far = value + factor * max(value, unit)
            if self._contradicts(term, far):
                upper = self._border(term, far, value)
                break
        return lower, upper

    def _border(self, term: int, outside: float, inside: float) -> float:
        """Return where what is contradicted begins, by bisection."""
        for _ in range(_HALVINGS):
            middle = 0.5 * (outside + inside)
            if self._contradicts(term, middle):
                outside = middle
            else:
                inside = middle
        return inside

    def _contradicts(self, term: int, t: float) -> bool:
        slope = self.errors[term] / self.errors[term, term]
        truth = np.maximum(0.0, self.theta + slope * (t - self.theta[term]))
        root = np.linalg.cholesky(covariance(self.forms, truth))
        white, target = _whiten(root, self.design, self.observed)
        sigma = np.sqrt(_errors(white)[term, term])
        return bool(abs(_nonnegative(white, target)[term] - t) > Z * sigma)
