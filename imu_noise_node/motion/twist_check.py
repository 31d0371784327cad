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

"""Whether a twist is what it is said to be, judged by how the pose changes."""

from __future__ import annotations

from collections.abc import Callable

from ..samples import Vector
from .station import Station

_ENOUGH = 50
"""Intervals that can tell right from wrong before a verdict is given."""

_TELLING = 0.05
"""Two readings that differ by less [m/s], and a turn slower than this [rad/s], tell nothing."""

_CLEARLY = 4.0
"""By how much the other reading's squared error must be smaller."""

_OFF = 0.25
"""A velocity is wrong whose squared error is more than this part of the squared true one."""

_MOST = 0.9
"""So many of the intervals must be wrong."""


class TwistCheck:
    """Compares the change of position and attitude with the twist, then settles.

    The linear part is read in body axes and in world axes; it may also be missing, all zero while
    the body moves.

    Parameters
    ----------
    twist_frame : {"body", "world"}
        The reading in use.
    warn : callable
        Called with a sentence, once for the linear and once for the angular part, if it is wrong.
    """

    def __init__(self, twist_frame: str, warn: Callable[[str], None]) -> None:
        self._twist_frame = twist_frame
        self._warn = warn
        self._knows_velocity = self._knows_rate = False
        self._missing = self._count = self._moves = self._wrong_moves = 0
        self._error = self._other_error = 0.0
        self._turns = self._wrong_turns = 0

    @property
    def settled(self) -> bool:
        """Whether both verdicts have been given."""
        return self._knows_velocity and self._knows_rate

    def add(self, dt: float, last: Station, station: Station, phi: Vector) -> None:
        """Take in one interval of `dt` [s] over which the sensor turned by `phi` [rad]."""
        if not self._knows_velocity:
            self._add_velocity(dt, last, station)
        if not self._knows_rate and _squared(phi) > (_TELLING * dt) ** 2:
            self._add_rate(dt, last, station, phi)

    def _add_velocity(self, dt: float, last: Station, station: Station) -> None:
        used = _sum(last.body_velocity, station.body_velocity)
        other = _sum(last.other_velocity, station.other_velocity)
        p0, p1 = last.origin, station.origin
        k = 2.0 / dt
        moved = (k * (p1[0] - p0[0]), k * (p1[1] - p0[1]), k * (p1[2] - p0[2]))
        speed = _squared(moved)
        if speed > (2.0 * _TELLING) ** 2:
            self._moves += 1
            self._missing += used == other == (0.0, 0.0, 0.0)
            nearest = min(_squared(_difference(moved, u)) for u in (used, other))
            self._wrong_moves += nearest > _OFF * speed
        if _squared(_difference(used, other)) >= (2.0 * _TELLING) ** 2:
            self._error += _squared(_difference(moved, used))
            self._other_error += _squared(_difference(moved, other))
            self._count += 1
        if self._missing >= _ENOUGH:
            self._knows_velocity = True
            self._warn(
                "the odometry's velocity is zero although its positions move: set twist_frame to "
                f"'pose' to ignore the twist (now '{self._twist_frame}')"
            )
        elif self._moves >= _ENOUGH and self._wrong_moves > _MOST * self._moves:
            self._knows_velocity = True
            self._warn(
                "the odometry's velocity does not agree with its own positions, in whichever axes "
                "it is read: correct it at its source, or set twist_frame to 'pose' (now "
                f"'{self._twist_frame}') to ignore the twist"
            )
        elif self._count >= _ENOUGH:
            self._judge_frame()

    def _judge_frame(self) -> None:
        self._knows_velocity = True
        if self._error > _CLEARLY * self._other_error:
            right = "world" if self._twist_frame == "body" else "body"
            self._warn(
                f"the odometry's velocity does not agree with its own positions; it does when it "
                f"is read in {right} axes: set twist_frame to '{right}' "
                f"(now '{self._twist_frame}'), or to 'pose' to ignore the twist"
            )

    def _add_rate(self, dt: float, last: Station, station: Station, phi: Vector) -> None:
        turned = (phi[0] / dt, phi[1] / dt, phi[2] / dt)
        x, y, z = _sum(last.rate, station.rate)
        error = _squared(_difference((0.5 * x, 0.5 * y, 0.5 * z), turned))
        self._turns += 1
        self._wrong_turns += error > _OFF * _squared(turned)
        if self._turns < _ENOUGH:
            return
        self._knows_rate = True
        if self._wrong_turns > _MOST * self._turns:
            self._warn(
                "the odometry's angular velocity does not agree with how its orientation turns: "
                f"correct it at its source, or set twist_frame to 'pose' (now "
                f"'{self._twist_frame}') to ignore the twist"
            )


def _sum(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _difference(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _squared(a: Vector) -> float:
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
