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

"""Imu truth in, motion out: a simulator's noiseless IMU, taken as is and moved to the mount."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..samples import Motion, Quaternion, Truth, Vector
from .intervals import NANOSECONDS
from .mount import Mount
from .rotations import ZERO, conjugate, cross, rotate
from .station import finite, frozen, usable_orientation

_STILL_RATE = 0.02
_ABOUT_ONE = 0.05
_ENOUGH = 50


class Reading(NamedTuple):
    """One Imu truth message in body axes, gravity included."""

    stamp: int
    rate: Vector
    force: Vector
    orientation: Quaternion | None


class ImuKinematics:
    """Passes a noiseless Imu on, in the sensor's place and axes.

    Parameters
    ----------
    mount : Mount
        Of the sensor with respect to the truth's IMU. A lever arm needs the change of rate, so
        the angular acceleration is that between two messages.
    gravity : float
        [m/s^2]
    gravity_included : bool
        Whether the truth contains the reaction to gravity, as a real accelerometer does; if not
        it is added through the orientation, which the truth must then have.
    warn : callable
        Takes a sentence.
    """

    def __init__(
        self, mount: Mount, gravity: float, gravity_included: bool, warn: Callable[[str], None]
    ) -> None:
        self._mount = mount
        self._gravity = gravity
        self._gravity_included = gravity_included
        self._check = _UnitCheck(warn)
        self._last: Reading | None = None

    def locate(self, truth: Truth) -> Reading | None:
        """Return the reading with gravity, or None where it cannot be used."""
        rate, force = truth.angular_velocity, truth.specific_force
        if rate is None or force is None or not finite(rate, force):
            return None
        orientation = truth.orientation
        if orientation is not None:
            orientation = usable_orientation(orientation)
        if not self._gravity_included:
            if orientation is None:
                return None
            up = rotate(conjugate(orientation), (0.0, 0.0, self._gravity))
            force = (force[0] + up[0], force[1] + up[1], force[2] + up[2])
        return Reading(truth.stamp, rate, force, orientation)

    def begin(self, reading: Reading) -> None:
        """Take `reading` as the baseline."""
        self._last = reading

    def jumps(self, _reading: Reading) -> bool:
        """Return False: without a position nothing teleports."""
        return False

    def state(self) -> Any:
        """Return what the next motion depends on, JSON-able."""
        return self._last

    def restore(self, state: Sequence[Any] | None) -> None:
        """Continue from what `state` returned."""
        self._last = None if state is None else Reading(*frozen(state))

    def advance(self, reading: Reading) -> Motion:
        """Return the motion since the last reading."""
        last, mount = self._last, self._mount
        assert last is not None
        self._last = reading
        dt = (reading.stamp - last.stamp) / NANOSECONDS
        if not self._check.settled:
            self._check.add(reading)
        w, force = reading.rate, reading.force
        if mount.lever is not None:
            alpha = tuple((b - a) / dt for a, b in zip(last.rate, w, strict=True))
            force = _moved(force, w, (alpha[0], alpha[1], alpha[2]), mount.lever)
        attitude = None if reading.orientation is None else mount.turned(reading.orientation)
        return Motion(dt, mount.to_sensor(w), mount.to_sensor(force), attitude)


def _moved(force: Vector, w: Vector, alpha: Vector, lever: Vector) -> Vector:
    """Return the specific force at `lever`: f + alpha x r + w x (w x r)."""
    tangential = cross(alpha, lever)
    inward = cross(w, cross(w, lever))
    return (
        force[0] + tangential[0] + inward[0],
        force[1] + tangential[1] + inward[1],
        force[2] + tangential[2] + inward[2],
    )


class _UnitCheck:
    """Warns once when a still stream shows |a| near 1: a source that counts in g."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.settled = False
        self._warn = warn
        self._count = 0

    def add(self, reading: Reading) -> None:
        """Take in one reading; any that moves or is not near 1 settles the question."""
        still = math.dist(reading.rate, ZERO) < _STILL_RATE
        near_one = abs(math.dist(reading.force, ZERO) - 1.0) < _ABOUT_ONE
        self._count += 1
        if not (still and near_one):
            self.settled = True
        elif self._count >= _ENOUGH:
            self.settled = True
            self._warn(
                "the Imu truth is still with |linear_acceleration| near 1: it looks like g, "
                "but must be in m/s^2 (REP-145)"
            )
