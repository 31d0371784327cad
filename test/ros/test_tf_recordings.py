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

"""Recorded /tf, played through the live node, where tf2_ros is installed."""

import numpy as np
import pytest
from graph import SECOND, G, forces, rates, stamps

pytest.importorskip("tf2_ros", reason="tf2_ros comes with a ROS installation only")
highlevel = pytest.importorskip("rosbags.highlevel", reason="reads bags; needs rosbags")
typesys = pytest.importorskip("rosbags.typesys")
serialization = pytest.importorskip("rclpy.serialization")
TFMessage = pytest.importorskip("tf2_msgs.msg").TFMessage


def recorded(path):
    """Return the messages of /tf, and those of /tf_static in one."""
    if not path.exists():
        pytest.skip(f"no {path.name}")
    store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    moving, static = [], TFMessage()
    with highlevel.AnyReader([path], default_typestore=store) as bag:
        chosen = [c for c in bag.connections if c.topic in ("/tf", "/tf_static")]
        for connection, _, raw in bag.messages(connections=chosen):
            message = serialization.deserialize_message(bytes(raw), TFMessage)
            if connection.topic == "/tf":
                moving.append(message)
            else:
                static.transforms += message.transforms
    return moving, static


def link_stamps(messages, child):
    """Stamps [ns] of the link with that child."""
    times = [t.header.stamp for m in messages for t in m.transforms if t.child_frame_id == child]
    return [t.sec * SECOND + t.nanosec for t in times]


def test_a_robots_poses_at_10_hz_become_samples(graph, shared_data):
    moving, _ = recorded(shared_data / "recordings/tf_example")
    graph.start({"truth_source": "tf", "tf.body_frame": "base_footprint"})
    samples = graph.send_tf(moving)
    given = link_stamps(moving, "base_footprint")
    assert stamps(samples) == given[2:]
    assert graph.counts == {"baseline": 2, "samples": len(given) - 2}
    assert np.isfinite(rates(samples)).all()
    # It drives on the level.
    assert np.allclose(forces(samples)[:, 2], G, rtol=0, atol=1e-6)


def test_a_turtlebots_tf_agrees_with_its_odometry(graph, shared_data):
    moving, _ = recorded(shared_data / "recordings/nav2_turtlebot.mcap")
    child = next(
        t.child_frame_id for m in moving for t in m.transforms if t.header.frame_id == "odom"
    )
    graph.start({"truth_source": "tf", "tf.body_frame": child})
    samples = graph.send_tf(moving)
    given = link_stamps(moving, child)
    # A gap of 1.764 s takes a new baseline of two poses.
    (gap,) = np.flatnonzero(np.diff(given) > 0.5 * SECOND)
    assert stamps(samples) == [s for k, s in enumerate(given) if k not in (0, 1, gap + 1, gap + 2)]
    assert graph.counts == {"baseline": 3, "gap": 1, "samples": len(given) - 4}
    assert np.abs(rates(samples)[:, 2]).max() < 1.6
