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

"""Makes bags of all kinds for tests."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rosbags", reason="makes bags; needs rosbags")

from rosbags.interfaces import (
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

TYPES = get_typestore(Stores.ROS2_JAZZY)
CUSTOM = "my_robot/msg/Wheels"
TYPES.register(get_types_from_msg("float64 left\nfloat64 right\nstring mood\n", CUSTOM))
ROS1 = get_typestore(Stores.ROS1_NOETIC)
ROS1.register(get_types_from_msg("float64 left\nfloat64 right\nstring mood\n", CUSTOM))
TF = "tf2_msgs/msg/TFMessage"
ROS1.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms\n", TF))

SECOND = 1_000_000_000
LATCHED = Qos(
    QosHistory.KEEP_LAST,
    7,
    QosReliability.RELIABLE,
    QosDurability.TRANSIENT_LOCAL,
    QosTime(0, 0),
    QosTime(0, 0),
    QosLiveliness.AUTOMATIC,
    QosTime(0, 0),
    avoid_ros_namespace_conventions=False,
)


def header(types, stamp, frame):
    time = types.types["builtin_interfaces/msg/Time"](*divmod(stamp, SECOND))
    kind = types.types["std_msgs/msg/Header"]
    return kind(0, time, frame) if types is ROS1 else kind(time, frame)


def odometry(stamp, x=0.0, types=TYPES, velocity=0.0):
    t = types.types
    vector, point = t["geometry_msgs/msg/Vector3"], t["geometry_msgs/msg/Point"]
    zero, covariance = vector(0.0, 0.0, 0.0), np.zeros(36)
    pose = t["geometry_msgs/msg/Pose"](
        point(x, 0.0, 0.0), t["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 1.0)
    )
    twist = t["geometry_msgs/msg/Twist"](vector(velocity, 0.0, 0.0), zero)
    return t["nav_msgs/msg/Odometry"](
        header(types, stamp, "odom"),
        "base_link",
        t["geometry_msgs/msg/PoseWithCovariance"](pose, covariance),
        t["geometry_msgs/msg/TwistWithCovariance"](twist, covariance),
    )


def transform(stamp, parent, child, x=0.0, quaternion=(0.0, 0.0, 0.0, 1.0), types=TYPES):
    t = types.types
    return t["geometry_msgs/msg/TransformStamped"](
        header(types, stamp, parent),
        child,
        t["geometry_msgs/msg/Transform"](
            t["geometry_msgs/msg/Vector3"](x, 0.0, 0.0),
            t["geometry_msgs/msg/Quaternion"](*quaternion),
        ),
    )


def tf(*transforms, types=TYPES):
    return types.types["tf2_msgs/msg/TFMessage"](list(transforms))


def wheels(left, mood="good", types=TYPES):
    return types.types[CUSTOM](left, 2.0, mood)


def pose(stamp, x, types=TYPES):
    t = types.types
    return t["geometry_msgs/msg/PoseStamped"](
        header(types, stamp, "odom"),
        t["geometry_msgs/msg/Pose"](
            t["geometry_msgs/msg/Point"](x, 0.0, 0.0),
            t["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 1.0),
        ),
    )


def imu(stamp, rate, force, known):
    """An Imu with the orientation of a half turn about x, or with the word that it has none."""
    t = TYPES.types
    vector, covariance = t["geometry_msgs/msg/Vector3"], np.zeros(9)
    orientation_covariance = covariance.copy()
    orientation_covariance[0] = 0.0 if known else -1.0
    return t["sensor_msgs/msg/Imu"](
        header(TYPES, stamp, "imu_link"),
        t["geometry_msgs/msg/Quaternion"](1.0, 0.0, 0.0, 0.0),
        orientation_covariance,
        vector(*rate),
        covariance,
        vector(*force),
        covariance,
    )


def write_ros2(folder: Path, messages, plugin=StoragePlugin.MCAP, qos=None) -> Path:
    """Write (time, topic, type, message) as a bag; `qos` is by topic."""
    with Writer(folder, version=8, storage_plugin=plugin) as bag:
        connections = {}
        for time, topic, kind, message in messages:
            if topic not in connections:
                offered = [qos[topic]] if qos and topic in qos else []
                connections[topic] = bag.add_connection(
                    topic, kind, typestore=TYPES, offered_qos_profiles=offered
                )
            bag.write(connections[topic], time, TYPES.serialize_cdr(message, kind))
    return folder


def write_ros1(path: Path, messages) -> Path:
    """Write (time, topic, type, message) as a bag of ROS 1."""
    with Writer1(path) as bag:
        connections = {}
        for time, topic, kind, message in messages:
            if topic not in connections:
                connections[topic] = bag.add_connection(topic, kind, typestore=ROS1)
            bag.write(connections[topic], time, ROS1.serialize_ros1(message, kind))
    return path


def forget_definitions(folder: Path) -> None:
    """Make of a db3 what ROS 2 Humble writes: it does not say what its types are."""
    (file,) = folder.glob("*.db3")
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM message_definitions")
        database.execute("UPDATE topics SET type_description_hash = ''")
    database.close()
    metadata = folder / "metadata.yaml"
    lines = metadata.read_text().splitlines()
    kept = [line for line in lines if "RIHS01" not in line and "type_description_hash" not in line]
    metadata.write_text("\n".join(kept) + "\n")
