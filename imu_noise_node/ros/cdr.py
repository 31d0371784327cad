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

"""Truth read straight from a serialised message.

rclpy builds an object for every field of a message; of an Odometry we need thirteen numbers. Read
from the bytes (CDR as in the DDS Interoperability Protocol, section 10: little-endian, each number
aligned to its size counted from behind the four-byte header), a message costs a few microseconds
where the objects cost several tens, half of the node's time. What is not plain little-endian CDR
goes the ordinary way.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Imu

from ..samples import Truth
from .conversions import NANOSECONDS, imu_truth, odometry_truth

Decoder = Callable[[bytes], Truth]

PLAIN = b"\x00\x01\x00\x00"
ORIGIN = 4
_LENGTH = Struct("<I")
_STAMP_AND_LENGTH = Struct("<iII")
# Position and orientation, 36 covariances, twist.
_POSE_AND_TWIST = Struct("<7d288x6d")
# Orientation, rate and specific force, each with the first of its nine covariances.
_INERTIAL = Struct("<4dd64x3dd64x3dd64x")


def decode_odometry(raw: bytes) -> Truth:
    """Return what `conversions.odometry_truth` makes of the message in `raw`."""
    if raw[:ORIGIN] != PLAIN:
        return odometry_truth(deserialize_message(raw, Odometry))
    seconds, nanoseconds, length = _STAMP_AND_LENGTH.unpack_from(raw, ORIGIN)
    child = aligned(_STAMP_AND_LENGTH.size + length, 4)
    (length,) = _LENGTH.unpack_from(raw, ORIGIN + child)
    numbers = aligned(child + _LENGTH.size + length, 8)
    px, py, pz, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz = _POSE_AND_TWIST.unpack_from(
        raw, ORIGIN + numbers
    )
    return Truth(
        seconds * NANOSECONDS + nanoseconds,
        (px, py, pz),
        (qx, qy, qz, qw),
        (vx, vy, vz),
        (wx, wy, wz),
    )


def decode_imu(raw: bytes) -> Truth:
    """Return what `conversions.imu_truth` makes of the message in `raw`."""
    if raw[:ORIGIN] != PLAIN:
        return imu_truth(deserialize_message(raw, Imu))
    seconds, nanoseconds, length = _STAMP_AND_LENGTH.unpack_from(raw, ORIGIN)
    numbers = aligned(_STAMP_AND_LENGTH.size + length, 8)
    qx, qy, qz, qw, turned, wx, wy, wz, turns, fx, fy, fz, feels = _INERTIAL.unpack_from(
        raw, ORIGIN + numbers
    )
    return Truth(
        seconds * NANOSECONDS + nanoseconds,
        orientation=None if turned == -1.0 else (qx, qy, qz, qw),
        angular_velocity=None if turns == -1.0 else (wx, wy, wz),
        specific_force=None if feels == -1.0 else (fx, fy, fz),
    )


def aligned(offset: int, size: int) -> int:
    """Return the first multiple of `size`, a power of two, at or behind `offset`."""
    return (offset + size - 1) & -size
