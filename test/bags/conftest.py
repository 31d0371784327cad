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

"""Bags of Imu messages, of each kind that there is.

A test file cannot import its neighbours by itself, so their folder is put on the path here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))

SECOND = 1_000_000_000

Message = tuple[str, int, Any]
"""Type without its package, stamp of the header [ns], six values or a pressure."""


@pytest.fixture
def write_kind(tmp_path) -> Callable[..., Path]:
    """Return a function that writes messages by topic into a bag, and returns its path."""
    pytest.importorskip("rosbags")

    def write_kind(
        kind: str, topics: Mapping[str, Sequence[Message]], frame: str = "imu_link"
    ) -> Path:
        path = tmp_path / (f"{kind}.bag" if kind == "ros1" else kind)
        with _writer(kind, path) as bag:
            types, serialize = _types(kind)
            for topic, messages in topics.items():
                name = f"sensor_msgs/msg/{messages[0][0] if messages else 'Imu'}"
                connection = bag.add_connection(topic, name, typestore=types)
                for _, stamp, values in messages:
                    message = _message(types, name, stamp, values, frame, kind == "ros1")
                    bag.write(connection, stamp, serialize(message, name))
        return path

    return write_kind


def _writer(kind: str, path: Path) -> Any:
    from rosbags import rosbag1, rosbag2

    if kind == "ros1":
        return rosbag1.Writer(path)
    plugin = rosbag2.StoragePlugin.MCAP if kind == "mcap" else rosbag2.StoragePlugin.SQLITE3
    return rosbag2.Writer(path, version=8, storage_plugin=plugin)


def _types(kind: str) -> tuple[Any, Callable[[Any, str], bytes]]:
    from rosbags.typesys import Stores, get_typestore

    types = get_typestore(Stores.ROS1_NOETIC if kind == "ros1" else Stores.ROS2_JAZZY)
    return types, types.serialize_ros1 if kind == "ros1" else types.serialize_cdr


def _message(types: Any, name: str, stamp: int, values: Any, frame: str, is_ros1: bool) -> Any:
    kinds, nine = types.types, np.arange(9.0)
    vector = kinds["geometry_msgs/msg/Vector3"]
    header = kinds["std_msgs/msg/Header"](
        **({"seq": 7} if is_ros1 else {}),
        stamp=kinds["builtin_interfaces/msg/Time"](*divmod(stamp, SECOND)),
        frame_id=frame,
    )
    if name.endswith("FluidPressure"):
        return kinds[name](header=header, fluid_pressure=values, variance=0.0)
    return kinds[name](
        header=header,
        orientation=kinds["geometry_msgs/msg/Quaternion"](x=0.5, y=0.5, z=0.5, w=0.5),
        orientation_covariance=-nine,
        angular_velocity=vector(*values[:3]),
        angular_velocity_covariance=nine,
        linear_acceleration=vector(*values[3:]),
        linear_acceleration_covariance=nine,
    )
