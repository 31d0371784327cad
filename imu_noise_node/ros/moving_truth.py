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

"""A truth to try the node with: publishes the Odometry of a body on a figure of eight."""

from __future__ import annotations

import sys

import rclpy
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

from ..errors import ParameterError
from ..motion.intervals import NANOSECONDS
from ..motion.rotations import IDENTITY, ZERO
from ..motion.tour import tour
from ..schema import Parameter, check
from .conversions import set_quaternion, set_stamp, set_vector
from .interrupt import Interrupt
from .spinning import spin

_QUEUE = 2000

BAD_INPUT = 2

RATE = Parameter("messages per second", "Hz", lower=1.0, upper=1000.0)


class MovingTruth(Node):
    """Publishes on `odom`, `rate` times a second; stamps are a steady grid from when it began.

    Raises
    ------
    ParameterError
        The rate is not allowed.
    """

    def __init__(self) -> None:
        super().__init__("moving_truth")
        facts = ParameterDescriptor(
            description=f"{RATE.meaning} [{RATE.unit}]", read_only=True, dynamic_typing=True
        )
        rate = check("rate", self.declare_parameter("rate", 200.0, facts).value, RATE)
        self._step = round(NANOSECONDS / rate)
        self._begin: int | None = None
        self._count = 0
        self._message = Odometry()
        self._message.header.frame_id = "odom"
        self._message.child_frame_id = "base_link"
        self._publisher = self.create_publisher(Odometry, "odom", _QUEUE)
        self._timer = self.create_timer(1.0 / rate, self._publish)

    def _publish(self) -> None:
        if self._begin is None:
            self._begin = self.get_clock().now().nanoseconds
        elapsed = self._count * self._step
        truth, message = tour(self._begin + elapsed, elapsed / NANOSECONDS), self._message
        self._count += 1
        pose, twist = message.pose.pose, message.twist.twist
        set_stamp(message.header.stamp, truth.stamp)
        set_vector(pose.position, list(truth.position or ZERO))
        set_quaternion(pose.orientation, truth.orientation or IDENTITY)
        set_vector(twist.linear, list(truth.velocity or ZERO))
        set_vector(twist.angular, list(truth.angular_velocity or ZERO))
        self._publisher.publish(message)


def main() -> int:
    """Publish until interrupted; return the exit code."""
    interrupt = Interrupt()
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    try:
        spin(MovingTruth(), lambda: interrupt.came)
    except ParameterError as error:
        print(f"moving_truth: {error}", file=sys.stderr)
        return BAD_INPUT
    finally:
        interrupt.ignore()
        rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
