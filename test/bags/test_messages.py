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

"""Messages written as rows of an array are those that ROS serialises."""

import numpy as np
import pytest

from imu_noise_node.bags.messages import imu_messages, odometry_messages

rosbags = pytest.importorskip("rosbags.typesys", reason="reads messages; needs rosbags")

TYPES = rosbags.get_typestore(rosbags.Stores.ROS2_JAZZY)
STAMPS = np.array([0, 1_000_000_005, 1_779_876_543_123_456_789])
COUNT = len(STAMPS)
FRAMES = ["imu_link", "a", "", "abcdefg", "Kreisel_ä"]


def figures():
    """Values, covariances and orientations, the second of which is not known."""
    draw = np.random.default_rng(1).standard_normal
    orientation = draw((COUNT, 4))
    orientation[1] = np.nan
    return draw((COUNT, 6)), draw((COUNT, 6, 6)), orientation, np.diag([1.0, 2.0, 3.0])


@pytest.mark.parametrize("frame", FRAMES)
def test_an_imu_message_has_what_it_was_given(frame):
    values, covariance, orientation, reported = figures()
    written = imu_messages(STAMPS, values, covariance, frame, orientation, reported)
    found = [TYPES.deserialize_cdr(data, "sensor_msgs/msg/Imu") for data in written]
    assert len(found) == COUNT
    for k, message in enumerate(found):
        stamp = message.header.stamp
        assert stamp.sec * 10**9 + stamp.nanosec == STAMPS[k]
        assert message.header.frame_id == frame
        w, f, q = message.angular_velocity, message.linear_acceleration, message.orientation
        assert [w.x, w.y, w.z, f.x, f.y, f.z] == values[k].tolist()
        block = message.angular_velocity_covariance.reshape(3, 3)
        assert np.array_equal(block, covariance[k, 0:3, 0:3])
        block = message.linear_acceleration_covariance.reshape(3, 3)
        assert np.array_equal(block, covariance[k, 3:6, 3:6])
        known = k != 1
        assert [q.x, q.y, q.z, q.w] == (orientation[k].tolist() if known else [0, 0, 0, 1])
        assert message.orientation_covariance[0] == (1.0 if known else -1.0)
        assert message.orientation_covariance[4] == (2.0 if known else 0.0)


def test_without_an_orientation_a_message_says_so():
    values, covariance, *_ = figures()
    written = list(imu_messages(STAMPS, values, covariance, "imu_link"))
    assert len(written) == COUNT
    for data in written:
        message = TYPES.deserialize_cdr(data, "sensor_msgs/msg/Imu")
        assert message.orientation_covariance.tolist() == [-1.0] + [0.0] * 8


@pytest.mark.parametrize("frame", FRAMES)
def test_an_odometry_message_has_what_it_was_given(frame):
    rows = np.random.default_rng(2).standard_normal((COUNT, 13))
    written = list(odometry_messages(STAMPS, rows, frame, "base"))
    assert len(written) == COUNT
    for k, data in enumerate(written):
        message = TYPES.deserialize_cdr(data, "nav_msgs/msg/Odometry")
        stamp = message.header.stamp
        assert stamp.sec * 10**9 + stamp.nanosec == STAMPS[k]
        assert (message.header.frame_id, message.child_frame_id) == (frame, "base")
        p, q = message.pose.pose.position, message.pose.pose.orientation
        v, w = message.twist.twist.linear, message.twist.twist.angular
        found = [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z]
        assert found == rows[k].tolist()
        assert not message.pose.covariance.any()
        assert not message.twist.covariance.any()


@pytest.mark.parametrize("frame", FRAMES)
def test_the_bytes_are_those_of_ros(frame):
    """But for those between the fields, which ROS leaves as they were."""
    serialization = pytest.importorskip("rclpy.serialization", reason="needs ROS 2")
    from sensor_msgs.msg import Imu

    values, covariance, *_ = figures()
    messages = list(imu_messages(STAMPS, values, covariance, frame))
    assert len(messages) == COUNT
    for data in messages:
        theirs = serialization.serialize_message(serialization.deserialize_message(data, Imu))
        # Header, stamp, length and text with its zero; then the numbers, aligned to eight bytes.
        end = 4 + 8 + 4 + len(frame.encode()) + 1
        numbers = 4 + (end - 4 + 7) // 8 * 8
        assert len(theirs) == len(data)
        assert bytes(theirs[:end]) == data[:end]
        assert bytes(theirs[numbers:]) == data[numbers:]
