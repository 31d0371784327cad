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

"""The recorder ends by itself when all is there, and also when something never will be."""

from __future__ import annotations

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

from imu_noise_node.analysis.channels import load_channels


@pytest.mark.parametrize("published", [50, 40])
def test_it_ends_and_says_what_came(start, tmp_path, published):
    output = tmp_path / "recorded.npz"
    recorder = start(
        *("-m", "imu_noise_node.ros.demo_recorder", "--truth", "/odom"),
        *("--nodes", "/one", "--count", "50", "--output", output),
    )
    remaps = ("-r", "__ns:=/one", "-r", "odom:=/odom")
    start("-m", "imu_noise_node.ros.node", "--ros-args", *remaps)
    start(
        *("-m", "imu_noise_node.ros.demo_truth", "--topic", "/odom", "--listeners", "2"),
        *("--count", str(published), "--start", "1000000000", "--step", "2500000"),
    )
    assert recorder.wait(timeout=60) == 0
    (truth, samples), notes = load_channels(output)
    assert (truth.topic, truth.message_type) == ("/odom", "nav_msgs/msg/Odometry")
    assert truth.stamps.tolist() == [1_000_000_000 + 2_500_000 * k for k in range(published)]
    assert samples.topic == "/one/imu/data_raw"
    assert samples.stamps.tolist() == truth.stamps.tolist()[1:]
    assert samples.values.tolist() == [[0.0, 0.0, 0.0, 0.0, 0.0, 9.80665]] * (published - 1)
    assert sum(notes["counts"]["/one"].values()) == published
    assert notes["counts"]["/one"]["samples"] == published - 1
