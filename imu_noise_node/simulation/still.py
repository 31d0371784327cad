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

"""A truth that needs no file: a body that does not move."""

from __future__ import annotations

import numpy as np

from ..motion.intervals import NANOSECONDS
from .trajectory import Trajectory


def still(duration: float, rate: float) -> Trajectory:
    """Return a level body at rest for `duration` [s], with `rate` poses per second."""
    count = round(duration * rate) + 1
    # The stamp 0 would be "no time yet".
    stamps = NANOSECONDS + np.rint(np.arange(count) * (NANOSECONDS / rate)).astype(np.int64)
    zero = np.zeros((count, 3))
    level = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (count, 4))
    return Trajectory("a body at rest", stamps, zero, level, zero, zero)
