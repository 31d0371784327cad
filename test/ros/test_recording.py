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

from pathlib import Path

import pytest

from imu_noise_node.ros.recording import Recording, command, join_namespaces, resolve, topics


@pytest.mark.parametrize(
    ("outer", "inner", "joined"),
    [
        ("", "", "/"),
        ("", "robot1", "/robot1"),
        ("", "/robot1/", "/robot1/"),
        ("/fleet", "robot1", "/fleet/robot1"),
        ("/fleet", "", "/fleet"),
        ("/fleet", "/robot1", "/robot1"),
        ("/", "robot1", "/robot1"),
    ],
)
def test_namespaces_nest_unless_the_inner_one_is_absolute(outer, inner, joined):
    assert join_namespaces(outer, inner) == joined


@pytest.mark.parametrize(
    ("topic", "namespace", "name"),
    [
        ("odom", "/", "/odom"),
        ("odom", "/robot1", "/robot1/odom"),
        ("odom", "/robot1/", "/robot1/odom"),
        ("/truth/odom", "/robot1", "/truth/odom"),
        ("~/truth", "/robot1", "/robot1/front/truth"),
        ("~/truth", "/", "/front/truth"),
    ],
)
def test_topics_resolve_as_the_node_sees_them(topic, namespace, name):
    assert resolve(topic, namespace, "front") == name


def test_an_open_truth_source_records_either_truth():
    assert {"odom", "imu/ideal"} < set(topics("", {}))
    assert "imu/ideal" not in topics("odometry", {})
    assert "odom" not in topics("imu", {})


def test_remapped_topics_are_recorded_under_their_new_names():
    found = topics("odometry", {"odom": "/ground_truth", "imu/data_raw": "imu"})
    assert found[:2] == ("/ground_truth", "imu")


def test_the_command_names_every_topic_in_full():
    recording = Recording(("odom", "~/truth"), output=None, use_sim_time=False)
    assert command(recording, "/robot1", "front") == [
        *("ros2", "bag", "record"),
        *("--regex", "^(/robot1/odom|/robot1/front/truth)$"),
    ]


def test_folder_and_clock_are_passed_on():
    recording = Recording(("odom",), output=Path("/tmp/run 1"), use_sim_time=True)
    assert command(recording, "/", "imu_noise")[-3:] == [
        *("--output", "/tmp/run 1"),
        "--use-sim-time",
    ]
