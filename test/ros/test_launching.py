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

"""The real `ros2 launch` on a stand-in node that shows what it was told."""

import os
import re

import pytest
import yaml
from launcher import ROOT, Launcher, after

pytest.importorskip("launch_ros", reason="launch_ros comes with a ROS installation only")
pytest.importorskip("ros2launch", reason="ros2launch comes with a ROS installation only")


@pytest.fixture
def launch(tmp_path):
    return Launcher(tmp_path, "sim.launch.py")


def test_show_args_describes_every_argument(launch):
    code, output = launch("--show-args")
    assert code == 0
    assert "no description given" not in output
    assert re.findall(r"^    '(\w+)':", output, re.MULTILINE) == [
        *("namespace", "name", "params_file", "profile", "truth_source"),
        *("odom_topic", "ideal_topic", "imu_topic", "frame_id", "rate", "seed"),
        *("use_sim_time", "log_level", "record"),
    ]


def test_by_default_the_node_is_told_of_the_parameter_file_alone(launch):
    code, _ = launch()
    assert code == 0
    node = launch.told["imu_noise_node"]
    assert node["files"] == [str(ROOT / "config/imu_noise.yaml")]
    assert after(node["command"], "-r") == ["__node:=imu_noise", "__ns:=/"]
    assert "--log-level" not in node["command"]


def test_arguments_reach_the_node_after_the_parameter_file(launch):
    file = launch.prefix / "mine.yaml"
    file.write_text("/robot1/front: {ros__parameters: {rate: 50.0}}\n")
    code, _ = launch(
        *("namespace:=robot1", "name:=front", f"params_file:={file}", "profile:=bmi088"),
        *("truth_source:=imu", "frame_id:=7", "rate:=200", "seed:=3", "use_sim_time:=true"),
        *("odom_topic:=/gt", "ideal_topic:=ideal", "imu_topic:=imu", "log_level:=debug"),
    )
    assert code == 0
    node = launch.told["imu_noise_node"]
    assert node["files"][0] == str(file)
    # Keyed by the full name, they win over the section of that name in the file before.
    assert yaml.safe_load(node["texts"][1]) == {
        "/robot1/front": {
            "ros__parameters": {
                "profile": "bmi088",
                "truth_source": "imu",
                "frame_id": "7",
                "rate": 200.0,
                "seed": 3,
                "use_sim_time": True,
            }
        }
    }
    assert after(node["command"], "--log-level") == ["debug"]
    assert after(node["command"], "-r") == [
        *("__node:=front", "__ns:=/robot1"),
        *("odom:=/gt", "imu/ideal:=ideal", "imu/data_raw:=imu"),
    ]


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("rate:=fast", "rate = 'fast': must be a number, 0 or more [Hz]"),
        ("truth_source:=lidar", "lidar"),
        ("params_file:=/no.yaml", "params_file = '/no.yaml': must be an existing YAML file"),
        ("record:=true", "record = 'true': needs `ros2 bag`, which is not installed"),
    ],
)
def test_a_bad_argument_starts_nothing(launch, argument, sentence):
    code, output = launch(argument)
    assert code == 1
    assert sentence in output
    assert not launch.told


def test_a_misspelt_argument_is_pointed_out(launch):
    code, output = launch("sed:=3")
    assert code == 0
    assert "unknown launch argument 'sed' sets nothing here; did you mean 'seed'?" in output


def test_a_failing_node_fails_the_launch(launch):
    code, output = launch(stand_in="fail")
    assert code == 1
    assert "imu_noise_node-1 ended with exit code 2" in output


def test_ctrl_c_ends_it_cleanly(launch):
    assert "process has finished cleanly" in launch.until_ctrl_c()


def test_recording_follows_namespace_and_remappings(launch):
    launch.install("ros2bag")
    launch.executable("bin/ros2")
    path = os.pathsep.join([str(launch.prefix / "bin"), launch.environment["PATH"]])
    launch.environment["PATH"] = path
    launch.until_ctrl_c("record:=run", "namespace:=r", "imu_topic:=/imu", nodes=2)
    recorder = launch.told["ros2"]["command"]
    assert recorder[1:4] == ["bag", "record", "--regex"]
    assert recorder[-2:] == ["--output", "run"]
    topics = ["/r/odom", "/r/imu/ideal", "/imu", "/r/imu_noise/truth"]
    assert all(re.search(recorder[4], topic) for topic in topics)
    assert not re.search(recorder[4], "/r/imu/data_raw")
