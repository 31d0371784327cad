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

"""The noise of a barometer while the IMU beside it is at rest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..samples import Array

FEWEST = 9
"""Distinct readings, as of blocks."""


@dataclass(frozen=True)
class PressureNoise:
    """What a barometer reads at rest.

    Attributes
    ----------
    readings, distinct : int
        How many there are, and how many that differ from the one before.
    mean, sigma : float
        Of the distinct ones [Pa].
    """

    readings: int
    distinct: int
    mean: float
    sigma: float

    @property
    def uncertainty(self) -> float:
        """Relative standard deviation of `sigma`."""
        return 1.0 / math.sqrt(2.0 * (self.distinct - 1))


def pressure_noise(
    stamps: NDArray[np.int64], pascals: Array, window: tuple[int, int]
) -> PressureNoise | None:
    """Return the noise of a barometer, or None where there are fewer than nine distinct readings.

    A barometer is often read faster than it measures; a reading that repeats the one before says
    nothing new, and would count as if it did.

    Parameters
    ----------
    stamps : ndarray of int64, shape (T,)
        [ns]
    pascals : ndarray, shape (T,)
    window : tuple of int
        First and last stamp of the time at rest [ns].
    """
    inside = (stamps >= window[0]) & (stamps <= window[1]) & np.isfinite(pascals)
    readings = pascals[inside]
    distinct = readings[np.diff(readings, prepend=np.nan) != 0.0]
    if len(distinct) < FEWEST:
        return None
    return PressureNoise(
        len(readings), len(distinct), float(distinct.mean()), float(distinct.std(ddof=1))
    )
