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

"""Truth from bags: which topic it is, and what its messages say."""

import math

import numpy as np
import pytest
from made_bags import CUSTOM as WHEELS
from made_bags import (
    ROS1,
    SECOND,
    TF,
    imu,
    odometry,
    pose,
    tf,
    transform,
    wheels,
    write_ros1,
    write_ros2,
)
from rosbags.highlevel import AnyReader

from imu_noise_node import InputError
from imu_noise_node.bags.reading import open_bag
from imu_noise_node.bags.truth import read_truth
from imu_noise_node.simulation.run import simulate

ODOMETRY, POSE = "nav_msgs/msg/Odometry", "geometry_msgs/msg/PoseStamped"
QUARTER = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))


def read(path, *arguments):
    with open_bag(path) as bag:
        return read_truth(bag, *arguments)


def test_odometry_comes_before_poses_and_keeps_its_numbers(tmp_path):
    messages = [
        (10, "/pose", POSE, pose(SECOND, 9.0)),
        (11, "/odom", ODOMETRY, odometry(SECOND + 1, 1.5, velocity=0.25)),
        (12, "/odom", ODOMETRY, odometry(3 * SECOND, 2.5, velocity=0.5)),
    ]
    found = read(write_ros2(tmp_path / "bag", messages))
    assert found.kind == "odometry"
    assert found.stamps.tolist() == [SECOND + 1, 3 * SECOND]
    assert found.times.tolist() == [11, 12]
    assert found.values[0].tolist() == [1.5, 0, 0, 0, 0, 0, 1, 0.25, 0, 0, 0, 0, 0]
    poses = read(tmp_path / "bag", "pose")
    assert (poses.kind, poses.values[0].tolist()) == ("pose", [9, 0, 0, 0, 0, 0, 1])


def test_a_ros_1_bag_has_the_same_numbers(tmp_path):
    path = write_ros1(tmp_path / "a.bag", [(11, "/odom", ODOMETRY, odometry(9, 1.5, ROS1, 0.25))])
    found = read(path)
    assert (found.stamps.tolist(), found.values[0, [0, 7]].tolist()) == ([9], [1.5, 0.25])


def test_an_imu_has_an_orientation_unless_it_denies_it(tmp_path):
    messages = [
        (k, "/imu", "sensor_msgs/msg/Imu", imu(SECOND + k, (1, 2, 3), (4, 5, 6), known=k == 1))
        for k in range(2)
    ]
    found = read(write_ros2(tmp_path / "bag", messages))
    assert found.kind == "imu"
    assert found.values[1].tolist() == [1, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    first, second = found.truths()
    assert (first.orientation, second.orientation) == (None, (1, 0, 0, 0))
    assert (first.angular_velocity, first.specific_force) == ((1, 2, 3), (4, 5, 6))


STILL = {
    "odom": ("map", 2.0, QUARTER),
    "link": ("foot", 3.0, QUARTER),
    "cam": ("link", 1.0, (0.0, 0.0, 0.0, 1.0)),
}
"""By child: its parent, how far ahead of that it is, and how turned."""


def chain(tmp_path, moving=(("odom", "foot"),)):
    """A chain of frames: map, odom, foot, link, cam; only foot moves."""
    still = [transform(0, parent, child, *place) for child, (parent, *place) in STILL.items()]
    messages = [(1, "/tf_static", TF, tf(*still))]
    for k in range(3):
        stamp = (k + 1) * SECOND
        parts = [transform(stamp, *link, float(k)) for link in moving]
        messages.append((2 + k, "/tf", TF, tf(*parts, transform(stamp, "odom", "/other", 5.0))))
    return write_ros2(tmp_path / "bag", messages)


def test_tf_is_followed_along_its_chain(tmp_path):
    path = chain(tmp_path)
    own = read(path, None, ("odom", "foot"))
    assert (own.kind, own.stamps.tolist()) == ("pose", [SECOND, 2 * SECOND, 3 * SECOND])
    assert own.times.tolist() == [2, 3, 4]
    assert own.values[:, 0].tolist() == [0.0, 1.0, 2.0]
    # A quarter turn to the left at (2, 0), k and 3 along the new x, which is y; there another
    # quarter turn, and 1 against x.
    whole = read(path, "/tf", ("map", "cam"))
    expected = [[1.0, k + 3.0, 0.0, 0.0, 0.0, 1.0, 0.0] for k in range(3)]
    np.testing.assert_allclose(whole.values, expected, atol=1e-15)


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        (
            ("odom", "wing"),
            "no chain up from 'wing' to 'odom'; its frames are cam, foot, link, map",
        ),
        (("foot", "odom"), "no chain up from 'odom' to 'foot'"),
        (("foot", "link"), "no link of TF between 'foot' and 'link' move"),
    ],
)
def test_chains_that_are_not_there_are_refused(tmp_path, frames, words):
    with pytest.raises(InputError, match=words):
        read(chain(tmp_path), None, frames)


