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

"""Where the sensor is at one truth message, and what makes a message unusable."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any, NamedTuple

from ..samples import Quaternion, Vector
from .rotations import norm

NORM_TOLERANCE = 0.01
"""A quaternion whose length is off by more is an error in the source, not rounding."""


ABSURD = 1e30
"""No motion comes near, in whatever unit, and what is worked out of less does not overflow."""


class Station(NamedTuple):
    """The sensor at one truth message."""

    stamp: int
    origin: Vector
    """Body origin in the world [m]."""
    position: Vector
    """Sensor in the world [m]."""
    orientation: Quaternion
    """Sensor to world."""
    body_velocity: Vector
    """Velocity of the body origin [m/s], world axes."""
    velocity: Vector
    """Velocity of the sensor [m/s], world axes."""
    rate: Vector
    """Angular rate [rad/s], sensor axes; zero where the twist is not used."""
    other_velocity: Vector
    """The velocity if the twist were in the other frame, for the consistency check."""


def usable_orientation(q: Quaternion) -> Quaternion | None:
    """Return `q` normalised, or None where it is not finite or its length is not near 1."""
    n = norm(q)
    if not abs(n - 1.0) <= NORM_TOLERANCE:
        return None
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


def frozen(values: Any) -> Any:
    """Return nested lists, as JSON has them, as nested tuples."""
    return tuple(map(frozen, values)) if isinstance(values, list | tuple) else values


def finite(*vectors: Vector) -> bool:
    """Return whether every component is a number that a motion could have."""
    return math.hypot(*chain.from_iterable(vectors)) < ABSURD
