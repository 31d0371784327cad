"""Least squares for variances: their mean is linear in theta, their covariance quadratic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .allan_covariance import covariance
from .allan_terms import Array

Z = 1.959964
"""Half the width of a 95 % interval of a normal law, in sigmas."""

_HALVINGS = 30
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
    estimator = np.linalg.pinv(white) @ np.linalg.inv(root)
    lower, upper = _intervals(theta, estimator, np.linalg.inv(white.T @ white), scaled)
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


def _intervals(
    theta: Array, estimator: Array, errors: Array, forms: Array
) -> tuple[Array, Array]:
    """Return the values of each coefficient that the fit does not contradict.

    These are all t >= 0 with (theta - t)^2 <= Z^2 Var(theta | t). The variance is taken at t, as in
    Wilson's interval for a proportion ("Probable inference", JASA 1927), since it grows with t;
    and with the other coefficients where they would be if this one were t.

    Parameters
    ----------
    theta : ndarray, shape (p,)
    estimator : ndarray, shape (p, n)
        The linear map from what was observed to theta without bounds, so that the interval of one
        coefficient allows for all others.
    errors : ndarray, shape (p, p)
        Covariance of theta.
    forms : ndarray, shape (n, n, p, p)
    """
    lower, upper = np.zeros_like(theta), np.zeros_like(theta)
    for term, weights in enumerate(estimator):
        spread = np.einsum("i,ijpq,j->pq", weights, forms, weights)
        slope = errors[term] / errors[term, term]

        def contradicted(t: float, term: int = term, s: Array = spread, d: Array = slope) -> bool:
            others = np.maximum(0.0, theta + d * (t - theta[term]))
            return bool((theta[term] - t) ** 2 > Z**2 * others @ s @ others)

        unit = max(theta[term], float(np.sqrt(errors[term, term])))
        if theta[term] > 0.0 and contradicted(0.0):
            lower[term] = _border(0.0, theta[term], contradicted)
        far = next((f for f in _FAR if contradicted(theta[term] + f * unit)), None)
        upper[term] = np.inf
        if far is not None:
            upper[term] = _border(theta[term] + far * unit, theta[term], contradicted)
    return lower, upper


def _border(outside: float, inside: float, contradicted: Callable[[float], bool]) -> float:
    """Return where what is contradicted begins, by bisection."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (outside + inside)
        outside, inside = (middle, inside) if contradicted(middle) else (outside, middle)
    return inside
