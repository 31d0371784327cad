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

import math
import random
import struct

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from sensor_msgs.msg import Imu

from imu_noise_node.ros.cdr import decode_imu, decode_odometry
from imu_noise_node.ros.conversions import imu_truth, odometry_truth

NAMES = ["", "a", "ab", "abc", "abcd", "odom", "base_link", "r/ü", "x" * 255]


def number(source):
    """Any double but NaN, which equals nothing; extremes are as likely as the rest."""
    choice = source.choice([0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7e308, None])
    return source.uniform(-1e3, 1e3) if choice is None else choice


def fill(message, source):
    """Give every number of `message` a value of its own."""
    for name, kind in message.get_fields_and_field_types().items():
        if kind == "double":
            setattr(message, name, number(source))
        elif kind.startswith("double["):
            setattr(message, name, [number(source) for _ in getattr(message, name)])
        elif "/" in kind:
            fill(getattr(message, name), source)


def stamped(kind, frame, seed):
    message = kind()
    source = random.Random(seed)
    fill(message, source)
    message.header.frame_id = frame
    message.header.stamp.sec = source.choice([0, 1, 1779876543, 2**31 - 1, -1])
    message.header.stamp.nanosec = source.choice([0, 1, 123456789, 999999999])
    return message


def big_endian(raw):
    """A representation that the short way does not read, and rclpy's own way does not either."""
    return b"\x00\x03\x00\x00" + raw[4:]


@pytest.mark.parametrize("frame", NAMES)
@pytest.mark.parametrize("child", NAMES)
def test_odometry_is_read_as_rclpy_reads_it(frame, child):
    for seed in range(20):
        message = stamped(Odometry, frame, seed)
        message.child_frame_id = child
        assert decode_odometry(serialize_message(message)) == odometry_truth(message)


@pytest.mark.parametrize("frame", NAMES)
@pytest.mark.parametrize("has_orientation", [True, False])
def test_imu_is_read_as_rclpy_reads_it(frame, has_orientation):
    """Each sensor may be denied by a -1 in its covariance (REP-145)."""
    for seed in range(20):
        message = stamped(Imu, frame, seed)
        message.orientation_covariance[0] = 0.25 if has_orientation else -1.0
        message.angular_velocity_covariance[0] = 0.25 if seed % 2 else -1.0
        message.linear_acceleration_covariance[0] = 0.25 if seed % 3 else -1.0
        found = decode_imu(serialize_message(message))
        assert found == imu_truth(message)
        assert (found.orientation is not None) is has_orientation
        assert (found.angular_velocity is not None) is bool(seed % 2)
        assert (found.specific_force is not None) is bool(seed % 3)


def test_not_a_number_stays_not_a_number():
    message = Odometry()
    message.twist.twist.angular.z = math.nan
    assert math.isnan(decode_odometry(serialize_message(message)).angular_velocity[2])


@pytest.mark.parametrize(("decode", "kind"), [(decode_odometry, Odometry), (decode_imu, Imu)])
def test_another_representation_goes_the_ordinary_way(decode, kind, monkeypatch):
    asked = []

    def ordinary(raw, message_type):
        asked.append(message_type)
        return message_type()

    monkeypatch.setattr("imu_noise_node.ros.cdr.deserialize_message", ordinary)
    decode(big_endian(serialize_message(kind())))
    assert asked == [kind]


def test_a_message_cut_short_is_an_error_and_not_a_wrong_number():
    raw = serialize_message(Odometry())
    with pytest.raises(struct.error):
        decode_odometry(raw[:200])
