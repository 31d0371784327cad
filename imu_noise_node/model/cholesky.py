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

"""The triangular factor of a covariance that may be singular."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def lower_factor(matrix: Array) -> Array:
    """Return the lower triangular factor of positive semidefinite matrices, shape (..., K, K).

    Unlike LAPACK's it takes singular ones: an axis that the ones before it explain gets a zero
    column.
    """
    size = matrix.shape[-1]
    factor = np.zeros_like(matrix)
    for j in range(size):
        rest = matrix[..., j:, j] - (factor[..., j:, :j] * factor[..., j, None, :j]).sum(axis=-1)
        # What is left of an axis is zero up to rounding when the earlier axes determine it.
        floor = 1e-14 * matrix[..., j, j]
        usable = rest[..., 0] > floor
        divisor = np.where(usable, np.sqrt(np.maximum(rest[..., 0], 0.0)), 1.0)
        factor[..., j:, j] = np.where(usable[..., None], rest / divisor[..., None], 0.0)
    return factor
