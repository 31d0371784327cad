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

"""Drives a node or relay: publishes Odometry, takes the Imu that comes out, reads the clock.

Messages go out and come in as bytes, so that the driver is the faster side. Their stamps are
evenly spaced, whatever the rate at which they go out.
"""

from __future__ import annotations

import contextlib
import itertools
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import rclpy
from nav_msgs.msg import Odometry
from rclpy.executors import Executor
from rclpy.experimental import EventsExecutor
from rclpy.node import Node
from rclpy.serialization import serialize_message
from sensor_msgs.msg import Imu

from imu_noise_node import Truth
from imu_noise_node.motion.rotations import IDENTITY, ZERO
from imu_noise_node.ros.conversions import set_quaternion, set_stamp, set_vector

from .pipeline import circling

_DEPTH = 1000
_OWN_DEPTH = 100_000
"""So deep that what is lost was lost on the other side, even if the driver is late."""

WINDOW = 100
"""Messages on their way at once while the rate is as high as it goes."""

_PATIENCE = 10.0
_STAMP = struct.Struct("<iI")
_AFTER_HEADER = 4


@dataclass
class Passage:
    """Messages that went through, or did not.

    Attributes
    ----------
    sent : list of float
        When each was published [s].
    received : dict of int to float
        When each came out [s], by its number.
    """

    sent: list[float] = field(default_factory=list)
    received: dict[int, float] = field(default_factory=dict)

    @property
    def lost(self) -> int:
        """How many never came out."""
        return len(self.sent) - len(self.received)

    @property
    def latencies(self) -> list[float]:
        """From publishing to receiving [s]."""
        return [end - self.sent[number] for number, end in self.received.items()]

    @property
    def spacing(self) -> float:
        """Mean time from one output to the next [s], once the window is under way."""
        ends = list(self.received.values())[WINDOW:]
        return (ends[-1] - ends[0]) / (len(ends) - 1)


class Link:
    """The two topics of one node or relay, which runs in the namespace `name`."""

    def __init__(self, node: Node, executor: Executor, name: str, truth: Iterator[Truth]) -> None:
        self._executor = executor
        self._truth = truth
        self._numbers: dict[tuple[int, int], int] = {}
        self._messages: Iterator[bytes] = iter(())
        self._replies = False
        self._passage = Passage()
        self._publisher = node.create_publisher(Odometry, f"/{name}/odom", _DEPTH)
        self._subscription = node.create_subscription(
            Imu, f"/{name}/imu/data_raw", self._receive, _OWN_DEPTH, raw=True
        )

    def begin(self) -> None:
        """Wait until messages pass; the first may only be a baseline."""
        deadline = time.monotonic() + 3.0 * _PATIENCE
        while self.pace(2, 100.0, patience=0.1).lost:
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing comes out of {self._subscription.topic_name}")

    def saturate(self, count: int) -> Passage:
        """Keep `WINDOW` messages on their way until `count` have passed: one out, one in."""
        self._prepare(count, replies=True)
        for _ in range(WINDOW):
            self._send()
        passage = self._finish(count, _PATIENCE)
        if len(passage.received) < 2 * WINDOW:
            raise TimeoutError(f"hardly anything comes out of {self._subscription.topic_name}")
        return passage

    def pace(self, count: int, rate: float, patience: float = _PATIENCE) -> Passage:
        """Publish `count` messages at `rate` [Hz], whether or not they pass in time."""
        self._prepare(count, replies=False)
        begin = time.perf_counter()
        for number in range(count):
            due = begin + number / rate
            while True:
                rest = due - time.perf_counter()
                self._executor.spin_once(timeout_sec=max(0.0, rest))
                if rest <= 0.0:
                    break
            self._send()
        return self._finish(count, patience)

    def _prepare(self, count: int, replies: bool) -> None:
        truths = list(itertools.islice(self._truth, count))
        self._numbers = {divmod(t.stamp, 1_000_000_000): i for i, t in enumerate(truths)}
        self._messages = iter([_serialised(truth) for truth in truths])
        self._replies = replies
        self._passage = Passage()

    def _send(self) -> None:
        message = next(self._messages, None)
        if message is not None:
            self._passage.sent.append(time.perf_counter())
            self._publisher.publish(message)

    def _receive(self, message: bytes) -> None:
        """Take in a message, and those that wait behind it, without asking the executor again."""
        self._note(message)
        handle = self._subscription.handle
        with handle:
            for _ in range(WINDOW):
                taken = handle.take_message(Imu, True)
                if taken is None:
                    return
                self._note(taken[0])

    def _note(self, message: bytes) -> None:
        now = time.perf_counter()
        number = self._numbers.get(_STAMP.unpack_from(message, _AFTER_HEADER))
        if number is not None:
            self._passage.received[number] = now
            if self._replies:
                self._send()

    def _finish(self, count: int, patience: float) -> Passage:
        deadline = time.monotonic() + patience
        while len(self._passage.received) < count and time.monotonic() < deadline:
            self._executor.spin_once(timeout_sec=0.05)
        return self._passage


@contextlib.contextmanager
def links(
    names: list[str], truth: Callable[[], Iterator[Truth]] = circling
) -> Iterator[dict[str, Link]]:
    """Give a link to each node or relay, ready for use."""
    context = rclpy.Context()
    rclpy.init(context=context, args=[])
    try:
        node = Node("driver", context=context)
        executor = EventsExecutor(context=context)
        executor.add_node(node)
        found = {name: Link(node, executor, name, truth()) for name in names}
        for link in found.values():
            link.begin()
        yield found
    finally:
        context.try_shutdown()


def _serialised(truth: Truth) -> bytes:
    message = Odometry()
    message.header.frame_id = "odom"
    message.child_frame_id = "base_link"
    set_stamp(message.header.stamp, truth.stamp)
    pose, twist = message.pose.pose, message.twist.twist
    set_vector(pose.position, list(truth.position or ZERO))
    set_quaternion(pose.orientation, truth.orientation or IDENTITY)
    set_vector(twist.linear, list(truth.velocity or ZERO))
    set_vector(twist.angular, list(truth.angular_velocity or ZERO))
    return bytes(serialize_message(message))
