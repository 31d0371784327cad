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

"""The real `ros2 launch` of demo.launch.py, on stand-ins for the truth and the node."""

import re

import pytest
import yaml
from launcher import Launcher, after

pytest.importorskip("launch_ros", reason="launch_ros comes with a ROS installation only")
pytest.importorskip("ros2launch", reason="ros2launch comes with a ROS installation only")


@pytest.fixture
def launch(tmp_path):
    launcher = Launcher(tmp_path, "demo.launch.py")
    launcher.executable("lib/imu_noise/moving_truth")
    return launcher


def test_show_args_describes_every_argument(launch):
    code, output = launch("--show-args")
    assert code == 0
    assert "no description given" not in output
    assert re.findall(r"^    '(\w+)':", output, re.MULTILINE) == [
        *("truth_rate", "namespace", "name", "params_file", "profile"),
        *("imu_topic", "frame_id", "rate", "seed", "log_level", "record"),
    ]


def test_truth_and_node_are_in_one_namespace(launch):
    launch.until_ctrl_c("namespace:=r1", "truth_rate:=400", nodes=2)
    truth, node = launch.told["moving_truth"], launch.told["imu_noise_node"]
    (told,) = yaml.safe_load(truth["texts"][0]).values()
    assert told == {"ros__parameters": {"rate": 400.0}}
    assert "__ns:=/r1" in after(truth["command"], "-r")
    assert "__ns:=/r1" in after(node["command"], "-r")
    assert yaml.safe_load(node["texts"][1])["/r1/imu_noise"]["ros__parameters"] == {
        "profile": "bmi088",
        "truth_source": "odometry",
    }


def test_a_bad_rate_is_one_sentence(launch):
    code, output = launch("truth_rate:=0")
    assert code != 0
    assert "truth_rate = '0': must be a finite number from 1 to 1000 [Hz]" in output
