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

"""The node and a peer that talks to it: one process, two DDS participants, no threads.

Nothing here waits for a time: every wait is for something to happen, and fails at its deadline.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

try:
    import rclpy
    from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
    from geometry_msgs.msg import Vector3Stamped
    from nav_msgs.msg import Odometry
    from rcl_interfaces.srv import (
        DescribeParameters,
        GetParameters,
        ListParameters,
        SetParameters,
        SetParametersAtomically,
    )
    from rclpy.executors import SingleThreadedExecutor
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
    from rosgraph_msgs.msg import Clock
    from sensor_msgs.msg import Imu

    from imu_noise_node.ros.node import ImuNoiseNode
except ModuleNotFoundError as missing:
    if str(missing.name).startswith("imu_noise_node"):
        raise
    pytest.skip(f"needs ROS 2: {missing.name} is not installed", allow_module_level=True)

try:
    from rclpy.experimental import EventsExecutor as Executor
except ImportError:
    Executor = SingleThreadedExecutor

__all__ = [
    "DEADLINE",
    "IDENTITY",
    "MS",
    "SECOND",
    "Clock",
    "DiagnosticArray",
    "DiagnosticStatus",
    "G",
    "Graph",
    "Imu",
    "ImuNoiseNode",
    "Odometry",
    "Parameter",
    "Vector3Stamped",
    "forces",
    "ideal",
    "odometry",
    "parked",
    "rates",
    "stamps",
    "vectors",
]

DEADLINE = 20.0
"""After so many seconds of waiting a test fails; far beyond what anything here takes."""

QUEUE = 10_000
_AT_ONCE = 1000
"""So many messages are sent before the node gets to take them, far fewer than its queue holds."""

ZERO = (0.0, 0.0, 0.0)
IDENTITY = (0.0, 0.0, 0.0, 1.0)
G = 9.80665
MS = 1_000_000
SECOND = 1_000_000_000


class Graph:
    """Starts nodes and talks to them as another process would.

    Parameters
    ----------
    domain : int
    read_stderr : callable
        Returns what this process has written to stderr since it was last called.
    """

    def __init__(self, domain: int, read_stderr: Callable[[], str]) -> None:
        self._domain = domain
        self._read_stderr = read_stderr
        self._stderr = ""
        self._members: list[tuple[Any, Any, Node]] = []
        self._publishers: dict[str, Any] = {}
        self._heard: dict[str, tuple[list[Any], Any]] = {}
        self._clients: dict[str, Any] = {}
        self.peer: Node = self._join(lambda **options: Node("peer", **options))
        self.node: ImuNoiseNode

    def start(
        self, parameters: dict[str, Any] | None = None, *arguments: str, **options: Any
    ) -> ImuNoiseNode:
        """Start a node with these parameters and command-line arguments; `node` is the last."""
        overrides = [Parameter(name, value=value) for name, value in (parameters or {}).items()]
        self.node = self._join(
            lambda **context: ImuNoiseNode(
                parameter_overrides=overrides,
                cli_args=list(arguments),
                **context,
                **options,
            )
        )
        return self.node

    def until(
        self, condition: Callable[[], Any], what: str, whose: Sequence[Node] | None = None
    ) -> None:
        """Serve the nodes in `whose`, all by default, until `condition` holds."""
        deadline = time.monotonic() + DEADLINE
        executors = [
            executor for _, executor, node in self._members if whose is None or node in whose
        ]
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"waited in vain for {what}; the log:\n{self.log}")
            for executor in executors:
                executor.spin_once(timeout_sec=0.0001)

    @property
    def log(self) -> str:
        """What has been logged so far."""
        self._stderr += self._read_stderr()
        return self._stderr

    @property
    def warnings(self) -> list[str]:
        """The lines of the log that are warnings or worse, without their prefix."""
        return [
            line.split("]: ", 1)[-1]
            for line in self.log.splitlines()
            if line.startswith(("[WARN]", "[ERROR]", "[FATAL]"))
        ]

    @property
    def counts(self) -> dict[str, int]:
        """How many truth messages became what, by the names that /diagnostics uses."""
        counted = self.node._instruments[""].pipeline.counts
        return {verdict.value: n for verdict, n in counted.items() if n}

    def publisher(self, kind: type, topic: str, reliable: bool = True, depth: int = QUEUE) -> Any:
        """Return a publisher; not yet matched."""
        reliability = ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
        return self.peer.create_publisher(
            kind, topic, QoSProfile(depth=depth, reliability=reliability)
        )

    def matched(self, kind: type, topic: str) -> Any:
        """Return a reliable publisher that all nodes here listen to, the same one every time."""
        if topic not in self._publishers:
            self._publishers[topic] = self.publisher(kind, topic)
        publisher = self._publishers[topic]
        ours = [
            subscription
            for node in self._nodes()
            for subscription in node.subscriptions
            if subscription.topic_name == topic
        ]
        self.until(
            lambda: publisher.get_subscription_count() >= max(1, len(ours)),
            f"the subscribers of {topic}",
        )
        self.until(
            lambda: all(subscription.get_publisher_count() for subscription in ours),
            f"the subscribers of {topic} to find their publisher",
        )
        return publisher

    def hear(self, topic: str, kind: type = Imu, reliable: bool = True) -> list[Any]:
        """Return the list that every message published on `topic` from now on goes to."""
        if topic not in self._heard:
            heard: list[Any] = []
            self._heard[topic] = heard, self.listen(topic, kind, heard.append, reliable)
        heard, subscription = self._heard[topic]
        self._await_publisher(subscription)
        return heard

    def listen(
        self, topic: str, kind: type, take: Callable[[Any], Any], reliable: bool = True
    ) -> Any:
        """Return a subscription that a publisher has been found for."""
        reliability = ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
        profile = QoSProfile(history=HistoryPolicy.KEEP_ALL, reliability=reliability)
        subscription = self.peer.create_subscription(kind, topic, take, profile)
        self._await_publisher(subscription)
        return subscription

    def send(
        self, messages: Sequence[Any], topic: str = "/odom", output: str = "/imu/data_raw"
    ) -> list[Imu]:
        """Publish truth, and return the samples that became of it, once every one is counted.

        Fails if a message is lost, or a sample.
        """
        heard = self.hear(output)
        publisher = self.matched(type(messages[0]), topic)
        before, samples_before, heard_before = self._taken(), self._samples(), len(heard)
        for start in range(0, len(messages), _AT_ONCE):
            part = messages[start : start + _AT_ONCE]
            for message in part:
                publisher.publish(message)
            taken = before + start + len(part)
            # One after the other: an executor with nothing to do takes its time.
            self.until(
                lambda n=taken: self._taken() >= n, f"{taken} messages counted", [self.node]
            )
            count = heard_before + self._samples() - samples_before
            self.until(lambda n=count: len(heard) >= n, f"{count} samples", [self.peer])
        assert self._taken() == before + len(messages)
        assert len(heard) == heard_before + self._samples() - samples_before
        return heard[heard_before:]

    def send_tf(self, messages: Sequence[Any]) -> list[Imu]:
        """Publish on /tf, and return the samples that became of it once all is taken.

        Not every message has a new pose, so they are counted as the buffer takes them.
        """
        heard = self.hear("/imu/data_raw")
        publisher = self.matched(type(messages[0]), "/tf")
        source = self.node._source
        last = messages[-1].transforms[-1]
        end = last.header.stamp.sec * SECOND + last.header.stamp.nanosec
        for start in range(0, len(messages), _AT_ONCE):
            part = messages[start : start + _AT_ONCE]
            for message in part:
                publisher.publish(message)
            newest = part[-1].transforms[-1]
            stamp = newest.header.stamp.sec * SECOND + newest.header.stamp.nanosec
            child = newest.child_frame_id.lstrip("/")
            self.until(
                lambda child=child, stamp=stamp: source._stamps.get(child, 0) >= stamp,
                "TF to be taken",
                [self.node],
            )
        assert source._stamps[last.child_frame_id.lstrip("/")] >= end
        self.until(lambda: len(heard) >= self._samples(), "the samples", [self.peer])
        return heard

    def diagnostics(self, name: str = "imu_noise") -> tuple[DiagnosticStatus, dict[str, str]]:
        """Return the next status of the node `name`, and its values."""
        heard = self.hear("/diagnostics", DiagnosticArray)
        count = len(heard)
        found: list[DiagnosticStatus] = []

        def published() -> bool:
            found[:] = [
                status
                for array in heard[count:]
                for status in array.status
                if status.name == f"{name}: samples"
            ]
            return bool(found)

        self.until(published, f"diagnostics of {name}")
        return found[-1], {value.key: value.value for value in found[-1].values}

    def call(self, kind: type, service: str, request: Any) -> Any:
        """Return the response of a service."""
        if service not in self._clients:
            self._clients[service] = self.peer.create_client(kind, service)
        client = self._clients[service]
        self.until(client.service_is_ready, f"the service {service}")
        # An answer to a client that the service has not found yet is lost. Of a node in another
        # process the graph here cannot tell.
        if self._nodes():
            self.until(
                lambda: any(node.count_clients(service) for node in self._nodes()),
                f"the service {service} to find its client",
            )
        future = client.call_async(request)
        self.until(future.done, f"an answer of {service}")
        return future.result()

    def set(self, name: str, value: Any, node: str = "/imu_noise") -> str:
        """Set a parameter as `ros2 param set` does; return the reason of a refusal, or ''."""
        (reason,) = self.set_each({name: value}, node)
        return reason

    def set_each(self, values: dict[str, Any], node: str = "/imu_noise") -> list[str]:
        """Set parameters one by one in one call; return the reasons of refusals."""
        request = SetParameters.Request(parameters=_messages(values))
        results = self.call(SetParameters, f"{node}/set_parameters", request).results
        return [_reason(result) for result in results]

    def set_together(self, values: dict[str, Any], node: str = "/imu_noise") -> str:
        """Set parameters all at once or not at all; return the reason of a refusal, or ''."""
        request = SetParametersAtomically.Request(parameters=_messages(values))
        service = f"{node}/set_parameters_atomically"
        return _reason(self.call(SetParametersAtomically, service, request).result)

    def names(self, node: str = "/imu_noise") -> list[str]:
        """Return the names of all parameters, as `ros2 param list` does."""
        request = ListParameters.Request()
        return list(self.call(ListParameters, f"{node}/list_parameters", request).result.names)

    def get(self, names: Sequence[str], node: str = "/imu_noise") -> dict[str, Any]:
        """Return the values of parameters, all in one call as `ros2 param dump` does."""
        request = GetParameters.Request(names=list(names))
        values = self.call(GetParameters, f"{node}/get_parameters", request).values
        return {
            name: Parameter.from_parameter_msg(_message(name, value)).value
            for name, value in zip(names, values, strict=True)
        }

    def describe(self, names: Sequence[str], node: str = "/imu_noise") -> dict[str, Any]:
        """Return the descriptors of parameters, as `ros2 param describe` does."""
        request = DescribeParameters.Request(names=list(names))
        found = self.call(DescribeParameters, f"{node}/describe_parameters", request)
        return dict(zip(names, found.descriptors, strict=True))

    def close(self) -> None:
        """End every node."""
        while self._members:
            _leave(*self._members.pop())

    def _join(self, make: Callable[..., Any]) -> Any:
        context = rclpy.Context()
        rclpy.init(args=[], context=context, domain_id=self._domain)
        try:
            node = make(context=context)
        except Exception:
            context.try_shutdown()
            raise
        executor = Executor(context=context)
        executor.add_node(node)
        self._members.append((context, executor, node))
        return node

    def _await_publisher(self, subscription: Any) -> None:
        """Wait until both sides have found each other; before, nothing is published to us."""
        topic = subscription.topic_name
        self.until(subscription.get_publisher_count, f"a publisher of {topic}")
        self.until(
            lambda: all(
                publisher.get_subscription_count()
                for node in self._nodes()
                for publisher in node.publishers
                if publisher.topic_name == topic
            ),
            f"the publisher of {topic} to find its subscriber",
        )

    def _nodes(self) -> list[Node]:
        return [node for _, _, node in self._members if node is not self.peer]

    def _taken(self) -> int:
        return sum(self.counts.values())

    def _samples(self) -> int:
        return self.counts.get("samples", 0)


def _leave(context: Any, executor: Any, node: Node) -> None:
    executor.shutdown()
    node.destroy_node()
    context.try_shutdown()


def _messages(values: dict[str, Any]) -> list[Any]:
    return [Parameter(name, value=value).to_parameter_msg() for name, value in values.items()]


def _message(name: str, value: Any) -> Any:
    message = Parameter(name).to_parameter_msg()
    message.value = value
    return message


def _reason(result: Any) -> str:
    assert result.successful == (not result.reason)
    return result.reason


def odometry(
    stamp: int,
    position: Sequence[float] = ZERO,
    orientation: Sequence[float] = IDENTITY,
    velocity: Sequence[float] = ZERO,
    rate: Sequence[float] = ZERO,
    child: str = "base_link",
) -> Odometry:
    """Return an Odometry at `stamp` [ns]."""
    message = Odometry()
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, SECOND)
    message.header.frame_id = "odom"
    message.child_frame_id = child
    pose, twist = message.pose.pose, message.twist.twist
    _fill(pose.position, position)
    _fill(pose.orientation, orientation)
    _fill(twist.linear, velocity)
    _fill(twist.angular, rate)
    return message


def parked(*stamps: int) -> list[Odometry]:
    """Return what a body at rest and level says at each stamp [ns]."""
    return [odometry(stamp) for stamp in stamps]


def ideal(
    stamp: int,
    rate: Sequence[float] = ZERO,
    force: Sequence[float] = (0.0, 0.0, G),
    orientation: Sequence[float] | None = IDENTITY,
) -> Imu:
    """Return an ideal Imu at `stamp` [ns]; orientation None says that it has none (REP-145)."""
    message = Imu()
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, SECOND)
    _fill(message.angular_velocity, rate)
    _fill(message.linear_acceleration, force)
    if orientation is None:
        message.orientation_covariance[0] = -1.0
    else:
        _fill(message.orientation, orientation)
    return message


def _fill(field: Any, values: Sequence[float]) -> None:
    for name, value in zip("xyzw", values, strict=False):
        setattr(field, name, float(value))


def stamps(messages: Sequence[Any]) -> list[int]:
    """Return the stamp of each message [ns]."""
    return [m.header.stamp.sec * SECOND + m.header.stamp.nanosec for m in messages]


def rates(messages: Sequence[Imu]) -> np.ndarray:
    """Return the angular velocities, shape (n, 3)."""
    return vectors([m.angular_velocity for m in messages])


def forces(messages: Sequence[Imu]) -> np.ndarray:
    """Return the linear accelerations, shape (n, 3)."""
    return vectors([m.linear_acceleration for m in messages])


def vectors(fields: Sequence[Any]) -> np.ndarray:
    """Return the x, y, z of each field, shape (n, 3)."""
    return np.array([[f.x, f.y, f.z] for f in fields]).reshape(-1, 3)
