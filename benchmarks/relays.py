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

"""What the node is measured against: programs that take Odometry and publish Imu, with no model.

`python -m benchmarks.relays KIND` runs one until it is interrupted. Each does less than the node:
it copies the stamp and the rate of turn and leaves everything else at its default.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import rclpy
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.experimental import EventsExecutor
from rclpy.node import Node
from rclpy.serialization import serialize_message
from sensor_msgs.msg import Imu

DEPTH = 1000


def plain(node: Node) -> None:
    """Relay as rclpy's tutorials do: a callback that makes a message and publishes it."""
    publisher = node.create_publisher(Imu, "imu/data_raw", DEPTH)

    def relay(truth: Odometry) -> None:
        message = Imu()
        message.header.stamp = truth.header.stamp
        message.header.frame_id = "imu_link"
        message.angular_velocity = truth.twist.twist.angular
        publisher.publish(message)

    node.create_subscription(Odometry, "odom", relay, DEPTH)


def reused(node: Node) -> None:
    """Relay with one message that is filled over and over."""
    publisher = node.create_publisher(Imu, "imu/data_raw", DEPTH)
    message = Imu()
    message.header.frame_id = "imu_link"

    def relay(truth: Odometry) -> None:
        message.header.stamp = truth.header.stamp
        message.angular_velocity = truth.twist.twist.angular
        publisher.publish(message)

    node.create_subscription(Odometry, "odom", relay, DEPTH)


def raw(node: Node) -> None:
    """Relay bytes for bytes: what is left when messages are neither read nor written."""
    publisher = node.create_publisher(Imu, "imu/data_raw", DEPTH)
    prepared = serialize_message(Imu())
    head, tail = prepared[:4], prepared[12:]

    def relay(truth: bytes) -> None:
        publisher.publish(head + truth[4:12] + tail)

    node.create_subscription(Odometry, "odom", relay, DEPTH, raw=True)


def spin_default(node: Node) -> None:
    """Spin on rclpy's default executor."""
    rclpy.spin(node)


def spin_events(node: Node) -> None:
    """Spin on the EventsExecutor; its own spin() delivers nothing in some releases."""
    executor = EventsExecutor()
    executor.add_node(node)
    while rclpy.ok():
        executor.spin_once(timeout_sec=1.0)


KINDS: dict[str, tuple[Callable[[Node], None], Callable[[Node], None]]] = {
    "plain": (plain, spin_default),
    "events": (reused, spin_events),
    "raw": (raw, spin_events),
}
"""How each kind relays, and how it waits."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    chosen, ros_arguments = parser.parse_known_args()
    relay, spin = KINDS[chosen.kind]
    rclpy.init(args=ros_arguments)
    node = Node(f"relay_{chosen.kind}")
    relay(node)
    try:
        spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
