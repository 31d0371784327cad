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

"""Recordings of an IMU in every form that is read, and their reading; then as a truth."""

from __future__ import annotations

import contextlib
import gzip
import io
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import fuzz_corpus
import numpy as np

from imu_noise_node.recordings.reading import read_imu, read_pressure
from imu_noise_node.recordings.timing import examine
from imu_noise_node.simulation.run import simulate

STAMPS = 1_700_000_000_000_000_000 + 2_500_000 * np.arange(12)
VALUES = np.arange(6.0)[:, None] + np.arange(12) / 8.0

HEADERS = (
    "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],"
    "a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]",
    "stamp_ns,wx,wy,wz,acc_x,acc_y,acc_z",
    "%time,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z,"
    "field.linear_acceleration.x,field.linear_acceleration.y,field.linear_acceleration.z",
)


def recording(path: Path, random: Random) -> None:
    """Read what there is of an IMU and of a barometer, and look at the stamps."""
    topic = random.choice((*[None] * 30, "/imu"))
    columns = random.choice((*[None] * 30, {"t": "1", "wx": "2", "wy": "3", "wz": "4"}))
    unit = random.choice((*[None] * 30, "s", "ns"))
    if random.random() < 0.2:
        read_pressure(path, topic)
    record = read_imu(path, topic, columns=columns, stamp_unit=unit)
    assert record.values.shape == (6, len(record.stamps))
    for sentence in examine(record.stamps).sentences():
        assert "\n" not in sentence
    run = simulate(record, fuzz_corpus.SPEC)
    assert sum(run.counts.values()) == len(record.stamps)
    assert np.isfinite(run.values).all()


@cache
def recordings(folder: Path) -> list[bytes]:
    """Return tables, archives and, where rosbags is installed, bags; some of them gzipped."""
    rows = ["\n".join([header, *_rows()]) + "\n" for header in HEADERS]
    found = [*(text.encode() for text in rows), _archive()]
    with contextlib.suppress(ImportError):
        found += [_bag(kind, folder) for kind in ("mcap", "sqlite3", "ros1")]
    return [*found, *(gzip.compress(data) for data in found[2:5])]


def _rows() -> list[str]:
    return [
        ",".join([str(stamp), *map(repr, row)])
        for stamp, row in zip(STAMPS, VALUES.T.tolist(), strict=True)
    ]


def _archive() -> bytes:
    file = io.BytesIO()
    np.savez(file, t=STAMPS, angular_velocity=VALUES[:3].T, linear_acceleration=VALUES[3:].T)
    return file.getvalue()


def _bag(kind: str, folder: Path) -> bytes:
    from rosbags import rosbag1, rosbag2
    from rosbags.typesys import Stores, get_typestore

    path = folder / f"seed-{kind}"
    types = get_typestore(Stores.ROS1_NOETIC if kind == "ros1" else Stores.ROS2_JAZZY)
    writer: Any
    if kind == "ros1":
        writer, serialize = rosbag1.Writer(path), types.serialize_ros1
    else:
        plugin = getattr(rosbag2.StoragePlugin, kind.upper())
        writer = rosbag2.Writer(path, version=8, storage_plugin=plugin)
        serialize = types.serialize_cdr
    name, kinds, nine = "sensor_msgs/msg/Imu", types.types, np.zeros(9)
    vector = kinds["geometry_msgs/msg/Vector3"]
    with writer as bag:
        connection = bag.add_connection("/imu", name, typestore=types)
        for stamp, row in zip(STAMPS.tolist(), VALUES.T.tolist(), strict=True):
            header = kinds["std_msgs/msg/Header"](
                **({"seq": 7} if kind == "ros1" else {}),
                stamp=kinds["builtin_interfaces/msg/Time"](*divmod(stamp, 10**9)),
                frame_id="imu",
            )
            message = kinds[name](
                header=header,
                orientation=kinds["geometry_msgs/msg/Quaternion"](x=0.0, y=0.0, z=0.0, w=1.0),
                orientation_covariance=nine,
                angular_velocity=vector(*row[:3]),
                angular_velocity_covariance=nine,
                linear_acceleration=vector(*row[3:]),
                linear_acceleration_covariance=nine,
            )
            bag.write(connection, stamp, serialize(message, name))
    if path.is_file():
        return path.read_bytes()
    (file,) = (part for part in path.iterdir() if part.name != "metadata.yaml")
    return file.read_bytes()
