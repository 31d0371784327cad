"""What the node publishes of a sample. Messages are made once and filled in place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from geometry_msgs.msg import Vector3Stamped
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import QoSOverridingOptions
from sensor_msgs.msg import Imu, MagneticField, Temperature

from ..motion.constant_vector import increments
from ..pipeline import Sample
from .arrows import Arrows
from .conversions import set_quaternion, set_stamp, set_vector
from .node_settings import NodeSettings

Array = NDArray[np.float64]


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
    """

    def __init__(self, node: Node, settings: NodeSettings, scale: float, prefix: str) -> None:
        depth, frame = settings.queue_depth, settings.frame_id
        self._place = (node, f"{prefix}imu/temperature", depth, frame)
        self._temperature: _TemperatureTopic | None = None
        self._raw = _ImuTopic(node, f"{prefix}imu/data_raw", depth, frame)
        self._full = (
            _ImuTopic(node, f"{prefix}imu/data", depth, frame)
            if settings.orientation != "none"
            else None
        )
        self._field = None
        if settings.magnetic_field is not None:
            self._field = _FieldTopic(node, f"{prefix}imu/mag", depth, frame)
        self._truth = _ImuTopic(node, f"~/{prefix}truth", depth, frame)
        self._biases = {
            name: _VectorTopic(node, f"~/{prefix}bias/{name}", depth, frame)
            for name in ("gyroscope", "accelerometer")
        }
        self._increments: tuple[_VectorTopic, ...] = ()
        if settings.increments:
            self._increments = tuple(
                _VectorTopic(node, f"{prefix}imu/{name}", depth, frame)
                for name in ("dtheta", "dv")
            )
        self._arrows = Arrows(node, frame, prefix) if settings.arrows else None
        self.retune(settings, scale)

    def retune(self, settings: NodeSettings, scale: float) -> None:
        """Report other standard deviations, and scale increments otherwise, from now on."""
        self._scale = scale
        self._reported_rate = _Reported(settings.angular_velocity_stddev)
        self._reported_force = _Reported(settings.linear_acceleration_stddev)
        self._reported_field = _Reported(settings.magnetic_field_stddev)
        self._orientation_covariance = _diagonal(settings.orientation_stddev)

    def publish(self, sample: Sample) -> bool:
        """Publish one sample on every topic that is configured or listened to.

        Returns
        -------
        bool
            False where rate and specific force are lost, and so there is no Imu.
        """
        measurement, stamp = sample.measurement, sample.stamp
        covariance = measurement.covariance
        rate = self._reported_rate.of(covariance[0:3, 0:3])
        force = self._reported_force.of(covariance[3:6, 3:6])
        values = measurement.values.tolist()
        if self._field is not None and not math.isnan(sum(values[6:9])):
            self._field.publish(stamp, values, self._reported_field.of(covariance[6:9, 6:9]))
        if math.isnan(sum(values)):
            lost = [all(map(math.isnan, values[k : k + 3])) for k in (0, 3)]
            if all(lost):
                return False
            if lost[0]:
                values[0:3], rate = [0.0] * 3, _UNKNOWN
            if lost[1]:
                values[3:6], force = [0.0] * 3, _UNKNOWN
        self._raw.fill(stamp, values, rate, force)
        self._raw.publish()
        if self._full is not None:
            self._full.fill(stamp, values, rate, force)
            if sample.estimate is not None:
                self._full.orient(sample.estimate, self._orientation_covariance)
            else:
                self._full.orient((0.0, 0.0, 0.0, 1.0), _UNKNOWN)
            self._full.publish()
        if self._increments:
            self._publish_increments(sample, values)
        if self._arrows is not None:
            self._arrows.publish(stamp, values)
        if self._truth.wanted():
            self._publish_truth(sample)
        gyroscope, accelerometer = self._biases.values()
        if gyroscope.wanted():
            gyroscope.publish(stamp, measurement.bias.angular_velocity)
        if accelerometer.wanted():
            accelerometer.publish(stamp, measurement.bias.linear_acceleration)
        return True

    def publish_temperature(self, stamp: int, temperature: float) -> None:
        """Publish the temperature of the sensor [degC]; the topic is there from the first time."""
        if self._temperature is None:
            self._temperature = _TemperatureTopic(*self._place)
        self._temperature.publish(stamp, temperature)

    def _publish_increments(self, sample: Sample, values: list[float]) -> None:
        (a, b, c, x, y, z), k = values[0:6], self._scale
        for topic, vector in zip(
            self._increments, increments((a, b, c), (x, y, z), sample.dt), strict=True
        ):
            topic.publish(sample.stamp, np.multiply(k, vector))

    def _publish_truth(self, sample: Sample) -> None:
        self._truth.fill(sample.stamp, sample.measurement.truth.values.tolist(), _ZERO, _ZERO)
        if sample.orientation is not None:
            self._truth.orient(sample.orientation, _ZERO)
        else:
            self._truth.orient((0.0, 0.0, 0.0, 1.0), _UNKNOWN)
        self._truth.publish()


