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

"""The orientation that an IMU reports, with an error of its own."""

from __future__ import annotations

from typing import Any

from .model.streams import Streams
from .motion.rotations import exponential, normalised, product
from .samples import Quaternion, Vector

_STREAM = "orientation/white"


class AttitudeNoise:
    """Turns each orientation by a small angle about the axes of the world, drawn anew every time.

    Parameters
    ----------
    seed : int
        0 or more.
    stddev : Vector
        Sigma of the rotation about each axis of the world [rad]; may be set.
    """

    def __init__(self, seed: int, stddev: Vector) -> None:
        self.stddev = stddev
        self._streams = Streams(seed)

    def apply(self, orientation: Quaternion) -> Quaternion:
        """Return `orientation`, sensor to world, with its error: Exp(error) q, normalised."""
        x, y, z = self._streams.generator(_STREAM).standard_normal(3).tolist()
        sx, sy, sz = self.stddev
        return normalised(product(exponential((sx * x, sy * y, sz * z)), orientation))

    def reset(self) -> None:
        """Begin the draws again from the seed."""
        self._streams.restart()

    def state(self) -> Any:
        """Return what the next draws depend on, JSON-able."""
        return {"seed": self._streams.seed, "streams": self._streams.state()}

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""
        self._streams.restore(state["streams"], state["seed"])
