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

"""From which truth to which motion: what the node knows beside the figures of its sensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..motion.inertial import ImuKinematics
from ..motion.intervals import TimePolicy
from ..motion.kinematics import TWIST_FRAMES, PoseKinematics
from ..motion.mount import Mount
from ..pipeline import Kinematics
from ..schema import check_fields, parameter
from .stream import IMU, POSE, TruthStream
from .tape import Progress, Tape, record


@dataclass(frozen=True, eq=False)
class Scene:
    """Where the sensor sits, and how truth is to be read; names and defaults are the node's.

    Raises
    ------
    ParameterError
        A value that is not allowed.
    """

    twist_frame: str = parameter(
        "body",
        "axes of the odometry's twist; pose ignores the twist and differentiates positions",
        kind=str,
        choices=TWIST_FRAMES,
    )
    gravity: float = parameter(9.80665, "acceleration of gravity", "m/s^2", lower=0.0)
    gravity_included: bool = parameter(
        True,
        "whether Imu truth contains the reaction to gravity; if not, it is added",
        kind=bool,
    )
    policy: TimePolicy = field(default_factory=TimePolicy)
    mount: Mount = field(default_factory=Mount)

    def __post_init__(self) -> None:
        check_fields(self)

    def record(self, stream: TruthStream, progress: Progress | None = None) -> Tape:
        """Return the captures of a truth."""

        def kinematics(warn: Callable[[str], None]) -> Kinematics:
            return self._kinematics(stream.kind, warn)

        return record(stream.truths(), len(stream), self.policy, kinematics, progress)

    def _kinematics(self, kind: str, warn: Callable[[str], None]) -> Kinematics:
        if kind == IMU:
            return ImuKinematics(self.mount, self.gravity, self.gravity_included, warn)
        frame = "pose" if kind == POSE else self.twist_frame
        return PoseKinematics(self.mount, self.gravity, frame, self.policy.teleport_distance, warn)
