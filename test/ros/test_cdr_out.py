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

import random
import struct

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

from rclpy.serialization import serialize_message

from imu_noise_node.ros import cdr_out
from imu_noise_node.ros.cdr_out import NUMBERS, Bytes
from imu_noise_node.ros.conversions import NANOSECONDS, set_stamp

KINDS = pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.__name__)
FRAMES = [*("f" * length for length in range(17)), "imu_link", "r/ü", "x" * 255]
STAMPS = [0, 1, NANOSECONDS - 1, 1779876543123456789, 2**31 * NANOSECONDS - 1, -1, -NANOSECONDS]
EXTREMES = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), 5e-324, 1.7e308, -1.0, 0.1]


def fill(message, numbers):
    """Set every number of `message` but the header's, in the order of its definition."""
    for name, kind in message.get_fields_and_field_types().items():
        if kind == "double":
            setattr(message, name, next(numbers))
        elif kind == "double[9]":
            setattr(message, name, [next(numbers) for _ in range(9)])
        elif kind != "std_msgs/Header":
            fill(getattr(message, name), numbers)


def serialised(message):
    """What rclpy makes of it; between name and numbers it leaves what happened to be in memory."""
    raw = bytearray(serialize_message(message))
    end = 16 + len(message.header.frame_id.encode()) + 1
    raw[end : len(raw) - 8 * NUMBERS[type(message)]] = bytes(-(end - 4) % 8)
    return bytes(raw)


def expected(kind, frame, stamp, numbers):
    message = kind()
    message.header.frame_id = frame
    set_stamp(message.header.stamp, stamp)
    rest = iter(numbers)
    fill(message, rest)
    assert not list(rest), "the message has fewer numbers than NUMBERS says"
    return serialised(message)


@KINDS
@pytest.mark.parametrize("frame", FRAMES, ids=len)
def test_the_bytes_are_those_of_rclpy(kind, frame):
    source = random.Random(len(frame))
    message = Bytes(kind, frame)
    for stamp in STAMPS:
        numbers = [source.choice([*EXTREMES, source.gauss(0, 1)]) for _ in range(NUMBERS[kind])]
        message.set_stamp(stamp)
        message.set(0, numbers)
        assert message.message() == expected(kind, frame, stamp, numbers)


@KINDS
def test_any_stretch_of_numbers_is_written_where_it_belongs(kind):
    count = NUMBERS[kind]
    for first in range(count):
        for last in range(first, count):
            message = Bytes(kind, "imu_link")
            written = [float(k) for k in range(first, last + 1)]
            message.set(first, written)
            numbers = [0.0] * first + written + [0.0] * (count - 1 - last)
            assert message.message() == expected(kind, "imu_link", 0, numbers)


def test_what_has_been_given_out_does_not_change_any_more():
    message = Bytes(next(iter(NUMBERS)), "imu_link")
    before = message.message()
    message.set_stamp(1)
    assert message.message() != before


@KINDS
def test_nothing_is_written_beyond_the_message(kind):
    with pytest.raises(struct.error):
        Bytes(kind, "imu_link").set(NUMBERS[kind], [1.0])


@KINDS
def test_a_middleware_that_writes_otherwise_gets_messages(kind, monkeypatch):
    numbers = [float(k) for k in range(NUMBERS[kind])]
    whole = expected(kind, "imu_link", -1, numbers)
    monkeypatch.setattr(cdr_out, "serialize_message", lambda _: b"\x00\x00\x00\x00")
    message = Bytes(kind, "imu_link")
    message.set_stamp(-1)
    message.set(0, numbers)
    found = message.message()
    assert isinstance(found, kind)
    assert serialised(found) == whole
