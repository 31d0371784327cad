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

"""The arrows for rviz2, over DDS."""

import math

import numpy as np
from graph import MS, SECOND, odometry, parked
from visualization_msgs.msg import MarkerArray

START = 1000 * SECOND


def test_arrows_show_rate_and_force_in_the_frame_of_the_sensor(graph):
    graph.start({"arrows": True, "frame_id": "imu_front"})
    heard = graph.hear("/imu_noise/arrows", MarkerArray)
    rate = 2.0
    graph.send(
        [
            odometry(
                START + 10 * k * MS,
                orientation=(0.0, 0.0, math.sin(0.01 * k), math.cos(0.01 * k)),
                rate=(0.0, 0.0, rate),
            )
            for k in range(21)
        ]
    )
    # At most one in 33 ms: 4 samples apart.
    graph.until(lambda: len(heard) == 5, "the arrows")
    for array in heard:
        turn, force = array.markers
        assert [m.ns for m in (turn, force)] == ["angular_velocity", "specific_force"]
        assert turn.header.frame_id == force.header.frame_id == "imu_front"
        for marker, tip in ((turn, [0.0, 0.0, 0.5 * rate]), (force, [0.0, 0.0, 0.980665])):
            start, end = marker.points
            assert [start.x, start.y, start.z] == [0.0, 0.0, 0.0]
            assert np.allclose([end.x, end.y, end.z], tip, rtol=0, atol=1e-6)


def test_nobody_asked_nothing_drawn(graph):
    graph.start()
    graph.send(parked(*(START + 10 * k * MS for k in range(3))))
    assert not [p for p in graph.node.publishers if p.topic_name.endswith("arrows")]
