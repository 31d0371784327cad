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

from imu_noise_node.errors import ImuNoiseError
from imu_noise_node.ros.launch_arguments import arguments, misspelt, read


@pytest.fixture
def listed():
    return {argument.name: argument for argument in arguments(Path("/share/imu_noise.yaml"))}


def test_every_argument_has_a_description_and_a_default(listed):
    assert all(argument.description.endswith(".") for argument in listed.values())
    assert listed["params_file"].default == "/share/imu_noise.yaml"
    assert listed["truth_source"].choices == ("", "odometry", "imu", "tf")


def test_defaults_leave_the_parameter_file_in_charge(listed):
    values = {name: argument.default for name, argument in listed.items()}
    setup = read({**values, "params_file": ""})
    assert setup.name == "imu_noise"
    assert not setup.parameters
    assert not setup.remappings
    assert setup.params_file is None
    assert setup.recording is None
    assert setup.log_level == ""
    assert setup == read({})


def test_given_arguments_become_typed_parameters():
    setup = read(
        {
            "profile": "bmi088",
            "truth_source": "imu",
            "frame_id": "7",
            "rate": "200",
            "seed": "-1",
            "use_sim_time": "True",
        }
    )
    assert setup.parameters == {
        "profile": "bmi088",
        "truth_source": "imu",
        "frame_id": "7",
        "rate": 200.0,
        "seed": -1,
        "use_sim_time": True,
    }
    assert isinstance(setup.parameters["rate"], float)


def test_topics_become_remappings():
    setup = read({"odom_topic": "/gt", "ideal_topic": "sim/imu", "imu_topic": "~/out"})
    assert setup.remappings == {"odom": "/gt", "imu/ideal": "sim/imu", "imu/data_raw": "~/out"}


def test_home_is_expanded_in_paths(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.yaml").touch()
    setup = read({"params_file": "~/mine.yaml", "profile": "~/mine.yaml", "record": "~/run"})
    assert setup.params_file == tmp_path / "mine.yaml"
    assert setup.parameters["profile"] == str(tmp_path / "mine.yaml")
    assert setup.recording is not None
    assert setup.recording.output == tmp_path / "run"


@pytest.mark.parametrize("text", ["debug", "INFO", "imu_noise:=warn", "rclpy.node:=error"])
def test_log_levels(text):
    assert read({"log_level": text}).log_level == text


@pytest.mark.parametrize("text", ["true", "True", "1"])
def test_record_true_leaves_the_name_of_the_folder_to_the_recorder(text):
    recording = read({"record": text, "use_sim_time": "true", "odom_topic": "gt"}).recording
    assert recording is not None
    assert recording.output is None
    assert recording.use_sim_time
    assert "gt" in recording.topics


@pytest.mark.parametrize("text", ["", "false", "False", "0"])
def test_record_false(text):
    assert read({"record": text}).recording is None


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("namespace", "a//b", "words joined by /"),
        ("namespace", "1a", "words joined by /"),
        ("name", "front/imu", "letters, digits and _"),
        ("name", "1x", "letters, digits and _"),
        ("params_file", "/no/such.yaml", "existing YAML file"),
        ("truth_source", "lidar", "one of odometry, imu, tf"),
        ("odom_topic", "a b", "topic name"),
        ("ideal_topic", "/", "topic name"),
        ("imu_topic", "imu/", "topic name"),
        ("rate", "fast", "0 or more [Hz]"),
        ("rate", "-1", "0 or more [Hz]"),
        ("rate", "nan", "0 or more [Hz]"),
        ("rate", "inf", "0 or more [Hz]"),
        ("seed", "x", "whole number"),
        ("seed", "1.5", "whole number"),
        ("seed", "-2", "whole number"),
        ("seed", str(2**63), "whole number"),
        ("use_sim_time", "maybe", "true or false"),
        ("log_level", "loud", "debug, info, warn, error, fatal"),
        ("record", "/", "does not exist yet"),
    ],
)
def test_a_bad_value_is_one_sentence_with_name_value_and_what_is_allowed(name, text, allowed):
    with pytest.raises(ImuNoiseError) as caught:
        read({name: text})
    sentence = str(caught.value)
    assert sentence.startswith(f"{name} = {text!r}: ")
    assert allowed in sentence
    assert "\n" not in sentence


def test_a_misspelt_argument_finds_its_neighbour():
    given = ["sed:=3", "rate:=1", "profil:=x", "unrelated:=1", "--debug"]
    assert misspelt(given, ["seed", "rate", "profile"]) == [("sed", "seed"), ("profil", "profile")]
