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

"""The mount from TF, over DDS; most of it where tf2_ros is installed."""

import numpy as np
import pytest
from graph import MS, SECOND, Odometry, forces, odometry, rates, stamps
from test_tf import HAS_TF, latched, needs_tf, tf_message, transform

from imu_noise_node import ImuNoiseError

START = 1000 * SECOND
DOWN = (0.0, np.sqrt(0.5), 0.0, np.sqrt(0.5))
"""A quarter turn about y: x points down, where roll and yaw are one."""


def spinning(first, count):
    """A body that turns about z at 2 rad/s, in steps of 10 ms."""
    messages = []
    for k in range(first, first + count):
        half = 0.01 * k
        q = (0.0, 0.0, np.sin(half), np.cos(half))
        messages.append(odometry(START + k * 10 * MS, orientation=q, rate=(0.0, 0.0, 2.0)))
    return messages


@pytest.mark.skipif(HAS_TF, reason="tf2_ros is installed")
def test_without_tf2_ros_one_sentence_says_what_to_install(graph):
    with pytest.raises(ImuNoiseError, match="needed for a mount from TF: sudo apt install ros-"):
        graph.start({"mount.from_tf": True})


def test_two_mounts_contradict_each_other(graph):
    with pytest.raises(ImuNoiseError) as refused:
        graph.start({"mount.from_tf": True, "mount.translation": [0.1, 0.0, 0.0]})
    assert str(refused.value) == (
        "mount.from_tf = True: must be false where mount.translation or mount.rpy is given"
    )


@needs_tf
def test_nothing_comes_until_the_mount_is_known(graph):
    graph.start({"mount.from_tf": True, "seed": 1, "accelerometer.noise_density": 1e-6})
    assert graph.send(spinning(0, 3)) == []
    assert graph.counts == {"no_mount": 3}
    publisher = latched(
        graph,
        tf_message(
            transform(0, "/base_link", "board", (0.5, 0.0, 0.0)),
            transform(0, "board", "imu_link", (0.0, 0.0, 0.1), DOWN),
        ),
    )
    graph.until(lambda: "mount from TF" in graph.log, "the mount")
    samples = graph.send(spinning(3, 20))
    assert stamps(samples)[0] == START + 40 * MS
    # The sensor's x looks down, its z along the body's x, away from the axis.
    assert np.allclose(rates(samples), [-2.0, 0.0, 0.0], rtol=0, atol=1e-9)
    assert np.allclose(forces(samples)[2:], [-9.80665, 0.0, -2.0], rtol=0, atol=1e-3)
    assert graph.set("temperature", 30.0) == ""
    assert np.allclose(rates(graph.send(spinning(23, 3))), [-2.0, 0.0, 0.0], rtol=0, atol=1e-9)
    assert "must be false where" in graph.set("mount.rpy", [0.1, 0.0, 0.0])
    publisher.publish(tf_message(transform(0, "board", "imu_link")))
    graph.until(lambda: graph.log.count("mount from TF") == 2, "the other mount")
    assert np.allclose(rates(graph.send(spinning(26, 3))), [0.0, 0.0, 2.0], rtol=0, atol=1e-9)
    # A sensor that is moved begins with a baseline at its new place.
    assert graph.counts == {"no_mount": 3, "baseline": 2, "samples": 24}


@needs_tf
def test_it_says_which_links_are_missing(graph):
    graph.start({"mount.from_tf": True, "tf.body_frame": "trunk"})
    assert graph.send(spinning(0, 3)) == []
    sentence = "; /tf_static has no links from 'trunk' to 'imu_link' yet (README"
    graph.until(lambda: sentence in graph.log, "the warning")


@needs_tf
def test_a_sensor_in_the_frame_of_the_body_waits_for_nothing(graph):
    graph.start({"mount.from_tf": True, "frame_id": "base_link"})
    assert len(graph.send(spinning(0, 3))) == 2


@needs_tf
def test_each_imu_has_its_own_frame(graph):
    graph.start({"mount.from_tf": True, "instances": "left,right"})
    heard = {name: graph.hear(f"/{name}/imu/data_raw") for name in ("left", "right")}
    both = tf_message(
        transform(0, "base_link", "left_imu_link", (0.0, 1.0, 0.0)),
        transform(0, "base_link", "right_imu_link", (0.0, -1.0, 0.0)),
    )
    publisher = latched(graph, both)
    graph.until(lambda: graph.log.count("mount from TF") == 2, "both mounts")
    odometries = graph.matched(Odometry, "/odom")
    for message in spinning(0, 11):
        odometries.publish(message)
    graph.until(lambda: all(len(messages) == 10 for messages in heard.values()), "both")
    assert np.allclose(forces(heard["left"])[2:, 1], -4.0, rtol=1e-3)
    assert np.allclose(forces(heard["right"])[2:, 1], 4.0, rtol=1e-3)
    assert publisher.get_subscription_count() == 1
