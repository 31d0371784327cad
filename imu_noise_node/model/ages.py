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


"""For how long a run and its random walks have gone on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .figures import Figures

Array = NDArray[np.float64]


def moments(start: Array, steps: Array) -> Array:
    """Return the time [s] at the start of each interval and at the last one's end.

    Parameters
    ----------
    start : ndarray, shape () or (*batch, 1)
        [s]
    steps : ndarray, shape (T,)
        [s]

    Returns
    -------
    ndarray, shape (T + 1, *start.shape)
    """
    column = steps.reshape(-1, *(1,) * start.ndim)
    column = np.broadcast_to(column, (len(steps), *start.shape))
    return np.cumsum(np.concatenate([start[None], column]), axis=0)


def growth(old: Figures, new: Figures) -> Array:
    """Return by how much longer the new random walks would have had to run to be where they are.

    A walk of K reaches the variance K^2 age. One that begins with the new figures is of age 0.
    """
    before, after = old.walk_sigma, new.walk_sigma
    if np.array_equal(before, after):
        return np.ones(())
    ratio = np.divide(before, after, out=np.zeros(np.shape(before - after)), where=after > 0.0)
    return ratio**2
