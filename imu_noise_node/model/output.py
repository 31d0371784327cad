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
        step, limit = figures.resolution, figures.range
        rounded = step > 0.0
        self._rounded = rounded if rounded.any() else None
        self._step = np.where(rounded, step, 1.0)
        # The outermost step inside the range; a range of a whole number of steps keeps them all.
        whole = np.floor(limit / self._step + 1e-9) * self._step
        limit = np.where(rounded & np.isfinite(limit), np.minimum(whole, limit), limit)
        self._limit = limit if np.isfinite(limit).any() else None

    def apply(self, values: Array) -> None:
        """Turn `values` [u], shape (..., K), into what the converter reads, in place."""
        if self._rounded is not None:
            steps = values / self._step
            np.rint(steps, out=steps)
            steps *= self._step
            np.copyto(values, steps, where=self._rounded)
        if self._limit is not None:
            np.maximum(values, -self._limit, out=values)
            np.minimum(values, self._limit, out=values)