_ZERO = np.zeros((3, 3))
_UNKNOWN = np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
"""REP-145: a first element of -1 says that the message has no such estimate."""


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


class _Topic:
    """A publisher and the one message that it publishes over and over."""

    def __init__(self, node: Node, topic: str, depth: int, frame: str, kind: type) -> None:
        profile = QoSProfile(
            history=HistoryPolicy.KEEP_LAST, depth=depth, reliability=ReliabilityPolicy.RELIABLE
        )
        self._publisher = node.create_publisher(
            kind,
            topic,
            profile,
            qos_overriding_options=QoSOverridingOptions.with_default_policies(),
        )
        self._message = kind()
        self._message.header.frame_id = frame
        self._stamp = self._message.header.stamp

    def wanted(self) -> bool:
        """Return whether anybody listens."""
        return bool(self._publisher.get_subscription_count())


class _VectorTopic(_Topic):
    def __init__(self, node: Node, topic: str, depth: int, frame: str) -> None:
        super().__init__(node, topic, depth, frame, Vector3Stamped)

    def publish(self, stamp: int, vector: Array) -> None:
        set_stamp(self._stamp, stamp)
        set_vector(self._message.vector, vector.tolist())
        self._publisher.publish(self._message)


class _TemperatureTopic(_Topic):
    def __init__(self, node: Node, topic: str, depth: int, frame: str) -> None:
        super().__init__(node, topic, depth, frame, Temperature)

    def publish(self, stamp: int, temperature: float) -> None:
        set_stamp(self._stamp, stamp)
        self._message.temperature = temperature
        self._publisher.publish(self._message)


class _FieldTopic(_Topic):
    def __init__(self, node: Node, topic: str, depth: int, frame: str) -> None:
        super().__init__(node, topic, depth, frame, MagneticField)
        self._covariance = self._message.magnetic_field_covariance.reshape(3, 3)

    def publish(self, stamp: int, values: list[float], covariance: Array) -> None:
        set_stamp(self._stamp, stamp)
        set_vector(self._message.magnetic_field, values[6:9])
        self._covariance[...] = covariance
        self._publisher.publish(self._message)


class _ImuTopic(_Topic):
    def __init__(self, node: Node, topic: str, depth: int, frame: str) -> None:
        super().__init__(node, topic, depth, frame, Imu)
        message = self._message
        self._rate, self._force = message.angular_velocity, message.linear_acceleration
        # NumPy views of the message's own arrays: a block assignment needs no conversion.
        self._rate_covariance = message.angular_velocity_covariance.reshape(3, 3)
        self._force_covariance = message.linear_acceleration_covariance.reshape(3, 3)
        self._orientation_covariance = message.orientation_covariance.reshape(3, 3)
        self._orientation_covariance[...] = _UNKNOWN

    def fill(self, stamp: int, values: list[float], rate: Array, force: Array) -> None:
        set_stamp(self._stamp, stamp)
        set_vector(self._rate, values[0:3])
        set_vector(self._force, values[3:6])
        self._rate_covariance[...] = rate
        self._force_covariance[...] = force

    def orient(self, orientation: tuple[float, float, float, float], covariance: Array) -> None:
        set_quaternion(self._message.orientation, orientation)
        self._orientation_covariance[...] = covariance

    def publish(self) -> None:
        self._publisher.publish(self._message)
