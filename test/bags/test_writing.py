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

"""A bag holds what was published, byte for byte, and says itself how to read it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rosbags")

from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import Reader, WriterError
from rosbags.typesys import Stores, get_typestore

from imu_noise_node.analysis.channels import Channel
from imu_noise_node.bags.writing import write_bag

TYPES = get_typestore(Stores.ROS2_JAZZY)


def imu(stamp: int, rate: float) -> bytes:
    kinds = TYPES.types
    vector, nine = kinds["geometry_msgs/msg/Vector3"], np.arange(9.0)
    time = kinds["builtin_interfaces/msg/Time"](*divmod(stamp, 1_000_000_000))
    message = kinds["sensor_msgs/msg/Imu"](
        header=kinds["std_msgs/msg/Header"](stamp=time, frame_id="imu_link"),
        orientation=kinds["geometry_msgs/msg/Quaternion"](x=0.0, y=0.0, z=0.0, w=1.0),
        orientation_covariance=-nine,
        angular_velocity=vector(x=rate, y=0.0, z=0.0),
        angular_velocity_covariance=nine,
        linear_acceleration=vector(x=0.0, y=0.0, z=9.80665),
        linear_acceleration_covariance=nine,
    )
    return bytes(TYPES.serialize_cdr(message, "sensor_msgs/msg/Imu"))


def channel(topic: str, stamps: list[int]) -> Channel:
    messages = [imu(stamp, rate=float(k)) for k, stamp in enumerate(stamps)]
    array = np.array(stamps, dtype=np.int64)
    return Channel(topic, "sensor_msgs/msg/Imu", array, messages, np.zeros((len(stamps), 6)))


@pytest.fixture
def channels() -> list[Channel]:
    stamps = [1_000_000_000, 1_002_500_000, 1_779_876_543_123_456_789]
    return [channel("/slow/imu", stamps[::2]), channel("/fast/imu", stamps), channel("/none", [])]


def test_what_was_published_comes_back(tmp_path, channels):
    write_bag(tmp_path / "bag", channels)
    with Reader(tmp_path / "bag") as reader:
        read = [(c.topic, stamp, bytes(data)) for c, stamp, data in reader.messages()]
        assert {c.topic: c.msgtype for c in reader.connections} == {
            c.topic: c.message_type for c in channels
        }
    for c in channels:
        ours = [(stamp, data) for topic, stamp, data in read if topic == c.topic]
        assert ours == list(zip(c.stamps.tolist(), c.messages, strict=True))
    assert [stamp for _, stamp, _ in read] == sorted(stamp for _, stamp, _ in read)


def test_it_is_read_by_its_own_definitions(tmp_path, channels):
    write_bag(tmp_path / "bag", channels)
    with AnyReader([tmp_path / "bag"], default_typestore=get_typestore(Stores.EMPTY)) as reader:
        (fast,) = (c for c in reader.connections if c.topic == "/fast/imu")
        messages = [reader.deserialize(data, c.msgtype) for c, _, data in reader.messages([fast])]
        assert "float64[9] angular_velocity_covariance" in fast.msgdef.data
    assert [m.angular_velocity.x for m in messages] == [0.0, 1.0, 2.0]
    assert [m.header.stamp.nanosec for m in messages] == [0, 2_500_000, 123_456_789]


def test_the_file_is_a_whole_mcap(tmp_path, channels):
    write_bag(tmp_path / "bag", channels)
    assert sorted(p.name for p in (tmp_path / "bag").iterdir()) == ["bag.mcap", "metadata.yaml"]
    content = (tmp_path / "bag" / "bag.mcap").read_bytes()
    magic = b"\x89MCAP0\r\n"
    assert content.startswith(magic)
    assert content.endswith(magic)


def test_a_bag_in_the_way_is_not_touched(tmp_path, channels):
    write_bag(tmp_path / "bag", channels)
    before = (tmp_path / "bag" / "bag.mcap").read_bytes()
    with pytest.raises(WriterError):
        write_bag(tmp_path / "bag", channels[:1])
    assert (tmp_path / "bag" / "bag.mcap").read_bytes() == before
