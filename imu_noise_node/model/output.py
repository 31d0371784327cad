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

"""The converter at the end of the signal path: range and resolution."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .figures import Figures
from .stage import Context, Stateless

Array = NDArray[np.float64]


class Converter(Stateless):
    """Rounds to the nearest step and saturates; the result never leaves the range.

    Parameters
    ----------
    figures : Figures
        `range` and `resolution` [u], shape (*batch, K).

    Attributes
    ----------
    step, limit : ndarray, shape (*batch, K)
        The resolution, zero where it is off, and the outermost value, infinite where there is
        none [u].
    """

    def __init__(self, figures: Figures) -> None:
        self.step, limit = figures.resolution, figures.range
        rounded = self.step > 0.0
        self._rounded = rounded if rounded.any() else None
        self._divisor = np.where(rounded, self.step, 1.0)
        # The outermost step inside the range; a range of a whole number of steps keeps them all.
        whole = np.floor(limit / self._divisor + 1e-9) * self._divisor
        self.limit = np.where(rounded & np.isfinite(limit), np.minimum(whole, limit), limit)
        self._limits = bool(np.isfinite(self.limit).any())

    def apply(self, block: Array, dt: float, context: Context) -> Array:
        """Turn `block` [u], shape (T, *batch, K), into what the converter reads, in place."""
        self.convert(block)
        return block

    def convert(self, values: Array) -> None:
        """Turn `values` [u], shape (..., K), into what the converter reads, in place."""
        if self._rounded is not None:
            steps = values / self._divisor
            np.rint(steps, out=steps)
            # There is no negative zero.
            steps += 0.0
            steps *= self._divisor
            np.copyto(values, steps, where=self._rounded)
        if self._limits:
            # A range below half a step leaves 0 alone; there is no negative zero here, either.
            np.maximum(values, 0.0 - self.limit, out=values)
            np.minimum(values, self.limit, out=values)
