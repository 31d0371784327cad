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

"""The readings of one IMU, whatever file they came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..samples import Array

_LOOKS = 64


@dataclass(frozen=True, eq=False)
class ImuRecord:
    """Readings in the order in which they stand in the file, none left out.

    Attributes
    ----------
    source : str
        What sentences about it begin with: the file, and in a bag the topic.
    stamps : ndarray of int64, shape (T,)
        Capture times [ns], as they are: they may repeat, go back or leave gaps.
    values : ndarray, shape (6, T)
        Gyroscope xyz [rad/s] and accelerometer xyz [m/s^2], an axis a row, each contiguous; of a
        long file it may lie on disk (a memory map). A sensor that the file lacks is NaN.
    """

    source: str
    stamps: NDArray[np.int64]
    values: Array

    @property
    def has_gyroscope(self) -> bool:
        """Whether there are angular rates."""
        return not is_missing(self.values[0:3])

    @property
    def has_accelerometer(self) -> bool:
        """Whether there are specific forces."""
        return not is_missing(self.values[3:6])


def is_missing(values: Array) -> bool:
    """Return whether a sensor, shape (3, T), is not there: NaN in as many places as we look at.

    Some of its readings may be NaN all the same, the first among them; to look at all of a file
    that lies on disk would take as long as to read it.
    """
    step = max(1, values.shape[-1] // _LOOKS)
    return bool(np.isnan(values[:, ::step]).all())
