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

"""The Earth turns: what its rate adds to a sensor whose world is fixed to it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..samples import Vector
from ..schema import check_fields, parameter
from .rotations import ZERO

RATE = 7.292115e-5
"""[rad/s]; WGS 84, NIMA TR8350.2."""


@dataclass(frozen=True, eq=False)
class Earth:
    """Whether the Earth turns, and where on it the world is; axes east, north, up.

    A gyroscope then reads the Earth's rate as well, and an accelerometer that moves feels the
    Coriolis force. The centrifugal force is part of gravity. The world stays flat: its axes do not
    turn with the distance travelled.

    Raises
    ------
    ParameterError
        A value that is not allowed.
    """

    earth_rate: bool = parameter(
        False, "whether the gyroscope reads the turning of the Earth, and Coriolis acts", kind=bool
    )
    latitude: float = parameter(
        0.0, "where the world is on the Earth, north positive", "deg", lower=-90.0, upper=90.0
    )

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def rate(self) -> Vector:
        """Rate of the world [rad/s], world axes; zero where the Earth does not turn."""
        if not self.earth_rate:
            return ZERO
        latitude = math.radians(self.latitude)
        return (0.0, RATE * math.cos(latitude), RATE * math.sin(latitude))
