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

"""Where the sensor sits on the body."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..samples import Quaternion, Vector
from ..schema import check_fields, parameter
from .rotations import IDENTITY, ZERO, conjugate, cross, from_rpy, normalised, product, rotate


@dataclass(frozen=True, eq=False)
class Mount:
    """Position and orientation of the sensor on the body; at its origin by default.

    Raises
    ------
    ParameterError
        A value that is not three finite numbers.
    """

    translation: Vector = parameter(
        ZERO, "position of the sensor in the body frame", "m", shape=(3,)
    )
    rpy: Vector = parameter(
        ZERO,
        "roll, pitch, yaw of the sensor in the body frame, fixed axes",
        "rad",
        shape=(3,),
        # More than a turn is a figure in degrees.
        lower=-2.0 * math.pi,
        upper=2.0 * math.pi,
    )

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    def at(cls, translation: Vector, rotation: Quaternion) -> Mount:
        """Return a mount turned by a quaternion, sensor to body, rather than by angles."""
        mount = cls(translation)
        # In place of what the property would make of the angles.
        mount.__dict__["rotation"] = None if rotation == IDENTITY else normalised(rotation)
        return mount

    @cached_property
    def lever(self) -> Vector | None:
        """The sensor's position in the body frame [m]; None at the origin."""
        x, y, z = (float(v) for v in np.asarray(self.translation))
        return (x, y, z) if x or y or z else None

    @cached_property
    def rotation(self) -> Quaternion | None:
        """Sensor to body; None where their axes agree."""
        roll, pitch, yaw = (float(v) for v in np.asarray(self.rpy))
        return from_rpy(roll, pitch, yaw) if roll or pitch or yaw else None

    @cached_property
    def _inverse(self) -> Quaternion | None:
        return None if self.rotation is None else conjugate(self.rotation)

    def turned(self, orientation: Quaternion) -> Quaternion:
        """Return sensor to world from body to world."""
        return orientation if self.rotation is None else product(orientation, self.rotation)

    def to_sensor(self, v: Vector) -> Vector:
        """Return a vector in sensor axes from one in body axes."""
        return v if self._inverse is None else rotate(self._inverse, v)

    def lever_velocity(self, orientation: Quaternion, rate: Vector) -> Vector:
        """Return R (w x r) [m/s], world axes: what turning adds to the body origin's velocity."""
        return ZERO if self.lever is None else rotate(orientation, cross(rate, self.lever))

    def lever_position(self, orientation: Quaternion) -> Vector:
        """Return R r [m], world axes."""
        return ZERO if self.lever is None else rotate(orientation, self.lever)
