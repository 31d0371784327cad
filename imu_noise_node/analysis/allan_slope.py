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

"""White noise read off the slope alone, as allan_variance_ros does; for comparison with it."""

from __future__ import annotations

import numpy as np

from .allan import AllanCurves
from .allan_terms import Array

_STEP, _STEPS = 0.1, 100
"""allan_variance_ros has its averaging times 0.1 s apart and takes those up to 10 s."""


def slope_noise(curves: AllanCurves) -> Array:
    """Return N [u/sqrt(Hz)] of a line of slope -1/2 through the deviations up to 10 s, shape (6,).

    Everything there is taken for white noise. Where a bias instability or a random walk has begun
    before 10 s, this is above the white noise, and of more use to a filter that knows neither.

    Returns
    -------
    ndarray
        NaN where there is no noise, or the curve does not reach from 0.1 to 10 s.
    """
    taus = _STEP * np.arange(1, _STEPS + 1)
    found = np.full(6, np.nan)
    # What is 0.1 s may come out a little longer by rounding.
    if curves.taus[0] > taus[0] * (1.0 + 1e-6) or curves.taus[-1] < taus[-1]:
        return found
    for axis, deviations in enumerate(curves.deviations):
        if (deviations > 0.0).all():
            logs = np.interp(np.log(taus), np.log(curves.taus), np.log(deviations))
            found[axis] = np.exp(np.mean(logs + 0.5 * np.log(taus)))
    return found
