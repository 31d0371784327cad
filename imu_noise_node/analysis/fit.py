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

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.spec import TriadSpec
from .allan import AllanCurves
from .allan_covariance import covariance, covariance_forms
from .allan_terms import Array, shapes
from .least_squares import Solution, solve

FEWEST_OCTAVES = 6

DESCRIBED = 0.05
"""Where the terms describe the variances to this fraction, they describe the sensor."""

_PLAUSIBLE, _RARE = 1e-3, 1e-6
"""Chance of a worse chi-square below which a misfit is allowed for; below which it is a fact."""

_MISFITS, _NEAR = (1e-4, 1.0), 1.05
"""Between which a misfit is looked for, and how closely."""

_GAIN = 10.8
"""By how much less chi-square shows a further term; chance does it once in a thousand times."""

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
        By what fraction, one sigma, the variances differ from the terms beyond their own scatter; 0
        where chance explains all. The intervals allow for it.
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
    best: tuple[int, _Attempt] | None = None
    for start in _starts(len(variances)):
        part = slice(start, None)
        attempt = _attempt(design[part], variances[part], forms[part, part])
        if best is None or attempt.rank < best[1].rank:
            best = (start, attempt)
        if attempt.misfit <= DESCRIBED or attempt.chance > _RARE:
            break
    assert best is not None
    start, (misfit, _, solution) = best
    spread = np.diagonal(covariance(forms, solution.theta))
    return AxisFit(
        values=np.sqrt(solution.theta),
        lower=np.sqrt(solution.lower),
        upper=np.sqrt(solution.upper),
        shortest=float(curves.taus[curves.octaves][start]),
        misfit=misfit,
        freedom=2.0 * (design @ solution.theta) ** 2 / spread,
    )


def _starts(octaves: int) -> Iterator[int]:
    """Yield where a fit may begin: at least half of the octaves must remain."""
    yield from range(1 + max(0, octaves - max(FEWEST_OCTAVES, octaves // 2)))


class _Attempt(NamedTuple):
    """A fit, how much misfit it allows for, and how probable a worse one would be without any."""

    misfit: float
    chance: float
    solution: Solution

    @property
    def rank(self) -> tuple[bool, float]:
        """Which of two is better, the lower: there is white noise in every sensor."""
        return bool(self.solution.lower[-3] <= 0.0), self.misfit


def _attempt(design: Array, variances: Array, forms: Array) -> _Attempt:
    """Fit all terms where the curve shows quantization, else the others.

    Few sensors have it, and where it is free to be there the intervals of N are wider for it.
    """
    found = _allow(design[:, 1:], variances, forms[:, :, 1:, 1:])
    full = solve(design, variances, _loosened(forms, design, found.misfit))
    if found.solution.chi_square - full.chi_square > _GAIN:
        return _allow(design, variances, forms)
    others = replace(
        found.solution,
        theta=np.append(0.0, found.solution.theta),
        lower=np.append(0.0, found.solution.lower),
        upper=np.append(full.upper[0], found.solution.upper),
    )
    return found._replace(solution=others)


def _allow(design: Array, variances: Array, forms: Array) -> _Attempt:
    """Return the fit with the smallest misfit that makes its chi-square what is expected.

    So one allows for laboratories that differ by more than they say (DerSimonian and Laird,
    "Meta-analysis in clinical trials", 1986). Here it is of each octave, and relative.
    """
    from scipy.stats import chi2

    solution = solve(design, variances, forms)
    chance = float(chi2.sf(solution.chi_square, solution.freedom))
    if chance > _PLAUSIBLE:
        return _Attempt(0.0, chance, solution)
    low, high = _MISFITS
    while high / low > _NEAR:
        middle = float(np.sqrt(low * high))
        solution = solve(design, variances, _loosened(forms, design, middle))
        if solution.chi_square > solution.freedom:
            low = middle
        else:
            high = middle
    return _Attempt(high, chance, solve(design, variances, _loosened(forms, design, high)))


def _loosened(forms: Array, design: Array, misfit: float) -> Array:
    """Return forms of a covariance with (misfit * variance)^2 added on its diagonal."""
    looser = forms.copy()
    octaves = np.arange(len(design))
    looser[octaves, octaves] += misfit**2 * design[:, :, None] * design[:, None, :]
    return looser
