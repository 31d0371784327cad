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

"""Truth from TF, over DDS; most of it where tf2_ros is installed."""

import importlib.util
import math

import numpy as np
import pytest
from graph import MS, SECOND, G, forces, odometry, rates, stamps

from imu_noise_node import ImuNoiseError

HAS_TF = importlib.util.find_spec("tf2_ros") is not None
needs_tf = pytest.mark.skipif(not HAS_TF, reason="tf2_ros comes with a ROS installation only")
START = 1000 * SECOND
STEP = 10 * MS


@pytest.mark.skipif(HAS_TF, reason="tf2_ros is installed")
def test_without_tf2_ros_one_sentence_says_what_to_install(graph):
    with pytest.raises(ImuNoiseError) as refused:
        graph.start({"truth_source": "tf"})
    assert str(refused.value) == (
        "the package tf2_ros is not installed, and needed for truth from TF: "
        "sudo apt install ros-$ROS_DISTRO-tf2-ros-py"
    )


def pose(k):
    """Where a body is that goes round a circle and turns with it: position and quaternion."""
    angle = 0.5 * STEP * k / SECOND
    half = 0.5 * angle
    place = (2.0 * math.sin(angle), 2.0 - 2.0 * math.cos(angle), 0.0)
    return place, (0.0, 0.0, math.sin(half), math.cos(half))


def transform(stamp, parent, child, place=(0.0, 0.0, 0.0), q=(0.0, 0.0, 0.0, 1.0)):
    from geometry_msgs.msg import TransformStamped

    found = TransformStamped()
    found.header.stamp.sec, found.header.stamp.nanosec = divmod(stamp, SECOND)
    found.header.frame_id, found.child_frame_id = parent, child
    t, r = found.transform.translation, found.transform.rotation
    t.x, t.y, t.z = map(float, place)
    r.x, r.y, r.z, r.w = map(float, q)
    return found


def tf_message(*transforms):
    from tf2_msgs.msg import TFMessage

    return TFMessage(transforms=list(transforms))


def moved(k):
    """Where the body is at step k, as a message."""
    return tf_message(transform(START + k * STEP, "odom", "base_link", *pose(k)))


def latched(graph, message):
    """Publish on /tf_static as its publishers do."""
    from rclpy.qos import DurabilityPolicy, QoSProfile

    profile = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    publisher = graph.peer.create_publisher(type(message), "/tf_static", profile)
    publisher.publish(message)
    return publisher


@needs_tf
def test_each_new_stamp_of_the_chain_is_a_pose(graph):
    graph.start({"truth_source": "tf", "tf.body_frame": "/base_link"})
    moves = [
        tf_message(transform(START + k * STEP, "odom", "base_link", *pose(k))) for k in range(8)
    ]
    samples = graph.send(moves, "/tf")
    # Two poses for the baseline, one message more than there are samples each.
    assert stamps(samples) == [START + k * STEP for k in range(2, 8)]
    assert graph.counts == {"baseline": 2, "samples": 6}


@needs_tf
def test_it_agrees_with_odometry_of_the_same_motion(graph):
    graph.start({"truth_source": "tf"}, namespace="/by_tf")
    heard = graph.hear("/by_tf/imu/data_raw")
    poses = graph.matched(type(tf_message()), "/tf")
    graph.start({"twist_frame": "pose"}, namespace="/by_odometry")
    for k in range(30):
        poses.publish(moved(k))
    told = [odometry(START + k * STEP, *pose(k)) for k in range(30)]
    by_odometry = graph.send(told, "/by_odometry/odom", "/by_odometry/imu/data_raw")
    graph.until(lambda: len(heard) == 28, "those by TF")
    # TF hands poses through a matrix, which rounds; a difference of rounded positions over dt^2.
    assert np.allclose(rates(heard), rates(by_odometry), rtol=0, atol=1e-12)
    assert np.allclose(forces(heard), forces(by_odometry), rtol=0, atol=1e-10)
    # Half a metre per second squared towards the centre, which is to the left.
    assert np.allclose(forces(heard)[4:], [0.0, 0.5, G], rtol=0, atol=5e-3)


@needs_tf
def test_static_parts_of_the_chain_are_gone_through(graph):
    graph.start({"truth_source": "tf", "tf.world_frame": "map", "tf.body_frame": "mast"})
    mast = transform(
        0, "base_link", "mast", (0.0, 0.0, 1.0), (math.sin(0.5), 0.0, 0.0, math.cos(0.5))
    )
    publisher = latched(graph, tf_message(transform(0, "map", "odom"), mast))
    source = graph.node._source
    graph.until(lambda: "mast" in source._seen, "the static frames")
    moves = [tf_message(transform(START + k * STEP, "odom", "base_link")) for k in range(4)]
    samples = graph.send(moves, "/tf")
    expected = [0.0, G * math.sin(1.0), G * math.cos(1.0)]
    assert np.allclose(forces(samples), expected, rtol=0, atol=1e-9)
    graph.peer.destroy_publisher(publisher)


