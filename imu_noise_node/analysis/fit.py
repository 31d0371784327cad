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

"""The four terms of Allan curves, fitted jointly, with their confidence.

The Allan variance is linear in the squared coefficients, and the covariance of its estimates is
known for any of them (`allan_covariance`). So this is generalised least squares under theta >= 0,
its weights those of the fit itself, repeated until they agree: the estimator of Guerrier, Skaloud,
Stebler and Victoria-Feser ("Wavelet-variance-based estimation for composite stochastic processes",
JASA 2013) with optimal weights. On octaves up to a ninth of the record it is as sharp as maximum
likelihood on the samples themselves.

It works on variances and not on their logarithms: there the terms add, the estimates have no bias,
and the weights come from the model instead of from the very estimates that they weigh.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..model.spec import TriadSpec
from ..recordings.values import AXES
from .allan import AllanCurves
from .allan_covariance import covariance, covariance_forms
from .allan_terms import TERMS, Array, shapes
from .least_squares import Problem, Solution, Z, solve

FEWEST_OCTAVES = 6

DESCRIBED = 0.05
"""Where the terms describe the variances to this fraction, they describe the sensor."""

_PLAUSIBLE, _RARE = 1e-3, 1e-6
"""Chance of a worse chi-square below which a misfit is allowed for; below which it is a fact."""

_LATEST = 1.0
"""Averaging time [s] by which filters, vibration and rounding are over; the fit begins by then."""

_MISFITS, _NEAR = (1e-4, 1.0), 1.05
"""Between which a misfit is looked for, and how closely."""

_GAIN = 10.8
"""By how much less chi-square shows a further term; chance does it once in a thousand times."""

_FOREIGN = 0.8
"""Misfit of the variances above which a curve is none of noise."""

_DEFAULT_BAND = TriadSpec().bias_instability_band


@dataclass(frozen=True, eq=False)
class AxisFit:
    """The terms of one axis, in the order of `allan_terms.TERMS`.

    Attributes
    ----------
    values : ndarray, shape (4,)
        Q [u s], N [u/sqrt(Hz)], B [u], K [u/s/sqrt(Hz)].
    lower, upper : ndarray, shape (4,)
        The 95 % interval of each. A lower end of 0 says that the term is not seen; an upper end is
        infinite where the curve bounds it nowhere.
    shortest : float
        Averaging time [s] from which on the curve is fitted.
    misfit : float
        By what fraction, one sigma, the variances differ from the terms beyond their own scatter;
        0 where chance explains all. The intervals allow for it.
    freedom : ndarray, shape (octaves,)
        Equivalent degrees of freedom of the variance at each octave of the curve.
    """

    values: Array
    lower: Array
    upper: Array
    shortest: float
    misfit: float
    freedom: Array

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Which terms the curve shows."""
        return self.lower > 0.0


def require_described(curves: AllanCurves, fits: Sequence[AxisFit | None]) -> None:
    """Refuse fits that tell nothing.

    Raises
    ------
    InputError
        The curve of an axis is none of noise, or bounds its white noise nowhere.
    """
    white = TERMS.index("noise_density")
    for name, axis in zip(AXES, fits, strict=True):
        if axis is None:
            continue
        if axis.misfit > _FOREIGN:
            raise InputError(
                curves.source,
                name,
                f"is not described by noise: the best fit is {50.0 * axis.misfit:.0f} % beside "
                "its Allan deviation",
                "was it moving?",
            )
        if not np.isfinite(axis.upper[white]):
            raise InputError(
                curves.source,
                name,
                "shows no white noise, nor how much there may be",
                "record longer, and at rest",
            )


def fit(
    curves: AllanCurves, bands: tuple[Array, Array] = (_DEFAULT_BAND, _DEFAULT_BAND)
) -> list[AxisFit | None]:
    """Return the fit of each of the six axes; None where an axis has no noise.

    Parameters
    ----------
    curves : AllanCurves
    bands : tuple of ndarray, shape (2,)
        Of gyroscope and accelerometer, the averaging times [s] between which the bias instability
        is flat: a curve alone cannot tell, so it is the default of the model unless known better.
    """
    found: list[AxisFit | None] = []
    for axes, band in zip((slice(0, 3), slice(3, 6)), bands, strict=True):
        ends = (float(band[0]), float(band[1]))
        forms = covariance_forms(curves.octave_factors, curves.count, curves.dt, ends)
        design = shapes(curves.taus[curves.octaves], ends)
        for deviations in curves.deviations[axes]:
            variances = deviations[curves.octaves] ** 2
            usable = bool((variances > 0.0).all())
            found.append(_fit_axis(curves, design, variances, forms) if usable else None)
    return found


