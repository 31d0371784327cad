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

"""What one process saves, the other loads."""

from __future__ import annotations

import numpy as np

from imu_noise_node.analysis.channels import Channel, load_channels, save_channels


def test_channels_come_back_as_they_were(tmp_path):
    imu = Channel(
        "/imu",
        "sensor_msgs/msg/Imu",
        np.array([3, 1_779_876_543_123_456_789], dtype=np.int64),
        [b"\x00\x01two", b"\xff"],
        np.array([[1.0, -0.0, 1e-300, 4.0, 5.0, 6.0], [np.pi] * 6]),
    )
    empty = Channel("/odom", "nav_msgs/msg/Odometry", np.empty(0, np.int64), [], np.empty((0, 0)))
    save_channels(tmp_path / "file.npz", [imu, empty], {"counts": {"/a": {"samples": 2}}})
    (first, second), notes = load_channels(tmp_path / "file.npz")

    assert notes == {"counts": {"/a": {"samples": 2}}}
    assert (first.topic, first.message_type) == (imu.topic, imu.message_type)
    assert first.messages == imu.messages
    assert first.stamps.tolist() == imu.stamps.tolist()
    assert first.values.tobytes() == imu.values.tobytes()
    assert second.topic == "/odom"
    assert second.messages == []
    assert second.values.shape == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["file.npz"]
