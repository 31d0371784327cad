"""The converter at the end of the signal path: range and resolution."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .figures import Figures

Array = NDArray[np.float64]


class Converter:
    """Rounds to the nearest step and saturates; the result never leaves the range.

    Parameters
    ----------
    figures : Figures
        `range` and `resolution` [u], shape (*batch, K).
    """

    def __init__(self, figures: Figures) -> None:
        step = figures.resolution
        limit = figures.range
        rounded = step > 0.0
        self._step: Array | None = step if rounded.any() else None
        self._all_rounded = bool(rounded.all())
        self._divisor = np.where(rounded, step, 1.0)
        # The outermost step inside the range; a range of a whole number of steps keeps them all.
        whole = np.floor(limit / self._divisor + 1e-9) * self._divisor
        limit = np.where(rounded & np.isfinite(limit), np.minimum(whole, limit), limit)
        self._limit: Array | None = limit if np.isfinite(limit).any() else None

    def apply(self, values: Array) -> Array:
        """Return `values` [u], shape (..., K), as the converter reads them."""
        if self._step is not None:
            rounded = np.rint(values / self._divisor) * self._divisor
            values = rounded if self._all_rounded else np.where(self._step > 0.0, rounded, values)
        if self._limit is not None:
            values = np.minimum(np.maximum(values, -self._limit), self._limit)
        return values
