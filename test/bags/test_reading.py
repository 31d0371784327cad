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

"""Bags of every kind are read alike, and each fault of one is a sentence."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

pytest.importorskip("rosbags")

from imu_noise_node.bags import numbers
from imu_noise_node.bags.reading import Topic, open_bag
from imu_noise_node.errors import InputError
from imu_noise_node.recordings.reading import read_imu, read_pressure

KINDS = ("mcap", "sqlite3", "ros1")
IMU = "sensor_msgs/msg/Imu"
COUNT = 50
STAMPS = 1_700_000_000_123_456_789 + 2_500_000 * np.arange(COUNT)
VALUES = np.random.default_rng(1).standard_normal((6, COUNT))


def imus(count: int = COUNT) -> list:
    return [("Imu", int(STAMPS[k]), VALUES[:, k].tolist()) for k in range(count)]


def pressures() -> list:
    return [("FluidPressure", int(stamp), 101_325.0 + k) for k, stamp in enumerate(STAMPS)]


def single(path):
    """The file of a bag: itself, or the one beside the metadata."""
    if path.is_file():
        return path
    (file,) = (part for part in path.iterdir() if part.name != "metadata.yaml")
    return file


def same(record) -> bool:
    return np.array_equal(record.stamps, STAMPS) and np.array_equal(record.values, VALUES)


@pytest.fixture(params=KINDS)
def kind(request) -> str:
    return request.param


# The lengths fill the header up to each place that alignment can leave the first number at.
@pytest.mark.parametrize("frame", ["", "i", "im", "imu", "imu0", "imu_l", "imu_li", "imu_lin"])
def test_readings_and_stamps_come_back_to_the_bit(write_kind, kind, frame):
    path = write_kind(kind, {"/imu": imus()}, frame)
    record = read_imu(path)
    assert same(record)
    assert record.source == f"{path}: /imu"


def test_a_file_of_a_bag_needs_neither_metadata_nor_its_name(write_kind, kind, tmp_path):
    file = single(write_kind(kind, {"/imu": imus()}))
    assert same(read_imu(file))
    for name, content in (
        ("a log? #1", file.read_bytes()),
        ("log.gz", gzip.compress(file.read_bytes())),
    ):
        (tmp_path / name).write_bytes(content)
        assert same(read_imu(tmp_path / name))


def test_a_folder_without_metadata_will_do_with_one_file(write_kind):
    path = write_kind("mcap", {"/imu": imus()})
    (path / "metadata.yaml").unlink()
    assert same(read_imu(path))
    (path / "more.mcap").write_bytes(single(path).read_bytes())
    with pytest.raises(
        InputError, match=r"no metadata.yaml; name one of its files: mcap.mcap, mo"
    ):
        read_imu(path)


def test_a_folder_may_be_called_like_a_bag_of_ros_1(write_kind):
    path = write_kind("mcap", {"/imu": imus()})
    assert same(read_imu(path.rename(path.with_name("log.bag"))))


def test_messages_of_different_lengths_may_follow_each_other(write_kind, monkeypatch):
    monkeypatch.setattr(numbers, "BLOCK", 8)
    path = write_kind("mcap", {"/imu": imus()})
    with open_bag(path) as bag:
        topic = bag.choose(IMU)
        raw = [data for _, data in bag.raw(topic)]
        # A longer frame_id in some: what follows it moves on by eight bytes.
        longer = raw[3][:12] + b"\x11\0\0\0" + b"imu_link\0.......\0" + raw[3][25:]
        mixed = [*raw[:3], longer, raw[4] + bytes(8), *raw[5:]]
        bag.raw = lambda topic: ((0, data) for data in mixed)
        blocks = list(numbers.blocks(bag, topic, numbers.IMU))
    assert [len(stamps) for stamps, _ in blocks] == [3, 1, 1, 3, 8, 8, 8, 8, 8, 2]
    assert np.array_equal(np.concatenate([stamps for stamps, _ in blocks]), STAMPS)
    assert np.array_equal(np.concatenate([values for _, values in blocks]), VALUES.T)


def test_what_is_not_plain_goes_through_the_deserialiser(write_kind):
    path = write_kind("mcap", {"/imu": imus()})
    with open_bag(path) as bag:
        topic = bag.choose(IMU)
        messages = [message for _, message in bag.messages(topic)]
        bag.raw = lambda topic: ((0, b"\0\0\0\0" + bytes(20)) for _ in messages)
        left = iter(messages)
        bag.deserialize = lambda raw, topic: next(left)
        ((stamps, values),) = numbers.blocks(bag, topic, numbers.IMU)
    assert np.array_equal(stamps, STAMPS)
    assert np.array_equal(values, VALUES.T)


def test_a_message_that_lacks_fields_of_its_type_is_a_sentence(write_kind):
    with open_bag(write_kind("mcap", {"/imu": imus()})) as bag:
        topic = bag.choose(IMU)
        bag.raw = lambda topic: iter([(0, b"\0\0\0\0" + bytes(20))])
        bag.deserialize = lambda raw, topic: object()
        with pytest.raises(InputError, match="damaged: 'object' object has no attribute"):
            list(numbers.blocks(bag, topic, numbers.IMU))


def test_a_message_that_is_too_short_is_a_sentence(write_kind):
    with open_bag(write_kind("mcap", {"/imu": imus()})) as bag:
        topic = bag.choose(IMU)
        bag.raw = lambda topic: iter([(0, b"\0\x01\0\0" + bytes(100))])
        with pytest.raises(InputError, match="a message on /imu that is too short for its type"):
            list(numbers.blocks(bag, topic, numbers.IMU))


def test_the_topics_are_listed_with_type_and_count(write_kind, kind):
    path = write_kind(kind, {"/imu": imus(), "/baro": pressures(), "/b/imu": imus(3)})
    with open_bag(path) as bag:
        assert bag.topics == [
            Topic("/b/imu", IMU, 3),
            Topic("/baro", "sensor_msgs/msg/FluidPressure", COUNT),
            Topic("/imu", IMU, COUNT),
        ]
        times = [time for time, _ in bag.raw(bag.choose(IMU, "b/imu"))]
    assert times == STAMPS[:3].tolist()


def test_of_several_topics_one_must_be_chosen(write_kind, kind):
    path = write_kind(kind, {"/a/imu": imus(), "/b/imu": imus(3), "/baro": pressures()})
    with pytest.raises(InputError, match="several topics") as caught:
        read_imu(path)
    assert str(caught.value).endswith(f"choose one of /a/imu ({IMU}, 50), /b/imu ({IMU}, 3)")
    assert same(read_imu(path, "/a/imu"))
    with pytest.raises(InputError, match=r"'/imu': is not in .*; it has: /a/imu") as caught:
        read_imu(path, "/imu")
    assert "/baro" not in str(caught.value)
    with pytest.raises(InputError, match="'/baro': is of type sensor_msgs/msg/FluidPressure in"):
        read_imu(path, "/baro")


def test_a_bag_without_an_imu_says_what_it_has(write_kind, kind):
    path = write_kind(kind, {"/baro": pressures()})
    sentence = r"no topic of type sensor_msgs/msg/Imu; it has: /baro \(sensor_msgs/msg/FluidP"
    with pytest.raises(InputError, match=sentence):
        read_imu(path)


def test_a_pressure_is_read_where_there_is_one(write_kind, kind):
    path = write_kind(kind, {"/baro": pressures(), "/imu": imus()})
    stamps, values = read_pressure(path)
    assert np.array_equal(stamps, STAMPS)
    assert np.array_equal(values, 101_325.0 + np.arange(COUNT))
    with pytest.raises(InputError, match="'/imu': is of type sensor_msgs/msg/Imu"):
        read_pressure(path, "/imu")


def test_a_bag_without_pressure_has_none(write_kind, kind):
    assert read_pressure(write_kind(kind, {"/imu": imus()})) is None


def test_empty_topics_are_not_chosen(write_kind):
    path = write_kind("mcap", {"/a/imu": [], "/b/imu": imus()})
    assert same(read_imu(path))
    with pytest.raises(InputError, match="'/a/imu': has no messages in"):
        read_imu(path, "/a/imu")


@pytest.mark.parametrize("topics", [{}, {"/imu": []}])
def test_a_bag_without_messages_is_refused(write_kind, kind, topics):
    with pytest.raises(InputError, match="has no messages"):
        read_imu(write_kind(kind, topics))


def test_headers_that_nobody_has_stamped_are_refused(write_kind, kind):
    path = write_kind(kind, {"/imu": [("Imu", 0, [0.0] * 6)] * 3})
    with pytest.raises(InputError, match=r"all stamps in the headers of .* are 0"):
        read_imu(path)


def test_units_can_be_given_for_a_driver_that_publishes_others(write_kind):
    path = write_kind("mcap", {"/imu": imus()})
    record = read_imu(path, gyroscope_unit="deg/s", accelerometer_unit="g")
    scale = np.repeat([np.pi / 180.0, 9.80665], 3)[:, None]
    np.testing.assert_allclose(record.values, VALUES * scale, rtol=1e-14)


@pytest.mark.parametrize(
    ("options", "key"),
    [({"columns": {"t": "time"}}, "column t = 'time'"), ({"stamp_unit": "s"}, "stamp_unit = 's'")],
)
def test_what_is_for_other_files_is_refused(write_kind, options, key):
    with pytest.raises(InputError, match=rf"^{key}: is not for a bag, as .* is one"):
        read_imu(write_kind("mcap", {"/imu": imus()}), **options)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.99])
def test_a_truncated_file_is_a_sentence(write_kind, kind, share):
    file = single(write_kind(kind, {"/imu": imus()}))
    content = file.read_bytes()
    file.write_bytes(content[: int(share * len(content))])
    for path in {file, file if kind == "ros1" else file.parent}:
        # Without the end of its index, a bag of ROS 1 is as good as damaged.
        sentence = "damaged" if kind == "ros1" and share > 0.9 else "is truncated"
        with pytest.raises(InputError, match=sentence):
            read_imu(path)


def test_damage_within_a_file_never_escapes_as_another_error(write_kind, kind):
    """Sixty places in turn; what survives the damage is read."""
    file = single(write_kind(kind, {"/imu": imus()}))
    content = file.read_bytes()
    rng = np.random.default_rng(3)
    refused = 0
    for place in rng.integers(0, len(content) - 16, 60):
        damaged = bytearray(content)
        damaged[place : place + 16] = rng.bytes(16)
        file.write_bytes(damaged)
        try:
            read_imu(file)
        except InputError:
            refused += 1
    assert 0 < refused < 60


@pytest.mark.parametrize("name", ["log.bag", "log.mcap", "log.db3"])
@pytest.mark.parametrize("content", [b"hello", b"\x89PNG\r\n\x1a\n" + bytes(100)])
def test_what_only_has_the_name_of_a_bag_is_none(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="is no bag: neither mcap nor db3 nor of ROS 1"):
        read_imu(tmp_path / name)


def test_a_file_that_rosbag2_has_packed_needs_its_folder(tmp_path):
    (tmp_path / "log_0.mcap.zstd").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(50))
    with pytest.raises(InputError, match="is packed with zstd; name the bag's folder"):
        read_imu(tmp_path / "log_0.mcap.zstd")


def test_a_folder_that_is_no_bag(tmp_path):
    with pytest.raises(InputError, match=r"is no bag: it has neither metadata.yaml nor data"):
        read_imu(tmp_path)
    (tmp_path / "metadata.yaml").write_text("- [ {")
    with pytest.raises(InputError, match="Could not load YAML"):
        read_imu(tmp_path)


def test_nothing_is_left_in_the_folder_for_temporary_files(write_kind, monkeypatch, tmp_path):
    import tempfile

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    file = write_kind("ros1", {"/imu": imus()})
    file.write_bytes(gzip.compress(file.read_bytes()))
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    assert same(read_imu(file))
    assert list(scratch.iterdir()) == []
