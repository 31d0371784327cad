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

"""A copy has all that the bag has, byte for byte, and the new messages in their times."""

import pytest
from made_bags import (
    CUSTOM,
    LATCHED,
    ROS1,
    SECOND,
    TYPES,
    forget_definitions,
    odometry,
    pose,
    tf,
    transform,
    wheels,
    write_ros1,
    write_ros2,
)
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import Reader, StoragePlugin

from imu_noise_node.bags.copying import Added, copy_with, write_new
from imu_noise_node.bags.reading import open_bag

POSE = "geometry_msgs/msg/PoseStamped"


def new(times):
    """Messages of a new topic: poses whose x is their number."""
    data = (bytes(TYPES.serialize_cdr(pose(t, float(k)), POSE)) for k, t in enumerate(times))
    return Added("/new", POSE, times, data)


def mixed(types=TYPES):
    """Four topics; message times that are not those of the stamps, two of them the same."""
    return [
        (5, "/odom", "nav_msgs/msg/Odometry", odometry(SECOND, 1.0, types)),
        (7, "/wheels", CUSTOM, wheels(1.0, types=types)),
        (7, "/odom", "nav_msgs/msg/Odometry", odometry(2 * SECOND, 2.0, types)),
        (9, "/wheels", CUSTOM, wheels(3.0, types=types)),
        (9, "/tf_static", "tf2_msgs/msg/TFMessage", tf(transform(0, "a", "b", 1.0, types=types))),
    ]


def contents(path):
    """Time, topic, type and bytes of every message, and the QoS of every topic."""
    with Reader(path) as bag:
        found = [(t, c.topic, c.msgtype, bytes(data)) for c, t, data in bag.messages()]
        return found, {c.topic: c.ext.offered_qos_profiles for c in bag.connections}


def copied(path, folder, times=()):
    with open_bag(path) as bag:
        copy_with(bag, folder, [new(list(times))])
    return contents(folder)


@pytest.mark.parametrize("plugin", list(StoragePlugin), ids=lambda plugin: plugin.name)
def test_a_copy_has_the_same_bytes_times_types_and_qos(tmp_path, plugin):
    bag = write_ros2(tmp_path / "bag", mixed(), plugin, {"/tf_static": LATCHED})
    before, qos = contents(bag)
    after, copied_qos = copied(bag, tmp_path / "copy")
    assert sorted(after) == sorted(before)
    assert [m[0] for m in after] == [5, 7, 7, 9, 9]
    assert qos["/tf_static"] == [LATCHED]
    assert copied_qos == {**qos, "/new": []}
    with AnyReader([tmp_path / "copy"]) as copy:
        wheels_again = [
            copy.deserialize(data, c.msgtype).left
            for c, _, data in copy.messages()
            if c.topic == "/wheels"
        ]
    assert wheels_again == [1.0, 3.0]


def test_new_messages_come_in_their_times_and_after_those_of_the_same_time(tmp_path):
    bag = write_ros2(tmp_path / "bag", mixed())
    after, _ = copied(bag, tmp_path / "copy", [1, 5, 5, 7, 8, 12])
    assert [(t, topic) for t, topic, *_ in after] == [
        (1, "/new"),
        (5, "/odom"),
        (5, "/new"),
        (5, "/new"),
        (7, "/wheels"),
        (7, "/odom"),
        (7, "/new"),
        (8, "/new"),
        (9, "/wheels"),
        (9, "/tf_static"),
        (12, "/new"),
    ]
    numbers = [
        TYPES.deserialize_cdr(data, POSE).pose.position.x
        for _, topic, _, data in after
        if topic == "/new"
    ]
    assert numbers == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_bag_that_does_not_say_what_its_types_are_is_copied_whole(tmp_path):
    bag = write_ros2(tmp_path / "bag", mixed(), StoragePlugin.SQLITE3, {"/wheels": LATCHED})
    forget_definitions(bag)
    before, _ = contents(bag)
    after, qos = copied(bag, tmp_path / "copy", [6])
    assert sorted(m for m in after if m[1] != "/new") == sorted(before)
    assert qos["/wheels"] == [LATCHED]
    # Who knows the type can read it, and the others are readable by all.
    with AnyReader([tmp_path / "copy"]) as copy:
        data = next(data for c, _, data in copy.messages() if c.topic == "/wheels")
        assert TYPES.deserialize_cdr(data, CUSTOM).mood == "good"
        odom = next(data for c, _, data in copy.messages() if c.topic == "/odom")
        assert copy.deserialize(odom, "nav_msgs/msg/Odometry").pose.pose.position.x == 1.0


def test_of_a_ros_1_bag_the_copy_is_one_of_ros_2(tmp_path, capsys):
    bag = write_ros1(tmp_path / "one.bag", mixed(ROS1))
    after, _ = copied(bag, tmp_path / "copy", [6])
    assert capsys.readouterr().out == ""
    assert sorted(m[0:3] for m in after if m[1] != "/new") == sorted(m[0:3] for m in mixed())
    data = {(t, topic): data for t, topic, _, data in after}
    second = TYPES.deserialize_cdr(data[7, "/odom"], "nav_msgs/msg/Odometry")
    assert (second.header.stamp.sec, second.pose.pose.position.x) == (2, 2.0)
    assert TYPES.deserialize_cdr(data[9, "/wheels"], CUSTOM).left == 3.0
    (static,) = TYPES.deserialize_cdr(data[9, "/tf_static"], "tf2_msgs/msg/TFMessage").transforms
    assert (static.child_frame_id, static.transform.translation.x) == ("b", 1.0)


def test_a_new_bag_has_its_topics_in_the_order_of_time(tmp_path):
    first, second = new([3, 4]), new([1, 3, 9])
    write_new(tmp_path / "bag", [first, Added("/other", POSE, second.times, second.messages)])
    found, _ = contents(tmp_path / "bag")
    assert [(t, topic) for t, topic, *_ in found] == [
        (1, "/other"),
        (3, "/new"),
        (3, "/other"),
        (4, "/new"),
        (9, "/other"),
    ]


def test_a_real_ros_1_bag_with_types_of_its_own_is_copied(shared_data, tmp_path):
    path = shared_data / "recordings" / "rotors_waypoint_example.bag.gz"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    after, _ = copied(path, tmp_path / "copy")
    with open_bag(path) as bag:
        before = [(t, c.topic, c.msgtype) for c, t, _ in bag.everything()]
    assert [m[0:3] for m in after] == before
    with AnyReader([tmp_path / "copy"]) as copy:
        motors = [c for c in copy.connections if c.msgtype == "mav_msgs/msg/MotorSpeed"]
        _, _, data = next(copy.messages(connections=motors))
        assert len(copy.deserialize(data, "mav_msgs/msg/MotorSpeed").motor_speed) == 4
