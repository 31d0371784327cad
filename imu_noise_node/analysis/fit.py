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
from dataclasses import dataclass

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

_PLAUSIBLE = 0.001
"""Probability of a worse chi-square, below which the misfit is taken for real."""

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
    best: tuple[int, float, Solution] | None = None
    for start in _starts(len(variances)):
        part = slice(start, None)
        misfit, solution = _allow(design[part], variances[part], forms[part, part])
        if best is None or misfit < best[1]:
            best = (start, misfit, solution)
        if misfit <= DESCRIBED:
            break
    assert best is not None
    start, misfit, solution = best
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


def _allow(design: Array, variances: Array, forms: Array) -> tuple[float, Solution]:
    """Return the misfit to allow for, and the fit that does.

    It is the smallest that brings chi-square down to what is expected, as one allows for
    heterogeneity between laboratories (DerSimonian and Laird, "Meta-analysis in clinical trials",
    1986). It is relative and of each octave by itself.
    """
    from scipy.stats import chi2

    solution = solve(design, variances, forms)
    if chi2.sf(solution.chi_square, solution.freedom) > _PLAUSIBLE:
        return 0.0, solution
    low, high = 1e-4, 1.0
    while high / low > 1.05:
        middle = float(np.sqrt(low * high))
        solution = solve(design, variances, _loosened(forms, design, middle))
        if solution.chi_square > solution.freedom:
            low = middle
        else:
            high = middle
    return high, solve(design, variances, _loosened(forms, design, high))


def _loosened(forms: Array, design: Array, misfit: float) -> Array:
    """Return forms of a covariance with (misfit * variance)^2 added on its diagonal."""
    looser = forms.copy()
    octaves = np.arange(len(design))
    looser[octaves, octaves] += misfit**2 * design[:, :, None] * design[:, None, :]
    return looser
