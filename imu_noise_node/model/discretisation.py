"""The coefficients of intervals: kept for those that come again, fast for those that do not."""

from __future__ import annotations

from .coefficients import Coefficients, exact_law
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
        The law of short intervals; None where there are no processes, where batch members have
        figures of their own, or where a sensor does not average always.
    single_up_to : float
        The longest interval [s] for which one sensor's capture may be computed by `Single`.
    """

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        plain = bool(figures.labels) and figures.averages_always and not figures.is_batch
        self.polynomials = LawPolynomials(figures) if plain else None
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
            else:
                law = exact_law(self.figures, dt)
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[dt] = Coefficients(self.figures, law, dt)
        return found
