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

"""The truth of a whole run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..samples import Array


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Poses of a body over time, with velocity and rate where its source knows them.

    Attributes
    ----------
    source : str
        What sentences about it begin with: the file, and in a bag the topic.
    stamps : ndarray of int64, shape (T,)
        [ns]
    position : ndarray, shape (T, 3)
        Of the body origin in the world [m].
    orientation : ndarray, shape (T, 4)
        Body to world, x, y, z, w.
    velocity : ndarray, shape (T, 3), or None
        Of the body origin, world axes [m/s].
    angular_velocity : ndarray, shape (T, 3), or None
        Body axes [rad/s].
    """

    source: str
    stamps: NDArray[np.int64]
    position: Array
    orientation: Array
    velocity: Array | None = None
    angular_velocity: Array | None = None
