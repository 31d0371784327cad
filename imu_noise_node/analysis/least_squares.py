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
class Problem:
    """Which theta >= 0 brings `design @ theta` nearest to what was observed.

    Attributes
    ----------
    design : ndarray, shape (n, p)
    observed : ndarray, shape (n,)
        All above 0.
    forms : ndarray, shape (n, n, p, p)
        The covariance of `observed` is theta^T forms theta.
    """

    design: Array
    observed: Array
    forms: Array

    def whitened(self, theta: Array) -> tuple[Array, Array]:
        """Return both sides with independent errors of variance 1, if `theta` holds."""
        root = np.linalg.cholesky(covariance(self.forms, theta))
        both: Array = np.linalg.solve(root, np.column_stack([self.design, self.observed]))
        return both[:, :-1], both[:, -1]


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer.

    Attributes
    ----------
    problem : Problem
    theta : ndarray, shape (p,)
    errors : ndarray, shape (p, p)
        Covariance of theta were it not bounded: that of each coefficient allows for all others.
    chi_square : float
    freedom : int
        Degrees of freedom of it.
    """

    problem: Problem
    theta: Array
    errors: Array
    chi_square: float
    freedom: int

    def interval(self, term: int) -> tuple[float, float]:
        """Return the 95 % interval of a coefficient: what was observed contradicts no t in it.

        These are all t >= 0 within Z sigmas of the estimate, with weights and sigma as they are if
        t is true, as in Wilson's interval for a proportion ("Probable inference", JASA 1927): the
        scatter of a variance grows with the variance. The upper end may be infinite.
        """
        value, sigma = float(self.theta[term]), float(np.sqrt(self.errors[term, term]))
        lower, upper = 0.0, np.inf
        if value > 0.0 and self._contradicts(term, 0.0):
            lower = self._border(term, 0.0, value)
        for factor in _FAR:
            far = value + factor * max(value, sigma)
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
        """Return whether t is too far, with the other coefficients where it drives them."""
        slope = self.errors[term] / self.errors[term, term]
        truth = np.maximum(0.0, self.theta + slope * (t - self.theta[term]))
        white, target = self.problem.whitened(truth)
        sigma = np.sqrt(_errors(white)[term, term])
        return bool(abs(_nonnegative(white, target)[term] - t) > Z * sigma)


def solve(problem: Problem) -> Solution:
    """Return the theta whose own covariance makes it the best one."""
    relative = problem.design / problem.observed[:, None]
    theta = _nonnegative(relative, np.ones_like(problem.observed))
    white, target = problem.whitened(theta)
    for _ in range(_ROUNDS):
        before, theta = theta, _nonnegative(white, target)
        change = np.abs(problem.design @ (theta - before)) / problem.observed
        if change.max() <= _SETTLED:
            break
        white, target = problem.whitened(theta)
    residual = target - white @ theta
    freedom = len(problem.observed) - int(np.count_nonzero(theta))
    return Solution(problem, theta, _errors(white), float(residual @ residual), freedom)


def _nonnegative(design: Array, observed: Array) -> Array:
    """Return the least squares under theta >= 0, whatever the units of the columns."""
    from scipy.optimize import nnls

    scale = np.linalg.norm(design, axis=0)
    found: Array = nnls(design / scale, observed)[0] / scale
    return found


def _errors(white: Array) -> Array:
    scale = np.linalg.norm(white, axis=0)
    unit = white / scale
    found: Array = np.linalg.inv(unit.T @ unit) / np.multiply.outer(scale, scale)
    return found
