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

"""Topics that the node publishes on. Messages are made once and written over in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from geometry_msgs.msg import Vector3Stamped
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import Imu, MagneticField, Temperature

from ..samples import Quaternion
from .cdr_out import Bytes
from .outbox import Outbox

Array = NDArray[np.float64]
Numbers = Sequence[float]

ZERO = (0.0,) * 9
UNKNOWN = (-1.0, *ZERO[1:])
"""REP-145: a first element of -1 says that the message has no such estimate."""


class Sender(NamedTuple):
    """What the topics of one IMU have in common.

    Attributes
    ----------
    node : Node
    outbox : Outbox
        Takes what is published.
    depth : int
        Of each publisher's queue.
    frame : str
        The sensor's.
    """

    node: Node
    outbox: Outbox
    depth: int
    frame: str


class Topic:
    """A publisher and the one message that it publishes over and over."""

    def __init__(self, sender: Sender, topic: str, kind: type) -> None:
        profile = QoSProfile(
            history=HistoryPolicy.KEEP_LAST,
            depth=sender.depth,
            reliability=ReliabilityPolicy.RELIABLE,
        )
        self._publisher = sender.node.create_publisher(
            kind,
            topic,
            profile,
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )
        self._bytes = Bytes(kind, sender.frame)
        self._outbox = sender.outbox

    def wanted(self) -> bool:
        """Return whether anybody listens."""
        return bool(self._publisher.get_subscription_count())

    def send(self) -> None:
        """Publish what has been written."""
        self._outbox.send(self._publisher, self._bytes.message())


class VectorTopic(Topic):
    """Of a vector in the sensor's axes."""

    def __init__(self, sender: Sender, topic: str) -> None:
        super().__init__(sender, topic, Vector3Stamped)

    def publish(self, stamp: int, vector: Array) -> None:
        """Publish the three numbers of `vector`."""
        self._bytes.set_stamp(stamp)
        self._bytes.set(0, vector.tolist())
        self.send()


class TemperatureTopic(Topic):
    """Of a temperature."""

    def __init__(self, sender: Sender, topic: str) -> None:
        super().__init__(sender, topic, Temperature)

    def publish(self, stamp: int, temperature: float) -> None:
        """Publish a temperature [degC]."""
        self._bytes.set_stamp(stamp)
        self._bytes.set(0, (temperature,))
        self.send()


class FieldTopic(Topic):
    """Of a magnetic field."""

    def __init__(self, sender: Sender, topic: str) -> None:
        super().__init__(sender, topic, MagneticField)

    def publish(self, stamp: int, values: list[float], covariance: Numbers) -> None:
        """Publish what the magnetometer reads, the last three of nine values [T]."""
        self._bytes.set_stamp(stamp)
        self._bytes.set(0, (*values[6:9], *covariance))
        self.send()


_RATE = 13
"""Which of an Imu's numbers is the first of the rate: orientation and its covariance come before,
the covariance of the rate, specific force and its covariance behind."""


class ImuTopic(Topic):
    """Of rate and specific force; without orientation until one is written."""

    def __init__(self, sender: Sender, topic: str) -> None:
        super().__init__(sender, topic, Imu)
        self.orient((0.0, 0.0, 0.0, 1.0), UNKNOWN)

    def fill(self, stamp: int, values: list[float], rate: Numbers, force: Numbers) -> None:
        """Write rate and specific force, six values, and their covariances."""
        self._bytes.set_stamp(stamp)
        self._bytes.set(_RATE, (*values[0:3], *rate, *values[3:6], *force))

    def orient(self, orientation: Quaternion, covariance: Numbers) -> None:
        """Write the orientation and its covariance."""
        self._bytes.set(0, (*orientation, *covariance))
