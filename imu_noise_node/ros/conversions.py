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

"""Messages to records and back; the only place that knows the fields of messages."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Imu

from ..samples import Quaternion, Truth, Vector

NANOSECONDS = 1_000_000_000


def stamp_of(time: Time) -> int:
    """Return nanoseconds."""
    stamp: int = time.sec * NANOSECONDS + time.nanosec
    return stamp


def set_stamp(time: Time, stamp: int) -> None:
    """Write `stamp` [ns] into `time`."""
    time.sec, time.nanosec = divmod(stamp, NANOSECONDS)


def odometry_truth(message: Odometry) -> Truth:
    """Return pose and twist as they stand in the message."""
    pose, twist = message.pose.pose, message.twist.twist
    return Truth(
        stamp_of(message.header.stamp),
        vector_of(pose.position),
        quaternion_of(pose.orientation),
        vector_of(twist.linear),
        vector_of(twist.angular),
    )


def imu_truth(message: Imu) -> Truth:
    """Return rate, specific force and orientation, except what the message denies having.

    REP-145: then the first element of its covariance is -1.
    """
    turned = message.orientation_covariance[0] != -1.0
    turns = message.angular_velocity_covariance[0] != -1.0
    feels = message.linear_acceleration_covariance[0] != -1.0
    return Truth(
        stamp_of(message.header.stamp),
        orientation=quaternion_of(message.orientation) if turned else None,
        angular_velocity=vector_of(message.angular_velocity) if turns else None,
        specific_force=vector_of(message.linear_acceleration) if feels else None,
    )


def imu_values(message: Imu) -> tuple[float, ...]:
    """Return rate xyz [rad/s] and specific force xyz [m/s^2]."""
    return (*vector_of(message.angular_velocity), *vector_of(message.linear_acceleration))


def set_vector(field: object, values: list[float]) -> None:
    """Write three numbers into the x, y, z of a Vector3 or Point."""
    field.x, field.y, field.z = values  # type: ignore[attr-defined]


def set_quaternion(field: object, q: Quaternion) -> None:
    """Write x, y, z, w into a Quaternion message."""
    field.x, field.y, field.z, field.w = q  # type: ignore[attr-defined]


def vector_of(field: object) -> Vector:
    """Return x, y, z of a Vector3 or Point."""
    return (field.x, field.y, field.z)  # type: ignore[attr-defined]


def quaternion_of(field: object) -> Quaternion:
    """Return x, y, z, w of a Quaternion message."""
    return (field.x, field.y, field.z, field.w)  # type: ignore[attr-defined]
