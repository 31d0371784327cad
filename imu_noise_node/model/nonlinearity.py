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
