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

"""The node: subscribes, calls the core, publishes. All decisions are made elsewhere."""

from __future__ import annotations

import re
import sys
from functools import partial
from typing import Any

import rclpy
from rclpy.clock import JumpThreshold, TimeJump
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import Temperature

from ..errors import ImuNoiseError
from ..model.plausible import implausible
from ..model.spec import figures_given
from ..samples import Truth
from .diagnostics import Diagnostics
from .greeting import first_sample, greeting
from .instrument import Instrument
from .interrupt import Interrupt
from .outbox import Outbox
from .parameters import NodeParameters
from .services import Services
from .settings import Settings
from .source import Source
from .sources import TruthSource
from .spinning import spin
from .tf_mounts import TfMounts
from .tf_source import TfSource

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
        self._outbox = Outbox()
        self._instruments = {
            name: Instrument(self, settings, partial(self._warn, name), self._outbox, name)
            for name, settings in parameters.settings.items()
        }
        self._source = self._subscribe(next(iter(parameters.settings.values())))
        placed = [i for i in self._instruments.values() if i.settings.mount_source.from_tf]
        self._mounts = TfMounts(self, placed) if placed else None
        self._thermometer = self.create_subscription(
            Temperature, "temperature", self._on_temperature, qos_profile_sensor_data
        )
        self._diagnostics = Diagnostics(self, self._source, self._instruments)
        self._offers = Services(self, self._instruments)
        self._jumps = self.get_clock().create_jump_callback(
            JumpThreshold(
                min_forward=Duration(nanoseconds=1),
                min_backward=Duration(nanoseconds=-1),
                on_clock_change=False,
            ),
            post_callback=self._on_jump,
        )
        parameters.follow(self, self._retune)
        self._sampled: set[str] = set()
        self._greet(parameters.given)

    def _subscribe(self, settings: Settings) -> Source:
        if settings.node.truth_source == "tf":
            return TfSource(self, settings.frames, settings.policy, self._on_truth)
        depth = settings.node.queue_depth
        return TruthSource(self, settings.node.truth_source, depth, self._on_burst)

    def finish(self) -> None:
        """Publish what is still on its way."""
        for instrument in self._instruments.values():
            instrument.delivery.flush()

    def _on_burst(self, truths: list[Truth]) -> None:
        with self._outbox:
            for truth in truths:
                self._on_truth(truth)

    def _on_truth(self, truth: Truth) -> None:
        self._diagnostics.heed()
        for name, instrument in self._instruments.items():
            sample = instrument.feed(truth)
            if sample is not None and name not in self._sampled:
                self._sampled.add(name)
                self.get_logger().info(_of(name, first_sample(sample)))

    def _on_temperature(self, message: Temperature) -> None:
        for instrument in self._instruments.values():
            instrument.feel(message.temperature)

    def _on_jump(self, jump: TimeJump) -> None:
        now = self.get_clock().now().nanoseconds
        if jump.delta.nanoseconds < 0:
            self._source.forget()
        for instrument in self._instruments.values():
            if jump.delta.nanoseconds >= 0:
                instrument.delivery.release()
            else:
                instrument.clock_jumped(now - jump.delta.nanoseconds, now)

    def _retune(self, changed: dict[str, Settings]) -> None:
        for name, settings in changed.items():
            if name == next(iter(self._instruments)):
                self._source.retune(settings.policy)
            instrument = self._instruments[name]
            known = implausible(instrument.settings.spec)
            instrument.retune(settings)
            for sentence in implausible(settings.spec):
                if sentence not in known:
                    self._warn(name, sentence)

    def _warn(self, name: str, sentence: str) -> None:
        self.get_logger().warning(_of(name, sentence))

    def _greet(self, given: dict[str, Any]) -> None:
        logger = self.get_logger()
        if not given:
            logger.warning(
                "all is at its default: if a parameter file was given, it must be keyed to '/**' "
                f"or to '{self.get_fully_qualified_name()}'"
            )
        for name, instrument in self._instruments.items():
            settings, seed = instrument.settings, instrument.pipeline.model.seed
            logger.info(_of(name, f"truth from {self._source.topic}, seed {seed}"))
            for line in greeting(settings.spec, settings.policy.rate, settings.node.profile):
                logger.info(_of(name, line))
            for sentence in implausible(settings.spec):
                self._warn(name, sentence)
            self._check_remap(name)
            if not any(figures_given(triad) for triad in settings.spec.triads().values()):
                self._warn(name, "no figure of the sensor is set, so it is perfect: set a profile")

    def _check_remap(self, name: str) -> None:
        """Warn of a remapping that would hold for one IMU, where this one has a name."""
        plain = self.resolve_topic_name("imu/data_raw")
        if name and plain != f"{self.get_namespace().rstrip('/')}/imu/data_raw":
            self._warn(
                name,
                f"imu/data_raw is remapped to {plain}, which nobody publishes on: with instances "
                f"remap {name}/imu/data_raw",
            )


def _of(name: str, sentence: str) -> str:
    """Say which IMU a sentence is about, where there are several."""
    return f"{name}: {sentence}" if name else sentence


def main(args: list[str] | None = None, interrupt: Interrupt | None = None) -> int:
    """Run the node until it is interrupted, maybe before this began; return the exit code."""
    interrupt = interrupt or Interrupt()
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
