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

"""What gazebo.launch.py can be asked for, and what ros_gz_bridge is told to bring over.

As in `launch_arguments`, nothing here needs launch. A topic has one name in Gazebo and in ROS, so
that `gz topic --echo` and `ros2 topic echo` take the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import ParameterError
from ..motion.kinematics import TWIST_FRAMES
from . import launch_arguments
from .launch_arguments import NAME, Argument, Setup, Texts, boolean, matching
from .recording import TRUTH_TOPICS

BRIDGE = "ros_gz_bridge"
CLOCK = "rosgraph_msgs/msg/Clock[gz.msgs.Clock"
TRUTH = {
    "odometry": "nav_msgs/msg/Odometry[gz.msgs.Odometry",
    "imu": "sensor_msgs/msg/Imu[gz.msgs.IMU",
}
QUEUE = 2000
"""Messages that wait in the bridge for a slow node; its own 10 are few at high rates."""

_WORD = NAME.pattern
_PART = "of letters, digits and _, no digit first, as part of a ROS topic"
_TOPIC = re.compile(rf"/?{_WORD}(/{_WORD})*", re.ASCII)


@dataclass(frozen=True)
class Bridge:
    """What parameter_bridge gets to hear; `topics` are its own arguments."""

    topics: tuple[str, ...]
    parameters: Mapping[str, int]
    remappings: Mapping[str, str]


def arguments(params_file: Path) -> tuple[Argument, ...]:
    """Return the arguments of gazebo.launch.py: its own, then those of sim.launch.py."""
    changed: dict[str, dict[str, Any]] = {
        "truth_source": {
            "description": "Which truth to bring over and use: odometry, of the OdometryPublisher"
            " system, or imu, the messages of a noiseless IMU sensor.",
            "default": "odometry",
            "choices": tuple(TRUTH),
        },
        "odom_topic": {"description": "Gazebo's topic of Odometry. Empty: /model/MODEL/odometry."},
        "ideal_topic": {
            "description": "Gazebo's topic of the noiseless IMU, with truth_source imu; `gz topic"
            " -l` lists them. Empty: /imu/ideal.",
        },
        "use_sim_time": {"default": "true"},
    }
    return (
        Argument("model", "The model in Gazebo that bears the IMU.", default="robot"),
        Argument(
            "world",
            "World whose clock to bring over, where several run. Empty: Gazebo's topic /clock.",
        ),
        Argument(
            "bridge_clock",
            "false: something else brings the clock over already.",
            default="true",
        ),
        Argument(
            "twist_frame",
            "Where the velocity of odometry comes from: pose (the change of position), or its"
            " twist, in the axes of body or world.",
            default="pose",
            choices=TWIST_FRAMES,
        ),
        *(
            replace(argument, **changed.get(argument.name, {}))
            for argument in launch_arguments.arguments(params_file)
        ),
    )


def read(values: Texts) -> tuple[Setup, Bridge]:
    """Turn the texts given for the arguments into a setup of the node and of the bridge.

    Raises
    ------
    ParameterError, InputError
        The first text that cannot be used.
    """
    given = {name: text.strip() for name, text in values.items() if text.strip()}
    source = given.setdefault("truth_source", "odometry")
    if source not in TRUTH:
        raise ParameterError("truth_source", source, f"must be {' or '.join(TRUTH)}")
    model = matching(given, "model", NAME, _PART)
    given.setdefault("odom_topic", f"/model/{model or 'robot'}/odometry")
    given.setdefault("ideal_topic", "/imu/ideal")
    for name in ("odom_topic", "ideal_topic"):
        topic = matching(given, name, _TOPIC, "a topic of Gazebo, such as /model/robot/odometry")
        given[name] = "/" + topic.removeprefix("/")
    world = matching(given, "world", NAME, _PART)
    setup = launch_arguments.read(given)
    truth = setup.remappings[TRUTH_TOPICS[source]]
    topics = [f"{truth}@{TRUTH[source]}"]
    clock = f"/world/{world}/clock" if world else "/clock"
    if boolean({"bridge_clock": "true", **given}, "bridge_clock"):
        topics.append(f"{clock}@{CLOCK}")
    return setup, Bridge(
        topics=tuple(topics),
        parameters={f"qos_overrides.{truth}.publisher.depth": QUEUE},
        remappings={clock: "/clock"} if world else {},
    )
