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

"""What the node does beside the sensor's figures: truth, outputs, surroundings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..model.origin import COVARIANCES
from ..motion.kinematics import TWIST_FRAMES
from ..samples import Vector
from ..schema import AXES, check_fields, parameter

COLDEST, HOTTEST = -273.15, 1000.0
"""No sensor is outside [degC]."""


@dataclass(frozen=True, eq=False)
class NodeSettings:
    """What the node does beside the sensor's figures, the time policy and the mount."""

    enabled: bool = parameter(True, "whether truth is turned into samples", kind=bool)
    truth_source: str = parameter(
        "odometry",
        "where the truth comes from: nav_msgs/Odometry on odom, sensor_msgs/Imu on imu/ideal, or "
        "poses from TF, of tf.body_frame in tf.world_frame",
        kind=str,
        choices=("odometry", "imu", "tf"),
        live=False,
    )
    instances: str = parameter(
        "",
        "names of several IMUs on one truth; each has parameters, topics and services under its "
        "name, and the node's parameters where it is not given its own; empty is one IMU",
        kind=str,
        live=False,
    )
    twist_frame: str = parameter(
        "body",
        "axes of the odometry's twist; pose ignores the twist and differentiates positions",
        kind=str,
        choices=TWIST_FRAMES,
    )
    gravity_included: bool = parameter(
        True,
        "whether Imu truth contains the reaction to gravity; if not, it is added",
        kind=bool,
    )
    frame_id: str = parameter("imu_link", "frame of the messages", kind=str, live=False)
    seed: int = parameter(
        0,
        "seed of all random numbers; -1 draws one and logs it",
        kind=int,
        lower=-1,
        upper=2**63 - 1,
        live=False,
    )
    profile: str = parameter(
        "", "preset name or path of a profile; empty is none", kind=str, live=False
    )
    arrows: bool = parameter(
        False, "whether ~/arrows shows rate and specific force in rviz2", kind=bool, live=False
    )
    temperature: float | None = parameter(
        None,
        "of the air about the sensor; not given, temperature has no effect",
        "degC",
        lower=COLDEST,
        upper=HOTTEST,
    )
    magnetic_field: Any = parameter(
        None,
        "of the world, east, north, up; given, there is a magnetometer",
        "T",
        shape=(3,),
        live=False,
    )
    gravity: float = parameter(9.80665, "acceleration of gravity", "m/s^2", lower=0.0)
    orientation: str = parameter(
        "none",
        "what imu/data says about orientation: the truth, or one with an error drawn anew every "
        "time; none does not publish it",
        kind=str,
        choices=("none", "truth", "noisy"),
        live=False,
    )
    orientation_stddev: Any = parameter(
        0.0,
        "reported sigma of the orientation about the axes of the world; of a noisy one also the "
        "true sigma",
        "rad",
        shape=AXES,
        lower=0.0,
    )
    increments: bool = parameter(
        False, "whether imu/dtheta and imu/dv are published", kind=bool, live=False
    )
    angular_velocity_stddev: Any = parameter(
        0.0,
        "reported in place of the gyroscope's sigma (REP-145); 0 reports what holds",
        "rad/s",
        shape=AXES,
        lower=0.0,
    )
    linear_acceleration_stddev: Any = parameter(
        0.0,
        "reported in place of the accelerometer's sigma (REP-145); 0 reports what holds",
        "m/s^2",
        shape=AXES,
        lower=0.0,
    )
    magnetic_field_stddev: Any = parameter(
        0.0,
        "reported in place of the magnetometer's sigma (REP-145); 0 reports what holds",
        "T",
        shape=AXES,
        lower=0.0,
    )
    covariance: str = parameter(
        "sample",
        "reported covariance: this sample's fresh noise, or the biases' present variance as well",
        kind=str,
        choices=COVARIANCES,
    )
    queue_depth: int = parameter(
        2000,
        "messages that wait for a slow subscriber",
        kind=int,
        lower=1,
        upper=1_000_000,
        live=False,
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if self.orientation == "noisy" and not np.all(np.asarray(self.orientation_stddev) > 0.0):
            raise ParameterError(
                "orientation_stddev",
                self.orientation_stddev,
                "must be above 0 [rad] where orientation is noisy",
            )

    @property
    def attitude_stddev(self) -> Vector:
        """`orientation_stddev` as a vector."""
        x, y, z = np.broadcast_to(self.orientation_stddev, 3).tolist()
        return (x, y, z)

    @property
    def world_field(self) -> Vector | None:
        """`magnetic_field` as a vector."""
        if self.magnetic_field is None:
            return None
        east, north, up = self.magnetic_field.tolist()
        return (east, north, up)
