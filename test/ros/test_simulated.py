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

"""What `simulate` writes is what the live node publishes of the same truth, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from graph import SECOND, Imu, odometry

pytest.importorskip("rosbags", reason="reads and writes bags; needs rosbags")

from rclpy.serialization import deserialize_message
from rosbags.rosbag2 import Reader

from imu_noise_node import cli
from imu_noise_node.bags.reading import open_bag
from imu_noise_node.bags.truth import read_truth

PARAMETERS = {
    "profile": "bmi088",
    "seed": 11,
    "rate": 20.0,
    "mount.translation": [0.1, 0.0, -0.2],
    "mount.rpy": [0.0, 0.1, 1.5],
    "orientation": "noisy",
    "orientation_stddev": 0.01,
}
OPTIONS = (
    *("--profile", "bmi088", "--seed", "11", "--rate", "20"),
    *("--mount", "0.1", "0", "-0.2", "0", "0.1", "1.5"),
    *("--orientation", "noisy", "--orientation-stddev", "0.01"),
)


def facts(message):
    """All that is in a message."""
    q, w, f = message.orientation, message.angular_velocity, message.linear_acceleration
    return [
        message.header.frame_id,
        message.header.stamp.sec * SECOND + message.header.stamp.nanosec,
        [q.x, q.y, q.z, q.w, w.x, w.y, w.z, f.x, f.y, f.z],
        message.orientation_covariance.tolist(),
        message.angular_velocity_covariance.tolist(),
        message.linear_acceleration_covariance.tolist(),
    ]


def simulated(path, folder, *options):
    """Return the Imu messages of the bag that `simulate` makes."""
    assert cli.run(["simulate", str(path), "--output", str(folder), *options], "prog") == 0
    with Reader(folder) as bag:
        chosen = [c for c in bag.connections if c.topic == "/imu/data_raw"]
        return [deserialize_message(data, Imu) for _, _, data in bag.messages(chosen)]


@pytest.fixture
def recording(shared_data):
    path = shared_data / "recordings" / "nav2_turtlebot.mcap"
    if not path.exists():
        pytest.skip(f"no {path.name}")
    return path


def test_the_messages_are_those_of_the_live_node(graph, recording, tmp_path):
    with open_bag(recording) as bag:
        truth = read_truth(bag)
    sent = [
        odometry(stamp, row[0:3], row[3:7], row[7:10], row[10:13])
        for stamp, row in zip(truth.stamps.tolist(), truth.values.tolist(), strict=True)
    ]
    graph.start(PARAMETERS)
    raw = graph.hear("/imu/data_raw")
    live = graph.send(sent, output="/imu/data")
    graph.until(lambda: len(raw) == len(live), "all samples")
    assert graph.counts["gap"] == 1
    assert len(live) > 1300
    offline = simulated(recording, tmp_path / "oriented", *OPTIONS)
    assert [facts(m) for m in offline] == [facts(m) for m in live]
    plain = simulated(recording, tmp_path / "plain", *OPTIONS[:-4])
    assert [facts(m) for m in plain] == [facts(m) for m in raw]
    assert np.unique([m.orientation.x for m in live]).size == len(live)