def test_a_link_that_is_sent_again_and_again_without_a_change_does_not_move(tmp_path):
    path = chain(tmp_path)
    with AnyReader([path]) as bag:
        rows = [(t, bag.deserialize(data, TF)) for _, t, data in bag.messages()]
    again = [(t, "/tf", TF, tf(*rows[0][1].transforms, *m.transforms)) for t, m in rows[1:]]
    found = read(write_ros2(tmp_path / "again", again), None, ("map", "cam"))
    assert np.array_equal(found.values, read(path, "/tf", ("map", "cam")).values)


def test_a_chain_of_two_moving_links_is_refused(tmp_path):
    path = chain(tmp_path, (("odom", "foot"), ("map", "odom")))
    with pytest.raises(InputError, match=r"2 links of TF .* move: odom to foot, map to odom"):
        read(path, None, ("map", "foot"))


def test_what_is_no_truth_or_not_clear_is_refused_with_a_list(tmp_path):
    bag = write_ros2(tmp_path / "a", [(1, "/wheels", WHEELS, wheels(1.0))])
    with pytest.raises(InputError, match=r"no topic of a truth .*; it has: /wheels \(my_robot"):
        read(bag)
    with pytest.raises(InputError, match=r"is not in .*; it has: /wheels \(my_robot"):
        read(bag, "/odom")
    with pytest.raises(InputError, match=f"is of type {WHEELS}; truth is one of nav_msgs"):
        read(bag, "/wheels")
    two = [(1, f"/odom{k}", ODOMETRY, odometry(SECOND)) for k in range(2)]
    with pytest.raises(InputError, match=r"several topics .*: /odom0 \(.*/odom1 .*; choose one"):
        read(write_ros2(tmp_path / "b", two))


@pytest.mark.parametrize(
    ("topic", "kind", "message"),
    [
        ("/odom", ODOMETRY, odometry(SECOND)),
        ("/tf", TF, tf(transform(SECOND, "odom", "base_link"))),
    ],
)
def test_a_bag_whose_quaternions_have_no_w_is_a_sentence(tmp_path, topic, kind, message):
    folder = write_ros2(tmp_path / "bag", [(1, topic, kind, message)])
    (file,) = folder.glob("*.mcap")
    file.write_bytes(file.read_bytes().replace(b"float64 w", b"float64 v"))
    with pytest.raises(InputError, match=r"damaged: .* has no attribute 'w'$"):
        # Its metadata would tell that the type is another one.
        read(file)


@pytest.mark.parametrize(
    ("name", "topic", "counts"),
    [
        ("nav2_turtlebot.mcap", None, {"baseline": 1, "gap": 1, "samples": 2637}),
        ("nav2_turtlebot.mcap", "/tf", {"baseline": 3, "gap": 1, "samples": 2635}),
        ("tf_example", None, {"baseline": 2, "samples": 515}),
        ("robot_localization_test2_jackal_sim.bag", None, {"baseline": 1, "samples": 3059}),
        ("robot_localization_test2_jackal_sim.bag", "imu/data", {"baseline": 1, "samples": 3060}),
        ("rotors_waypoint_example.bag.gz", None, {"baseline": 2, "samples": 6575}),
    ],
)
def test_real_recordings_come_to_samples_or_reasons(shared_data, name, topic, counts):
    path = shared_data / "recordings" / name
    if not path.exists():
        pytest.skip(f"no {name}")
    run = simulate(read(path, topic))
    assert {verdict.value: n for verdict, n in run.counts.items()} == counts
    assert np.isfinite(run.values).all()
