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

"""A smooth motion for a first look: a figure of eight, heading along it, rocking a little."""

from __future__ import annotations

import math

from ..samples import Truth, Vector
from .rotations import conjugate, from_rpy, rotate

_PERIOD = 20.0
"""Seconds for one round."""

_LENGTH, _WIDTH = 6.0, 3.0
"""Half of it, along x and along y [m]."""

_ROLL, _PITCH = 0.15, 0.10
"""How far it rocks [rad]."""

_ROCKING = 2.0 * math.pi / 3.0
"""How fast [rad/s]."""


def tour(stamp: int, elapsed: float) -> Truth:
    """Return the truth `elapsed` seconds after the start, pose and body twist telling one story.

    With roll r, pitch p and yaw y about fixed axes, the rate in body axes is
    (r' - y' sin p, p' cos r + y' sin r cos p, y' cos r cos p - p' sin r).
    """
    w = 2.0 * math.pi / _PERIOD
    a, b = w * elapsed, 2.0 * w * elapsed
    position = (_LENGTH * math.sin(a), _WIDTH * math.sin(b), 0.0)
    velocity = (w * _LENGTH * math.cos(a), 2.0 * w * _WIDTH * math.cos(b), 0.0)
    pull = (-w * w * _LENGTH * math.sin(a), -4.0 * w * w * _WIDTH * math.sin(b))
    speed2 = velocity[0] ** 2 + velocity[1] ** 2
    yaw = math.atan2(velocity[1], velocity[0])
    yawing = (velocity[0] * pull[1] - velocity[1] * pull[0]) / speed2
    roll, rolling = _rock(_ROLL, _ROCKING, elapsed)
    pitch, pitching = _rock(_PITCH, 0.7 * _ROCKING, elapsed)
    orientation = from_rpy(roll, pitch, yaw)
    sr, cr, sp, cp = math.sin(roll), math.cos(roll), math.sin(pitch), math.cos(pitch)
    rate: Vector = (
        rolling - yawing * sp,
        pitching * cr + yawing * sr * cp,
        yawing * cr * cp - pitching * sr,
    )
    return Truth(stamp, position, orientation, rotate(conjugate(orientation), velocity), rate)


def _rock(size: float, speed: float, elapsed: float) -> tuple[float, float]:
    """Return an angle that begins at rest [rad], and its rate [rad/s]."""
    phase = speed * elapsed
    return size * 0.5 * (1.0 - math.cos(phase)), size * 0.5 * speed * math.sin(phase)
