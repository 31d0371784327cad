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

"""What gazebo.launch.py makes of its arguments, and the files that go with it."""

from pathlib import Path

import pytest
import yaml

from imu_noise_node.errors import ImuNoiseError
from imu_noise_node.ros import launch_arguments
from imu_noise_node.ros.gazebo import CLOCK, QUEUE, TRUTH, arguments, read
from imu_noise_node.ros.recording import TRUTH_TOPICS

CONFIG = Path(__file__).parents[2] / "config"


@pytest.fixture
def listed():
    return {argument.name: argument for argument in arguments(Path("/share/imu_noise.yaml"))}


def test_every_argument_of_the_node_is_there_and_described(listed):
    own = {argument.name for argument in launch_arguments.arguments(Path())}
    assert set(listed) == own | {"model", "world", "bridge_clock", "twist_frame"}
    assert all(argument.description.endswith(".") for argument in listed.values())


def test_defaults_are_the_odometry_of_a_robot_in_simulated_time(listed):
    values = {name: argument.default for name, argument in listed.items()}
    setup, bridge = read({**values, "params_file": ""})
    assert setup.remappings["odom"] == "/model/robot/odometry"
    assert setup.parameters == {
        "truth_source": "odometry",
        "twist_frame": "pose",
        "use_sim_time": True,
    }
    assert bridge.topics == (f"/model/robot/odometry@{TRUTH['odometry']}", f"/clock@{CLOCK}")
    assert bridge.parameters == {"qos_overrides./model/robot/odometry.publisher.depth": QUEUE}
    assert bridge.remappings == {}


def test_an_odometry_topic_wins_over_the_model():
    setup, bridge = read({"model": "x3", "odom_topic": "truth/odom"})
    assert setup.remappings["odom"] == "/truth/odom"
    assert bridge.topics[0] == f"/truth/odom@{TRUTH['odometry']}"


def test_the_noiseless_imu_comes_over_alone():
    setup, bridge = read({"truth_source": "imu", "bridge_clock": "false"})
    assert setup.remappings["imu/ideal"] == "/imu/ideal"
    assert bridge.topics == (f"/imu/ideal@{TRUTH['imu']}",)


def test_the_clock_of_a_world_becomes_the_clock():
    _, bridge = read({"world": "depot"})
    assert bridge.topics[1] == f"/world/depot/clock@{CLOCK}"
    assert bridge.remappings == {"/world/depot/clock": "/clock"}


def test_a_recording_has_the_topic_that_is_bridged():
    setup, _ = read({"model": "x3", "record": "true", "use_sim_time": "true"})
    assert setup.recording is not None
    assert setup.recording.topics[0] == "/model/x3/odometry"
    assert setup.recording.use_sim_time


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("truth_source", "tf", "odometry or imu"),
        ("twist_frame", "sensor", "body or world or pose"),
        ("model", "my-robot", "letters, digits and _"),
        ("model", "2wd", "letters, digits and _"),
        ("world", "a world", "letters, digits and _"),
        ("odom_topic", "~/odom", "topic of Gazebo"),
        ("ideal_topic", "/world/w/model/my-robot/imu", "topic of Gazebo"),
        ("bridge_clock", "perhaps", "true or false"),
        ("rate", "fast", "0 or more [Hz]"),
    ],
)
def test_a_bad_value_is_one_sentence_with_name_value_and_what_is_allowed(name, text, allowed):
    with pytest.raises(ImuNoiseError) as caught:
        read({name: text})
    sentence = str(caught.value)
    assert sentence.startswith(f"{name} = {text!r}: ")
    assert allowed in sentence
    assert "\n" not in sentence


def test_the_file_for_the_bridge_says_what_the_launch_file_does():
    entries = yaml.safe_load((CONFIG / "gz_bridge.yaml").read_text())
    assert {entry["direction"] for entry in entries} == {"GZ_TO_ROS"}
    pairs = {
        entry["ros_topic_name"]: f"{entry['ros_type_name']}[{entry['gz_type_name']}"
        for entry in entries
    }
    truths = {topic: TRUTH[source] for source, topic in TRUTH_TOPICS.items() if source in TRUTH}
    assert pairs == {**truths, "/clock": CLOCK}
    assert [entry.get("publisher_queue") for entry in entries] == [QUEUE, QUEUE, None]
