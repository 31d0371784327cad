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

"""What is drawn once per run and stays: each sensor's own biases and crookedness."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .streams import Streams

Array = NDArray[np.float64]

RUN_EFFECTS = ("turn_on_bias", "scale_factor", "misalignment")


def draw_run(streams: Streams, sensors: tuple[str, ...], batch: tuple[int, ...]) -> Array:
    """Return standard normals, shape (3, *batch, K), one row for each of `RUN_EFFECTS`.

    Figures scale them, so they are drawn whether or not an effect is on: switching it on later
    finds the draw that it would have had from the start.
    """
    rows = []
    for effect in RUN_EFFECTS:
        parts = [
            streams.generator(f"{sensor}/{effect}").standard_normal((*batch, 3))
            for sensor in sensors
        ]
        rows.append(np.concatenate(parts, axis=-1))
    return np.array(rows)
