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

"""One IMU of the node: from truth to messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rclpy.node import Node

from ..attitude import AttitudeNoise
from ..calibration import Calibration
from ..checkpoint import save
from ..errors import InputError
from ..model.condition import SWITCHED_OFF, Condition
from ..model.imu import ImuModel
from ..motion.inertial import ImuKinematics
from ..motion.intervals import NANOSECONDS, Verdict
from ..motion.kinematics import PoseKinematics
from ..motion.mount import Mount
from ..motion.rotations import IDENTITY, ZERO
from ..pipeline import Kinematics, Pipeline, Sample
from ..profiles.fault_schedule import load_faults
from ..samples import Truth
from .deliverer import Deliverer
from .node_settings import COLDEST, HOTTEST
from .outbox import Outbox
from .outputs import Outputs
from .resuming import resume, snapshot
from .settings import Settings


class Instrument:
    """Joins pipeline, delivery and outputs.

    Parameters
    ----------
    node : Node
    settings : Settings
    warn : callable
        Takes a sentence.
    outbox : Outbox
        Takes what is published.
    name : str
        Of this IMU; empty where there is but one.

    Attributes
    ----------
    settings : Settings
        What holds now.
    pipeline : Pipeline
    delivery : Deliverer
    lost : int
        Samples without rate and specific force, by faults: no Imu was published of them.
    misfelt : int
        Temperatures on the topic that are none.

    Raises
    ------
    ImuNoiseError
        The fault schedule, or the path of the checkpoint, cannot be used.
    """

    def __init__(
        self,
        node: Node,
        settings: Settings,
        warn: Callable[[str], None],
        outbox: Outbox,
        name: str = "",
    ) -> None:
        self.name = name
        self.prefix = f"{name}/" if name else ""
        self.settings = settings
        self.lost = 0
        self.misfelt = 0
        self._refusal = ""
        self._placed = not settings.mount_source.from_tf
        self._warn = warn
        self._tell = node.get_logger().info
        common, fault, sensors = settings.node, settings.fault, tuple(settings.spec.triads())
        model = ImuModel(
            settings.spec,
            common.seed,
            covariance=common.covariance,
            faults=load_faults(fault.schedule, sensors) if fault.schedule else (),
        )
        model.inject(*fault.injected)
        attitude = None
        if common.orientation == "noisy":
            attitude = AttitudeNoise(model.seed, common.attitude_stddev)
        self.pipeline = Pipeline(
            settings.policy, self._kinematics(), model, warn, common.world_field, attitude
        )
        self.pipeline.temperature = common.temperature
        scale = settings.spec.increments_scale
        self._outputs = Outputs(node, common, scale, self.prefix, outbox)
        self.delivery = Deliverer(node, settings.delivery, model.seed, self._publish)
        self._last_checkpoint: int | None = None
        if settings.checkpoint.path and not settings.checkpoint.file.parent.is_dir():
            raise InputError(
                "checkpoint.path", settings.checkpoint.path, "must be in a folder that exists"
            )
        if settings.checkpoint.resume and settings.checkpoint.file.exists():
            resume(self, settings.checkpoint.file)
            self._tell(f"the run goes on from {settings.checkpoint.file}")

    def feed(self, truth: Truth) -> Sample | None:
        """Take in one truth message; return the sample that became of it, if any."""
        if not self.settings.node.enabled:
            self.pipeline.counts[Verdict.DISABLED] += 1
            return None
        if not self._placed:
            self.pipeline.counts[Verdict.NO_MOUNT] += 1
            return None
        sample = self.pipeline.feed(truth)
        if sample is not None:
            self.delivery.take(sample)
            if self.settings.checkpoint.period > 0.0:
                self._save_now_and_then(sample.stamp)
        return sample

    def retune(self, settings: Settings) -> None:
        """Go on with new settings; states are kept."""
        if settings.mount_source.from_tf:
            settings = replace(settings, mount=self.settings.mount)
        self._change(settings)

    def move(self, mount: Mount) -> None:
        """Sit there from now on."""
        known, was_placed = self.settings.mount, self._placed
        self._placed = True
        if was_placed and (mount.lever, mount.rotation) == (known.lever, known.rotation):
            return
        self._tell(
            f"mount from TF: {mount.lever or ZERO} m, quaternion {mount.rotation or IDENTITY}"
        )
        self._change(replace(self.settings, mount=mount))

    def _change(self, settings: Settings) -> None:
        before, self.settings = self.settings, settings
        pipeline = self.pipeline
        pipeline.model.retune(settings.spec)
        pipeline.model.covariance = settings.node.covariance
        if settings.node.temperature != before.node.temperature:
            pipeline.temperature = settings.node.temperature
        if settings.fault.injected != before.fault.injected:
            pipeline.model.inject(*settings.fault.injected)
        if pipeline.attitude is not None:
            pipeline.attitude.stddev = settings.node.attitude_stddev
        moved = _frame_facts(settings) != _frame_facts(before)
        pipeline.retune(settings.policy, self._kinematics() if moved else None)
        self.delivery.retune(settings.delivery)
        self._outputs.retune(settings.node, settings.spec.increments_scale)

    def save(self) -> Path:
        """Write a checkpoint; return where.

        Raises
        ------
        InputError
            There is no path, or the file cannot be written.
        """
        policy = self.settings.checkpoint
        if not policy.path:
            raise InputError("checkpoint.path", "", "must be given")
        save(policy.file, snapshot(self))
        return policy.file

    def calibrate(self) -> float:
        """Begin to calibrate; return how long it will take [s]."""
        duration = self.settings.calibration.duration
        self._refusal = ""
        self.pipeline.calibrate(duration, self._report)
        return duration

    def feel(self, temperature: float) -> None:
        """Take the temperature about the sensor [degC] from now on."""
        if COLDEST <= temperature <= HOTTEST:
            self.pipeline.temperature = temperature
            return
        if not self.misfelt:
            self._warn(
                f"temperature = {temperature:g}: must be from {COLDEST:g} to {HOTTEST:g} [degC]; "
                "it is ignored"
            )
        self.misfelt += 1

    def reset(self) -> None:
        """Begin the run again."""
        self.delivery.reset()
        self.pipeline.reset()

    def clock_jumped(self, before: int, now: int) -> None:
        """React to the ROS clock having jumped back from `before` to `now` [ns]."""
        self.delivery.flush()
        self.pipeline.clock_jumped(before, now)

    @property
    def calibration(self) -> str:
        """How far it is, or what it found."""
        if self.pipeline.is_calibrating:
            return "under way"
        if self._refusal:
            return f"refused: {self._refusal}"
        correction = self.pipeline.correction
        if correction is None:
            return "none"
        rate, force = (", ".join(f"{v:.4g}" for v in correction[k : k + 3]) for k in (0, 3))
        return f"taken off: [{rate}] rad/s, [{force}] m/s^2"

    @property
    def condition(self) -> Condition:
        """How the sensor is, and why."""
        if not self.settings.node.enabled:
            return SWITCHED_OFF
        return self.pipeline.model.condition

    def _publish(self, sample: Sample) -> None:
        self.lost += not self._outputs.publish(sample)
        warmth = self.pipeline.model.temperature
        if warmth is not None:
            self._outputs.publish_temperature(sample.stamp, float(warmth))

    def _report(self, calibration: Calibration) -> None:
        self._refusal = calibration.refusal
        tell = self._warn if self._refusal else self._tell
        tell(f"calibration {self.calibration}")

    def _save_now_and_then(self, stamp: int) -> None:
        last, period = self._last_checkpoint, self.settings.checkpoint.period
        if last is not None and 0 <= stamp - last < period * NANOSECONDS:
            return
        self._last_checkpoint = stamp
        try:
            self.save()
        except InputError as error:
            self._warn(str(error))

    def _kinematics(self) -> Kinematics:
        settings = self.settings
        node, mount = settings.node, settings.mount
        if node.truth_source == "imu":
            return ImuKinematics(mount, node.gravity, node.gravity_included, self._warn)
        distance = settings.policy.teleport_distance
        earth = settings.earth.rate
        twist_frame = node.twist_frame
        if node.truth_source == "tf":
            # TF has no twist; a fit over its poses has one.
            twist_frame = "body" if settings.frames.window else "pose"
        return PoseKinematics(mount, node.gravity, twist_frame, distance, self._warn, earth)


def _frame_facts(settings: Settings) -> tuple[object, ...]:
    """Return what the kinematics is built from."""
    node, mount = settings.node, settings.mount
    return (
        node.twist_frame,
        node.gravity,
        node.gravity_included,
        mount.lever,
        mount.rotation,
        settings.earth.rate,
        settings.policy.teleport_distance,
    )
