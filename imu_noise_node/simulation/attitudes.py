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

"""The orientation that an IMU reports along a tape."""

from __future__ import annotations

import numpy as np

from ..attitude import AttitudeNoise
from ..samples import Array, Vector
from .tape import Tape


def noisy_orientation(tape: Tape, seed: int, stddev: Vector) -> Array:
    """Return the orientation with the error that the node gives it, shape (T, 4).

    Rows without an orientation stay NaN.

    Parameters
    ----------
    tape : Tape
    seed : int
        0 or more.
    stddev : Vector
        Sigma of the rotation about each axis of the world [rad].
    """
    noise = AttitudeNoise(seed, stddev)
    restarts = {part.before for part in tape.breaks if part.skipped is None}
    found = tape.orientation.copy()
    for index, (x, y, z, w) in enumerate(tape.orientation.tolist()):
        if index in restarts:
            noise.reset()
        if not np.isnan(x):
            found[index] = noise.apply((x, y, z, w))
    return found
