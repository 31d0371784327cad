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

"""Where truth comes from: a subscription that takes what its publisher offers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSPolicyKind, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.timer import Timer
from sensor_msgs.msg import Imu

from ..errors import InputError
from ..samples import Truth
from .cdr import Decoder, decode_imu, decode_odometry
from .source import Source

try:
    from rclpy.event_handler import SubscriptionEventCallbacks
except ImportError:  # ROS 2 Humble
    from rclpy.qos_event import SubscriptionEventCallbacks

_KINDS: dict[str, tuple[str, type, Decoder]] = {
    "odometry": ("odom", Odometry, decode_odometry),
    "imu": ("imu/ideal", Imu, decode_imu),
}

_AT_ONCE = 32
"""Messages taken in one go; then whatever else there is to do has its turn."""

_QUEUE_POLICIES = (QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH)
_ALL_POLICIES = (*_QUEUE_POLICIES, QoSPolicyKind.RELIABILITY)


class TruthSource(Source):
    """Subscribes to the truth, reliably where the publisher offers that.

    The subscription keeps all. From a queue of limited depth the middleware drops the oldest
    message and tells nobody; without a limit of ours the queue takes what the middleware has room
    for, and what a reliable publisher gives up in the meantime is counted in `lost`.

    Parameters
    ----------
    node : Node
    kind : {"odometry", "imu"}
    depth : int
        Length of the queue where qos_overrides set its history to keep_last.
    take : callable
        Takes those that came together.

    Raises
    ------
    InputError
        The node would hear itself.
    """

    def __init__(
        self, node: Node, kind: str, depth: int, take: Callable[[list[Truth]], None]
    ) -> None:
        super().__init__(node)
        self._depth = depth
        self._take = take
        self._topic, self._type, self._decode = _KINDS[kind]
        full_name = node.resolve_topic_name(self._topic)
        if any(publisher.topic_name == full_name for publisher in node.publishers):
            raise InputError(self._topic, full_name, "is published by this node itself: remap one")
        override = f"qos_overrides.{full_name}.subscription.reliability"
        # rclpy has no public way to see an override before its parameter is declared. Once
        # declared it would also hold for the replacement, so it is only where it was given.
        self._fixed = override in node._parameter_overrides
        self._reliable = self._fixed or not self._offered_best_effort(full_name)
        self._subscription = self._subscribe()
        # A subscription cannot be replaced inside its own event; a timer does it right after.
        self._replacement: Timer | None = None

    def _offered_best_effort(self, name: str) -> bool:
        offers = self._node.get_publishers_info_by_topic(name)
        return any(o.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT for o in offers)

    def _subscribe(self) -> Any:
        reliability = (
            ReliabilityPolicy.RELIABLE if self._reliable else ReliabilityPolicy.BEST_EFFORT
        )
        return self._node.create_subscription(
            self._type,
            self._topic,
            self._receive,
            QoSProfile(history=HistoryPolicy.KEEP_ALL, depth=self._depth, reliability=reliability),
            event_callbacks=SubscriptionEventCallbacks(
                incompatible_qos=self._on_incompatible, message_lost=self._on_lost
            ),
            raw=True,
            qos_overriding_options=QoSOverridingOptions(
                _ALL_POLICIES if self._fixed else _QUEUE_POLICIES
            ),
        )

    def _receive(self, raw: bytes) -> None:
        """Take in a message, and those that wait behind it.

        An executor takes long over each message, so those that are here already are fetched
        without it. It then finds nothing where they were, which it is used to.
        """
        waiting = [raw]
        handle = self._subscription.handle
        with handle:
            while len(waiting) < _AT_ONCE:
                taken = handle.take_message(self._type, True)
                if taken is None:
                    break
                waiting.append(taken[0])
        decode = self._decode
        self._take([decode(each) for each in waiting])

    def _on_incompatible(self, _event: Any) -> None:
        if not self._reliable:
            return
        if self._fixed:
            self._node.get_logger().warning(
                f"a publisher on {self.topic} is best-effort and stays unheard: qos_overrides "
                "make the subscription reliable"
            )
            return
        self._reliable = False
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._replacement = self._node.create_timer(0.0, self._replace, clock=steady)

    def _on_lost(self, event: Any) -> None:
        self.lost += event.total_count_change

    def _replace(self) -> None:
        if self._replacement is not None:
            self._node.destroy_timer(self._replacement)
            self._replacement = None
        self._node.get_logger().info(
            f"a publisher on {self.topic} is best-effort: so is the subscription now"
        )
        self._node.destroy_subscription(self._subscription)
        self._subscription = self._subscribe()
