"""Least squares for variances: their mean is linear in theta, their covariance quadratic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .allan_covariance import covariance
from .allan_terms import Array

Z = 1.959964
"""Half the width of a 95 % interval of a normal law, in sigmas."""

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
    lower, upper = _intervals(theta, np.linalg.pinv(white) @ np.linalg.inv(root), scaled)
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


def _intervals(theta: Array, estimator: Array, forms: Array) -> tuple[Array, Array]:
    """Return the values of each coefficient that the fit does not contradict.

    `estimator`, shape (p, n), is the linear map from what was observed to theta without the bounds,
    so that the interval of one term allows for all others. The variance of an estimate grows with
    the value itself, a + b t + c t^2. So the interval is not symmetric: it holds all t with

        (theta - t)^2 <= Z^2 (a + b t + c t^2)

    as Wilson's does for a proportion ("Probable inference", JASA 1927).
    """
    lower, upper = np.zeros_like(theta), np.full_like(theta, np.inf)
    for term, weights in enumerate(estimator):
        spread = np.einsum("i,ijpq,j->pq", weights, forms, weights)
        others = np.where(np.arange(len(theta)) == term, 0.0, theta)
        square = 1.0 - Z**2 * spread[term, term]
        linear = 2.0 * theta[term] + Z**2 * (spread[term] + spread[:, term]) @ others
        constant = theta[term] ** 2 - Z**2 * others @ spread @ others
        root = np.sqrt(max(0.0, linear**2 - 4.0 * square * constant))
        lower[term] = max(0.0, 2.0 * constant / (linear + root))
        if square > 0.0:
            upper[term] = (linear + root) / (2.0 * square)
    return lower, upper
