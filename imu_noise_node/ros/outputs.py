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

"""What the node publishes of a sample."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node

from ..motion.constant_vector import increments
from ..pipeline import Sample
from .arrows import Arrows
from .node_settings import NodeSettings
from .outbox import Outbox
from .topics import (
    UNKNOWN,
    ZERO,
    FieldTopic,
    ImuTopic,
    Numbers,
    Sender,
    TemperatureTopic,
    VectorTopic,
)

Array = NDArray[np.float64]

_LOOK = 1e-3
"""So often at most it is asked who listens [s]: the middleware takes its time to answer."""


class Outputs:
    """The publishers, reliable so that every kind of subscriber gets every message.

    Parameters
    ----------
    node : Node
    settings : NodeSettings
    scale : float
        Of the increments.
    prefix : str
        Before the topics of this IMU, with its slash.
    outbox : Outbox
        Takes what is published.
    """

    def __init__(
        self, node: Node, settings: NodeSettings, scale: float, prefix: str, outbox: Outbox
    ) -> None:
        sender = Sender(node, outbox, settings.queue_depth, settings.frame_id)
        self._place = (sender, f"{prefix}imu/temperature")
        self._temperature: TemperatureTopic | None = None
        self._raw = ImuTopic(sender, f"{prefix}imu/data_raw")
        self._full = (
            ImuTopic(sender, f"{prefix}imu/data") if settings.orientation != "none" else None
        )
        self._field = None
        if settings.magnetic_field is not None:
            self._field = FieldTopic(sender, f"{prefix}imu/mag")
        self._truth = ImuTopic(sender, f"~/{prefix}truth")
        self._biases = {
            name: VectorTopic(sender, f"~/{prefix}bias/{name}")
            for name in ("gyroscope", "accelerometer")
        }
        self._increments: tuple[VectorTopic, ...] = ()
        if settings.increments:
            self._increments = tuple(
                VectorTopic(sender, f"{prefix}imu/{name}") for name in ("dtheta", "dv")
            )
        self._looked = -math.inf
        self._listened: list[Callable[[Sample], None]] = []
        self._arrows = Arrows(node, settings.frame_id, prefix) if settings.arrows else None
        self.retune(settings, scale)

    def retune(self, settings: NodeSettings, scale: float) -> None:
        """Report other standard deviations, and scale increments otherwise, from now on."""
        self._scale = scale
        self._reported = (
            _Reported(settings.angular_velocity_stddev),
            _Reported(settings.linear_acceleration_stddev),
            _Reported(settings.magnetic_field_stddev),
        )
        self._covariance: Array | None = None
        self._orientation_covariance = _flat(_diagonal(settings.orientation_stddev))

    def publish(self, sample: Sample) -> bool:
        """Publish one sample on every topic that is configured or listened to.

        Returns
        -------
        bool
            False where rate and specific force are lost, and so there is no Imu.
        """
        measurement, stamp = sample.measurement, sample.stamp
        rate, force, *field = self._report(measurement.covariance)
        values = measurement.values.tolist()
        if self._field is not None and not math.isnan(sum(values[6:9])):
            self._field.publish(stamp, values, field[0])
        if math.isnan(sum(values)):
            lost = [all(map(math.isnan, values[k : k + 3])) for k in (0, 3)]
            if all(lost):
                return False
            if lost[0]:
                values[0:3], rate = [0.0] * 3, UNKNOWN
            if lost[1]:
                values[3:6], force = [0.0] * 3, UNKNOWN
        self._raw.fill(stamp, values, rate, force)
        self._raw.send()
        if self._full is not None:
            self._full.fill(stamp, values, rate, force)
            if sample.estimate is not None:
                self._full.orient(sample.estimate, self._orientation_covariance)
            else:
                self._full.orient((0.0, 0.0, 0.0, 1.0), UNKNOWN)
            self._full.send()
        if self._increments:
            self._publish_increments(sample, values)
        if self._arrows is not None:
            self._arrows.publish(stamp, values)
        for publish in self._wanted():
            publish(sample)
        return True

    def publish_temperature(self, stamp: int, temperature: float) -> None:
        """Publish the temperature of the sensor [degC]; the topic is there from the first time."""
        if self._temperature is None:
            self._temperature = TemperatureTopic(*self._place)
        self._temperature.publish(stamp, temperature)

    def _report(self, covariance: Array) -> list[Numbers]:
        """Return what to report of the covariance of all axes, nine numbers for each sensor."""
        # At a steady interval it is the same array every time.
        if covariance is not self._covariance:
            self._covariance = covariance
            triads = range(0, len(covariance), 3)
            self._known: list[Numbers] = [
                _flat(reported.of(covariance[k : k + 3, k : k + 3]))
                for reported, k in zip(self._reported, triads, strict=False)
            ]
        return self._known

    def _wanted(self) -> list[Callable[[Sample], None]]:
        """Return what publishes the topics that somebody listens to, of those seldom wanted."""
        now = time.monotonic()
        if now - self._looked > _LOOK:
            self._looked = now
            inside = (
                (self._truth, self._publish_truth),
                (self._biases["gyroscope"], self._publish_rate_bias),
                (self._biases["accelerometer"], self._publish_force_bias),
            )
            self._listened = [publish for topic, publish in inside if topic.wanted()]
        return self._listened

    def _publish_increments(self, sample: Sample, values: list[float]) -> None:
        (a, b, c, x, y, z), k = values[0:6], self._scale
        for topic, vector in zip(
            self._increments, increments((a, b, c), (x, y, z), sample.dt), strict=True
        ):
            topic.publish(sample.stamp, np.multiply(k, vector))

    def _publish_truth(self, sample: Sample) -> None:
        self._truth.fill(sample.stamp, sample.measurement.truth.values.tolist(), ZERO, ZERO)
        if sample.orientation is not None:
            self._truth.orient(sample.orientation, ZERO)
        else:
            self._truth.orient((0.0, 0.0, 0.0, 1.0), UNKNOWN)
        self._truth.send()

    def _publish_rate_bias(self, sample: Sample) -> None:
        bias = sample.measurement.bias.angular_velocity
        self._biases["gyroscope"].publish(sample.stamp, bias)

    def _publish_force_bias(self, sample: Sample) -> None:
        bias = sample.measurement.bias.linear_acceleration
        self._biases["accelerometer"].publish(sample.stamp, bias)


class _Reported:
    """Standard deviations that replace the true ones on the axes where they are not zero."""

    def __init__(self, stddev: Any) -> None:
        self._matrix = _diagonal(stddev)
        given = self._matrix.diagonal() > 0.0
        self._all, self._any = bool(given.all()), bool(given.any())
        self._where = given[:, None] | given

    def of(self, covariance: Array) -> Array:
        """Return what to report of an axis triple's covariance."""
        if not self._any:
            return covariance
        return self._matrix if self._all else np.where(self._where, self._matrix, covariance)


def _diagonal(stddev: Any) -> Array:
    return np.diag(np.broadcast_to(np.square(stddev), 3)).astype(np.float64)


def _flat(covariance: Array) -> list[float]:
    flat: list[float] = covariance.ravel().tolist()
    return flat
