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

"""What the sensor reads, as arrows for rviz2."""

from __future__ import annotations

from geometry_msgs.msg import Point
from rclpy.node import Node
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from .conversions import set_stamp

_PERIOD = 33_000_000
"""Time between two pictures [ns]: more than the eye can follow."""

_KINDS = (
    # Namespace, where its values are, metres per unit, colour.
    ("angular_velocity", 0, 0.5, ColorRGBA(r=0.84, g=0.37, b=0.0, a=1.0)),
    ("specific_force", 3, 0.1, ColorRGBA(r=0.0, g=0.45, b=0.7, a=1.0)),
)


class Arrows:
    """Publishes `~/arrows`, two arrows from the origin of the sensor's frame.

    Angular velocity is drawn half a metre long per rad/s, specific force a tenth per m/s^2.

    Parameters
    ----------
    node : Node
    frame : str
        The sensor's.
    prefix : str
        Before the topic's name, with its slash.
    """

    def __init__(self, node: Node, frame: str, prefix: str) -> None:
        self._publisher = node.create_publisher(MarkerArray, f"~/{prefix}arrows", 10)
        self._message = MarkerArray(
            markers=[_arrow(frame, name, color) for name, _, _, color in _KINDS]
        )
        self._last: int | None = None

    def publish(self, stamp: int, values: list[float]) -> None:
        """Draw rate and specific force, six numbers, if it is time to and somebody looks."""
        last = self._last
        if last is not None and 0 <= stamp - last < _PERIOD:
            return
        if not self._publisher.get_subscription_count():
            return
        self._last = stamp
        for marker, (_, first, scale, _) in zip(self._message.markers, _KINDS, strict=True):
            set_stamp(marker.header.stamp, stamp)
            tip = marker.points[1]
            tip.x, tip.y, tip.z = (scale * value for value in values[first : first + 3])
        self._publisher.publish(self._message)


def _arrow(frame: str, name: str, color: ColorRGBA) -> Marker:
    marker = Marker(ns=name, type=Marker.ARROW, action=Marker.ADD, color=color)
    marker.header.frame_id = frame
    marker.points = [Point(), Point()]
    # Diameters of shaft and head, and length of the head [m].
    marker.scale.x, marker.scale.y, marker.scale.z = 0.03, 0.06, 0.1
    return marker
