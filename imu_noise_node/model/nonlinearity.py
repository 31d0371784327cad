"""A scale factor that depends on the reading."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .stage import Context, Stateless

Array = NDArray[np.float64]


class Nonlinearity(Stateless):
    """y = x + b x |x|, with b the non-linearity over the range: of full scale at full scale.

    Parameters
    ----------
    by_square : ndarray, shape (*batch, K)
        b [1/u].
    """

    def __init__(self, by_square: Array) -> None:
        self.by_square = by_square

    def apply(self, block: Array, dt: float, context: Context) -> Array:
        """Bend `block` [u], shape (T, *batch, K), in place."""
        # In this order an axis without non-linearity takes any finite value.
        error = np.abs(block)
        error *= self.by_square
        error *= block
        block += error
        return block
