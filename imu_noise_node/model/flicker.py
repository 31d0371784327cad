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

"""Flicker (1/f) noise as a sum of Ornstein-Uhlenbeck processes with log-spaced times."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_PEAK = 1.8926
"""The Allan deviation of one process peaks at this multiple of its correlation time."""

_REACH = 2.5
"""How far beyond the band, as a factor, the outermost processes peak: it keeps the ends up."""

_GRID = 200
_FEWEST = 5
_PER_DECADE = 2


def allan_variance_ou(tau: Array, correlation_time: Array) -> Array:
    """Return the Allan variance of an Ornstein-Uhlenbeck process of unit stationary variance.

    2T/t - (T/t)^2 (3 - 4 exp(-t/T) + exp(-2t/T)), T the correlation time and t the averaging
    time [s]; IEEE Std 952, exponentially correlated noise. Where t/T is small the closed form
    cancels, and its series (2/3) r - r^2/2 + (7/30) r^3 - r^4/12 is used.

    Parameters
    ----------
    tau, correlation_time : ndarray
        Of shapes that broadcast [s].
    """
    r = np.asarray(tau / correlation_time, dtype=np.float64)
    series = r * (2.0 / 3.0 - r * (0.5 - r * (7.0 / 30.0 - r / 12.0)))
    safe = np.maximum(r, 1e-3)
    closed = 2.0 / safe + (4.0 * np.expm1(-safe) - np.expm1(-2.0 * safe)) / safe**2
    return np.where(r < 1e-3, series, closed)


@lru_cache(maxsize=64)
def components(shortest: float, longest: float) -> tuple[Array, Array]:
    """Return correlation times [s] and sigmas of processes that sum to a flat Allan deviation.

    The sum has Allan deviation 1 within 1 % for averaging times from `shortest` to `longest`
    [s]. The variances are fitted by least squares, negative ones left out and the rest fitted
    again until none is negative.

    Returns
    -------
    times, sigmas : ndarray, shape (n,)
        Two processes per decade, at least five.
    """
    count = max(_FEWEST, int(np.ceil(_PER_DECADE * np.log10(longest / shortest))))
    times = _log_spaced(shortest / _PEAK / _REACH, longest / _PEAK * _REACH, count)
    grid = _log_spaced(shortest, longest, _GRID)
    shapes = allan_variance_ou(grid[:, None], times[None, :])
    kept = np.ones(count, dtype=bool)
    variances = np.zeros(count)
    while True:
        variances[kept] = np.linalg.lstsq(shapes[:, kept], np.ones(_GRID), rcond=None)[0]
        if (variances >= 0.0).all():
            return times, np.sqrt(variances)
        worst = int(np.argmin(variances))
        kept[worst] = False
        variances[worst] = 0.0


def _log_spaced(first: float, last: float, count: int) -> Array:
    return np.geomspace(first, last, count, dtype=np.float64)
