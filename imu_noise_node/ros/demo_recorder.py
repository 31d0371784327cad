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

"""Records a truth and what several nodes make of it, then ends; a process of the demo."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Imu

from ..analysis.channels import Channel, save_channels
from ..motion.intervals import Verdict
from .conversions import imu_values, stamp_of
from .spinning import spin

INTERRUPTED = 130

_REPORT_PERIOD = 0.1
_QUIET = 2.5
"""Seconds without any change, while the nodes go on reporting once a second: nothing will come."""


class Recorder(Node):
    """Takes in every message, and knows from the nodes' diagnostics when no more will come.

    Parameters
    ----------
    truth : str
        Topic of the truth.
    namespaces : list of str
        Of the nodes, all called imu_noise.
    count : int
        Messages that the truth will have.

    Attributes
    ----------
    messages : dict of list of bytes
        By topic, as they were on the wire.
    counts : dict of dict of int
        By namespace: what that node says it made of the truth, by verdict.
    """

    def __init__(self, truth: str, namespaces: list[str], count: int) -> None:
        super().__init__("demo_recorder")
        self.messages: dict[str, list[bytes]] = {}
        self.counts: dict[str, dict[str, int]] = {}
        self._truth = truth
        self._count = count
        self._namespaces = {f"{ns.lstrip('/')}/imu_noise: samples": ns for ns in namespaces}
        self._changed = time.monotonic()
        self._heard: dict[str, float] = {}
        self._told = ""
        for namespace in namespaces:
            self._record(output_of(namespace), Imu)
        self.create_subscription(DiagnosticArray, "/diagnostics", self._on_diagnostics, 100)
        self.create_timer(_REPORT_PERIOD, self.tell, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def done(self) -> bool:
        """Whether everything has arrived, or what is missing never will."""
        truth = self.messages.get(self._truth)
        if not truth or len(self.counts) < len(self._namespaces):
            return False
        if len(truth) == self._count and all(map(self._is_complete, self.counts)):
            return True
        quiet = all(heard > self._changed + _QUIET for heard in self._heard.values())
        return quiet and not self.count_publishers(self._truth)

    def _record(self, topic: str, kind: type) -> None:
        # No message may be overwritten before it is taken, however late that is.
        profile = QoSProfile(
            history=HistoryPolicy.KEEP_LAST,
            depth=self._count,
            reliability=ReliabilityPolicy.RELIABLE,
        )
        messages = self.messages[topic] = []
        self.create_subscription(kind, topic, messages.append, profile, raw=True)

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            namespace = self._namespaces.get(status.name)
            if namespace is not None:
                values = {entry.key: entry.value for entry in status.values}
                counts = {v.value: int(values[v.value]) for v in Verdict}
                if counts != self.counts.get(namespace):
                    self._changed = time.monotonic()
                self.counts[namespace] = counts
                self._heard[namespace] = time.monotonic()
        # A node that is heard here was told of all subscriptions made before this one, so it has
        # a reader for its samples. Only then the truth, which waits for all of its own readers,
        # gets ours.
        if len(self.counts) == len(self._namespaces) and self._truth not in self.messages:
            self._record(self._truth, Odometry)

    def _is_complete(self, namespace: str) -> bool:
        counts = self.counts[namespace]
        recorded = len(self.messages[output_of(namespace)])
        return sum(counts.values()) == self._count and recorded == counts[Verdict.SAMPLE.value]

    def tell(self) -> None:
        """Say on stdout how far we are, whenever there is news."""
        received = sum(map(len, self.messages.values()))
        news = f"received {received}" if received else f"connected {len(self.counts)}"
        if news != self._told:
            self._changed = time.monotonic()
            self._told = news
            print(news, flush=True)


def output_of(namespace: str) -> str:
    """Return the topic of a node's samples."""
    return f"{namespace}/imu/data_raw"


def channel(topic: str, kind: Any, messages: list[bytes]) -> Channel:
    """Return the recorded `messages` of type `kind` as a channel."""
    decoded = [deserialize_message(message, kind) for message in messages]
    stamps = np.array([stamp_of(m.header.stamp) for m in decoded], dtype=np.int64)
    rows = [imu_values(m) for m in decoded] if kind is Imu else []
    values = np.array(rows, dtype=np.float64).reshape(len(messages), 6 if kind is Imu else 0)
    package = kind.__module__.partition(".")[0]
    return Channel(topic, f"{package}/msg/{kind.__name__}", stamps, messages, values)


def main() -> int:
    """Record until all is there, hand it over in a file; return the exit code."""
    options = _options()
    rclpy.init(args=[])
    try:
        recorder = Recorder(options.truth, options.nodes, options.count)
        spin(recorder, lambda: recorder.done)
        if not (rclpy.ok() and recorder.done):
            return INTERRUPTED
        recorder.tell()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        rclpy.try_shutdown()
    kinds = {options.truth: Odometry}
    topics = sorted(recorder.messages, key=lambda topic: topic != options.truth)
    channels = [channel(t, kinds.get(t, Imu), recorder.messages[t]) for t in topics]
    save_channels(options.output, channels, {"counts": recorder.counts})
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--truth", required=True, help="topic")
    parser.add_argument("--nodes", nargs="+", required=True, help="their namespaces")
    parser.add_argument("--count", type=int, required=True, help="truth messages to come")
    parser.add_argument("--output", type=Path, required=True, help="file for what was recorded")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