@needs_tf
def test_a_chain_of_two_moving_links_has_their_stamps_as_far_as_both_are_known(graph):
    graph.start({"truth_source": "tf", "tf.world_frame": "map"})
    heard = graph.hear("/imu/data_raw")
    poses = graph.matched(type(tf_message()), "/tf")
    for k in range(20):
        poses.publish(moved(k))
        # The map is corrected at half the rate of the odometry.
        if k % 2 == 0:
            poses.publish(tf_message(transform(START + k * STEP, "map", "odom")))
    graph.until(lambda: len(heard) == 8, "samples")
    assert stamps(heard) == [START + 2 * k * STEP for k in range(2, 10)]


@needs_tf
def test_two_trees_are_no_chain(graph):
    graph.start({"truth_source": "tf"})
    heard = graph.hear("/imu/data_raw")
    poses = graph.matched(type(tf_message()), "/tf")
    for k in range(4):
        poses.publish(tf_message(transform(START + k * STEP, "odom", "wheel")))
        poses.publish(tf_message(transform(START + k * STEP, "torso", "base_link")))
    for k in range(4, 8):
        poses.publish(moved(k))
    graph.until(lambda: len(heard) == 2, "samples once there is a chain")


@needs_tf
def test_a_run_that_begins_again_is_followed(graph):
    graph.start({"truth_source": "tf"})
    first = graph.send([moved(k) for k in range(6)], "/tf")
    heard = graph.hear("/imu/data_raw")
    poses = graph.matched(type(tf_message()), "/tf")
    back = -900 * SECOND // STEP
    for k in range(6):
        poses.publish(
            tf_message(transform(START + (back + k) * STEP, "odom", "base_link", *pose(k)))
        )
    graph.until(lambda: len(heard) == 2 * len(first), "the second run")
    assert np.array_equal(rates(heard[:4]), rates(heard[4:]))
    assert graph.counts["reset"] == 1


@needs_tf
def test_frames_that_are_not_there_are_named(graph):
    graph.start({"truth_source": "tf", "tf.body_frame": "chassis"})
    poses = graph.matched(type(tf_message()), "/tf")
    for k in range(100):
        poses.publish(tf_message(transform(START + k * STEP, "odom", "base_link")))
    graph.until(lambda: "TF has no chain" in graph.log, "the warning")
    assert graph.warnings[-1] == (
        "TF has no chain from 'odom' to 'chassis': set tf.world_frame and tf.body_frame "
        "(it has base_link, odom)"
    )


@needs_tf
def test_a_fit_over_a_window_makes_less_of_the_noise_and_counts_every_pose(graph):
    """The noise of the poses is 35 times less with 11 poses; see test_smoothing.py for the law."""
    rng = np.random.default_rng(3)
    noise = 1e-4 * rng.standard_normal((60, 3))

    def noisy(k):
        place, turn = pose(k)
        return tf_message(transform(START + k * STEP, "odom", "base_link", noise[k] + place, turn))

    graph.start({"truth_source": "tf", "tf.window": 11})
    samples = graph.send_tf([noisy(k) for k in range(60)])
    assert stamps(samples) == [START + k * STEP for k in range(6, 55)]
    _, values = graph.diagnostics()
    assert graph.counts == {"baseline": 1, "samples": 49}
    assert (values["waiting in tf.window"], values["at an end of tf.window"]) == ("5", "5")
    assert values["received"] == "60"
    expected = 1e-4 / (STEP / SECOND) ** 2 * 12 / (11 * 120) * math.sqrt(10 + 50)
    deviations = forces(samples) - [0.0, 0.5, G]
    # The samples of one window are alike, so this is a bound on size and no test of the law.
    assert np.sqrt(np.mean(deviations**2)) < 3.0 * expected
    assert np.allclose(rates(samples), [0.0, 0.0, 0.5], rtol=0, atol=1e-6)


@needs_tf
def test_transforms_that_are_none_are_counted(graph):
    graph.start({"truth_source": "tf"})
    good = [moved(k) for k in range(4)]
    bad = [
        tf_message(transform(0, "odom", "base_link")),
        tf_message(transform(START + 31 * MS, "odom", "base_link", (math.nan, 0.0, 0.0))),
        tf_message(transform(START + 32 * MS, "odom", "base_link", q=(0.0, 0.0, 0.0, 2.0))),
        tf_message(transform(START + 33 * MS, "odom", "base_link", q=(0.0, 0.0, 0.0, 0.0))),
    ]
    samples = graph.send_tf([good[0], *bad[:2], good[1], *bad[2:], *good[2:]])
    assert stamps(samples) == [START + k * STEP for k in range(2, 4)]
    _, values = graph.diagnostics()
    assert (values["transforms refused"], values["received"], values["invalid"]) == ("4", "4", "0")
