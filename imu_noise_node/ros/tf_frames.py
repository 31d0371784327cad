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

"""Between which frames TF tells the truth or the mount; no rclpy here."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ParameterError
from ..schema import check_fields, parameter


@dataclass(frozen=True, eq=False)
class TfFrames:
    """Which frames of TF count."""

    world_frame: str = parameter(
        "odom", "frame in which the body moves, for truth_source tf", kind=str, live=False
    )
    body_frame: str = parameter(
        "base_link",
        "frame of the body, for truth_source tf and mount.from_tf",
        kind=str,
        live=False,
    )
    window: int = parameter(
        0,
        "poses of TF that a quadratic is fitted to against their noise, an odd number; samples "
        "come half a window late; 0 differences the poses as they are",
        kind=int,
        lower=0,
        upper=1001,
        live=False,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.window and (self.window < 3 or self.window % 2 == 0):
            raise ParameterError("window", self.window, "must be 0, or an odd number from 3 on")


@dataclass(frozen=True, eq=False)
class MountSource:
    """Who tells where the sensor sits."""

    from_tf: bool = parameter(
        False,
        "take the mount from the static links of TF, of frame_id in tf.body_frame, and publish "
        "nothing until it is known",
        kind=bool,
        live=False,
    )

    def __post_init__(self) -> None:
        check_fields(self)
