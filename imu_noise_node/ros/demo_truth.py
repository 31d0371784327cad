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

"""Publishes the truth of a parked body as fast as it can; a process of the demo."""

from __future__ import annotations

import argparse
import sys
import time

import rclpy
from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy

from .conversions import set_stamp

INTERRUPTED = 130


def main() -> int:
    """Wait for all listeners, publish, wait until all has arrived; return the exit code."""
    options = _options()
    rclpy.init(args=[])
    try:
        node = Node("demo_truth")
        publisher = node.create_publisher(
            Odometry,
            options.topic,
            QoSProfile(
                history=HistoryPolicy.KEEP_LAST,
                depth=options.count,
                reliability=ReliabilityPolicy.RELIABLE,
            ),
        )
        while rclpy.ok() and publisher.get_subscription_count() < options.listeners:
            time.sleep(0.02)
        if rclpy.ok():
            _publish(publisher, options)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        rclpy.try_shutdown()
    return 0


def _publish(publisher: Publisher, options: argparse.Namespace) -> None:
    message = Odometry()
    message.header.frame_id = "odom"
    message.child_frame_id = "base_link"
    message.pose.pose.orientation.w = 1.0
    for k in range(options.count):
        set_stamp(message.header.stamp, options.start + k * options.step)
        publisher.publish(message)
    publisher.wait_for_all_acked(Duration(seconds=10))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--listeners", type=int, required=True, help="subscriptions to wait for")
    parser.add_argument("--count", type=int, required=True, help="messages")
    parser.add_argument("--start", type=int, required=True, help="first stamp [ns]")
    parser.add_argument("--step", type=int, required=True, help="between stamps [ns]")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