def _fit_axis(curves: AllanCurves, design: Array, variances: Array, forms: Array) -> AxisFit:
    """Fit from the shortest octave from which on the terms describe the curve.

    Sensors filter, and their vibration and rounding are in the first octaves of a curve, where
    estimates are most certain: from there they would spoil the fit.
    """
    best: _Attempt | None = None
    for start in _starts(curves.taus[curves.octaves]):
        part = slice(start, None)
        problem = Problem(design[part], variances[part], forms[part, part])
        attempt = _attempt(start, problem)
        if best is None or attempt.rank < best.rank:
            best = attempt
        if attempt.misfit <= DESCRIBED or attempt.chance > _RARE:
            break
    assert best is not None
    theta, lower, upper = best.terms()
    spread = np.diagonal(covariance(forms, theta))
    return AxisFit(
        values=np.sqrt(theta),
        lower=np.sqrt(lower),
        upper=np.sqrt(upper),
        shortest=float(curves.taus[curves.octaves][best.start]),
        misfit=best.misfit,
        freedom=2.0 * (design @ theta) ** 2 / spread,
    )


def _starts(taus: Array) -> Iterator[int]:
    """Yield where a fit may begin, the first octave at least."""
    yield 0
    for start in range(1, len(taus) - FEWEST_OCTAVES + 1):
        if taus[start] <= _LATEST:
            yield start


class _Attempt(NamedTuple):
    """A fit from some octave on.

    `misfit` is what it allows for, `chance` how probable a worse chi-square was without. `full`
    has all four terms, `chosen` may have all but Q.
    """

    start: int
    misfit: float
    chance: float
    chosen: Solution
    full: Solution

    @property
    def rank(self) -> tuple[bool, float]:
        """Which of two is better, the lower: there is white noise in every sensor."""
        theta, errors = self.chosen.theta, self.chosen.errors
        return bool(theta[-3] < Z * np.sqrt(errors[-3, -3])), self.misfit

    def terms(self) -> tuple[Array, Array, Array]:
        """Return theta and the ends of its intervals, shape (4,) each."""
        count = len(self.chosen.theta)
        lower, upper = np.array([self.chosen.interval(term) for term in range(count)]).T
        if count == len(TERMS):
            return self.chosen.theta, lower, upper
        above = self.full.interval(0)[1]
        return np.append(0.0, self.chosen.theta), np.append(0.0, lower), np.append(above, upper)


def _attempt(start: int, problem: Problem) -> _Attempt:
    """Fit all terms where the curve shows quantization, else the others.

    Few sensors have it, and where it is free to be there the intervals of N are wider for it.
    """
    three = Problem(problem.design[:, 1:], problem.observed, problem.forms[:, :, 1:, 1:])
    misfit, chance, solution = _allow(three)
    full = solve(_loosened(problem, misfit))
    if solution.chi_square - full.chi_square > _GAIN:
        misfit, chance, full = _allow(problem)
        solution = full
    return _Attempt(start, misfit, chance, solution, full)


def _allow(problem: Problem) -> tuple[float, float, Solution]:
    """Return misfit, chance without it, and the fit with the smallest misfit that is plausible.

    Its chi-square is then what is expected. So one allows for laboratories that differ by more
    than they say (DerSimonian and Laird, "Meta-analysis in clinical trials", 1986). Here it is of
    each octave, and relative.
    """
    from scipy.stats import chi2

    solution = solve(problem)
    chance = float(chi2.sf(solution.chi_square, solution.freedom))
    if chance > _PLAUSIBLE:
        return 0.0, chance, solution
    low, high = _MISFITS
    while high / low > _NEAR:
        middle = float(np.sqrt(low * high))
        solution = solve(_loosened(problem, middle))
        if solution.chi_square > solution.freedom:
            low = middle
        else:
            high = middle
    return high, chance, solve(_loosened(problem, high))


def _loosened(problem: Problem, misfit: float) -> Problem:
    """Return the problem with (misfit * variance)^2 added on the diagonal of its covariance."""
    looser, octaves = problem.forms.copy(), np.arange(len(problem.design))
    products = problem.design[:, :, None] * problem.design[:, None, :]
    looser[octaves, octaves] += misfit**2 * products
    return replace(problem, forms=looser)
