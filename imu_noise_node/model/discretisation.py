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

"""The coefficients of intervals: kept for those that come again, fast for those that do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .coefficients import Coefficients, Law, band_law, exact_law
from .figures import Figures
from .polynomials import LawPolynomials

_KEPT = 64


class Discretisation:
    """Finds the coefficients of any interval for one set of figures.

    They depend on the interval's length alone, not on what was asked before.

    Parameters
    ----------
    figures : Figures

    Attributes
    ----------
    figures : Figures
    polynomials : LawPolynomials or None
        The law of short intervals, without noise that the bandwidth limits; None where there are
        no processes, where batch members have figures of their own, or where a sensor does not
        average always.
    single_up_to : float
        The longest interval [s] for which one sensor's capture may be computed by `Single`.
    """

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self._slow, self._band = _split(figures)
        plain = bool(self._slow.labels) and figures.averages_always and not figures.is_batch
        self.polynomials = LawPolynomials(self._slow) if plain else None
        self.single_up_to = 0.0
        if self.polynomials is not None and figures.is_single:
            self.single_up_to = self.polynomials.longest
        self._known: dict[float, Coefficients] = {}

    def at(self, dt: float) -> Coefficients:
        """Return the coefficients for an interval of `dt` [s]."""
        found = self._known.get(dt)
        if found is None:
            short = self.polynomials
            if short is not None and dt <= short.longest:
                law = short.law(dt)
                if self._band is not None:
                    law = _join(law, band_law(self._band, dt))
            else:
                law = exact_law(self.figures, dt)
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[dt] = Coefficients(self.figures, law, dt)
        return found


def _split(figures: Figures) -> tuple[Figures, Figures | None]:
    """Part the noise that the bandwidth limits, far faster than the rest, from the rest."""
    if not figures.is_band_limited:
        return figures, None
    silent = np.zeros_like(figures.density)
    unlimited = np.full_like(figures.band_limit, np.inf)
    slow = replace(
        figures,
        labels=figures.labels[:-1],
        half_rate=figures.half_rate[:-1],
        sigma=figures.sigma[:-1],
        band_density=silent,
        band_limit=unlimited,
    )
    band = replace(
        figures,
        labels=figures.labels[-1:],
        half_rate=figures.half_rate[-1:],
        sigma=figures.sigma[-1:],
        density=silent,
        per_sample=silent,
    )
    return slow, band


def _join(slow: Law, band: Law) -> Law:
    keep, kick, gain = (np.concatenate(pair) for pair in zip(slow[:3], band[:3], strict=True))
    return Law(keep, kick, gain, slow.variance + band.variance)
