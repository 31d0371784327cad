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

"""What both users of TF need of it: the package, which is optional, and its ways."""

from __future__ import annotations

from typing import Any

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from ..errors import MissingPackageError

LATCHED = QoSProfile(
    depth=100, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL
)
"""How /tf_static is published."""


def tf_package(purpose: str) -> tuple[Any, Any]:
    """Return the module tf2_ros and the class TFMessage.

    Raises
    ------
    MissingPackageError
        tf2_ros is not installed.
    """
    try:
        import tf2_ros
        from tf2_msgs.msg import TFMessage
    except ImportError:
        raise MissingPackageError(
            "tf2_ros", purpose, "sudo apt install ros-$ROS_DISTRO-tf2-ros-py"
        ) from None
    return tf2_ros, TFMessage


def frame_name(name: str) -> str:
    """Return a frame's name as TF 2 has it; TF 1 and some sources put a slash before it."""
    return name.lstrip("/")


def plain(transform: Any) -> Any:
    """Return `transform` with plain names of frames."""
    transform.header.frame_id = frame_name(transform.header.frame_id)
    transform.child_frame_id = frame_name(transform.child_frame_id)
    return transform
