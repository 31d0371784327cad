"""The node: subscribes, calls the core, publishes. All decisions are made elsewhere."""

from __future__ import annotations

import re
import sys
from typing import Any

import rclpy
from rclpy.clock import JumpThreshold, TimeJump
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import Temperature

from ..errors import ImuNoiseError
from ..model.spec import figures_given, implausible
from ..samples import Truth
from .diagnostics import Diagnostics
from .greeting import first_sample, greeting
from .instrument import Instrument
from .parameters import NodeParameters
from .services import Services
from .settings import Settings
from .sources import TruthSource
from .spinning import Interrupt, spin

BAD_INPUT = 2


class ImuNoiseNode(Node):
    """Truth in on `odom` or `imu/ideal`, an honest IMU out on `imu/data_raw`.

    Raises
    ------
    ImuNoiseError
        A parameter is unknown or not allowed.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__("imu_noise", **options)
        parameters = NodeParameters(self)
        settings = parameters.settings
        self._instrument = Instrument(self, settings, self._warn)
        self._source = TruthSource(
            self, settings.node.truth_source, settings.node.queue_depth, self._on_truth
        )
        self._thermometer = self.create_subscription(
            Temperature, "temperature", self._on_temperature, qos_profile_sensor_data
        )
        self._diagnostics = Diagnostics(self, self._source, self._instrument)
        self._offers = Services(self, self._instrument)
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(
                min_forward=Duration(nanoseconds=1),
                min_backward=Duration(nanoseconds=-1),
                on_clock_change=False,
            ),
            post_callback=self._on_jump,
        )
        parameters.follow(self, self._retune)
        self._sampled = False
        self._greet(parameters.given)

    def finish(self) -> None:
        """Publish what is still on its way."""
        self._instrument.delivery.flush()

    def _on_truth(self, truth: Truth) -> None:
        self._diagnostics.heed()
        sample = self._instrument.feed(truth)
        if sample is not None and not self._sampled:
            self._sampled = True
            self.get_logger().info(first_sample(sample))

    def _on_temperature(self, message: Temperature) -> None:
        self._instrument.feel(message.temperature)

    def _on_jump(self, jump: TimeJump) -> None:
        if jump.delta.nanoseconds >= 0:
            self._instrument.delivery.release()
            return
        now = self.get_clock().now().nanoseconds
        self._instrument.clock_jumped(now - jump.delta.nanoseconds, now)

    def _retune(self, settings: Settings) -> None:
        known = implausible(self._instrument.settings.spec)
        self._instrument.retune(settings)
        for sentence in implausible(settings.spec):
            if sentence not in known:
                self._warn(sentence)

    def _warn(self, sentence: str) -> None:
        self.get_logger().warning(sentence)

    def _greet(self, given: dict[str, Any]) -> None:
        logger, settings = self.get_logger(), self._instrument.settings
        seed = self._instrument.pipeline.model.seed
        logger.info(f"truth from {self._source.topic}, seed {seed}")
        for line in greeting(settings.spec, settings.policy.rate, settings.node.profile):
            logger.info(line)
        for sentence in implausible(settings.spec):
            logger.warning(sentence)
        if not given:
            logger.warning(
                "all is at its default: if a parameter file was given, it must be keyed to '/**' "
                f"or to '{self.get_fully_qualified_name()}'"
            )
        if not any(figures_given(triad) for triad in settings.spec.triads().values()):
            logger.warning("no figure of the sensor is set, so it is perfect: set a profile")


def main(args: list[str] | None = None) -> int:
    """Run the node until it is interrupted; return the exit code."""
    interrupt = Interrupt()
    try:
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        node = ImuNoiseNode()
    except ImuNoiseError as error:
        return _refuse(str(error))
    except Exception as error:
        # rcl's errors on arguments and parameter files have no common base class.
        if type(error).__module__.startswith("rclpy"):
            return _refuse(_explanation(error))
        raise
    try:
        spin(node, lambda: interrupt.came)
        if rclpy.ok():
            node.finish()
    finally:
        interrupt.ignore()
        rclpy.try_shutdown()
    return 0


def _refuse(sentence: str) -> int:
    print(f"imu_noise_node: {sentence}", file=sys.stderr)
    rclpy.try_shutdown()
    return BAD_INPUT


def _explanation(error: Exception) -> str:
    """Return what rcl's parser found wrong with arguments or parameter files."""
    text = " ".join(str(error).split()) or type(error).__name__
    # Where in rcl's sources it was found is of no use to whoever wrote the arguments.
    text = re.sub(r",? at \S+:\d+", "", text)
    hint = ""
    if type(error).__name__ == "UnknownROSArgsError":
        hint = "; it does not know"
    if "before ros__parameters" in text:
        hint = "; a sensor's profile is no parameter file, but goes into the parameter profile"
    if "same type" in text:
        hint = "; a list must be all integers or all decimals: write 0.0, not 0, beside 0.001"
    return f"ROS 2 refuses the arguments or a parameter file{hint}: {text}"


if __name__ == "__main__":
    sys.exit(main())
