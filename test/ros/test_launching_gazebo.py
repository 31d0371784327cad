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

"""The real `ros2 launch` of gazebo.launch.py, on stand-ins for the bridge and the node."""

import re

import pytest
import yaml
from launcher import ROOT, Launcher, after

pytest.importorskip("launch_ros", reason="launch_ros comes with a ROS installation only")
pytest.importorskip("ros2launch", reason="ros2launch comes with a ROS installation only")


@pytest.fixture
def bare(tmp_path):
    return Launcher(tmp_path, "gazebo.launch.py")


@pytest.fixture
def launch(bare):
    bare.install("ros_gz_bridge")
    bare.executable("lib/ros_gz_bridge/parameter_bridge")
    return bare


def test_show_args_describes_every_argument(bare):
    code, output = bare("--show-args")
    assert code == 0
    assert "no description given" not in output
    names = re.findall(r"^    '(\w+)':", output, re.MULTILINE)
    assert names[:4] == ["model", "world", "bridge_clock", "twist_frame"]
    assert {"truth_source", "odom_topic", "ideal_topic", "profile", "record"} < set(names)


def test_the_node_listens_where_the_bridge_publishes(launch):
    launch.until_ctrl_c("model:=x3", "namespace:=r1", nodes=2)
    bridge, node = launch.told["parameter_bridge"], launch.told["imu_noise_node"]
    assert bridge["command"][1:3] == [
        "/model/x3/odometry@nav_msgs/msg/Odometry[gz.msgs.Odometry",
        "/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock",
    ]
    assert after(bridge["command"], "-r") == ["__node:=imu_noise_bridge", "__ns:=/r1"]
    assert yaml.safe_load(bridge["texts"][0]) == {
        "/r1/imu_noise_bridge": {
            "ros__parameters": {"qos_overrides./model/x3/odometry.publisher.depth": 2000}
        }
    }
    assert "odom:=/model/x3/odometry" in after(node["command"], "-r")
    assert node["files"][0] == str(ROOT / "config/imu_noise.yaml")
    assert yaml.safe_load(node["texts"][1])["/r1/imu_noise"]["ros__parameters"] == {
        "truth_source": "odometry",
        "twist_frame": "pose",
        "use_sim_time": True,
    }


def test_the_noiseless_imu_and_the_clock_of_a_world(launch):
    launch.until_ctrl_c("truth_source:=imu", "ideal_topic:=imu", "world:=sensors", nodes=2)
    bridge, node = launch.told["parameter_bridge"], launch.told["imu_noise_node"]
    assert bridge["command"][1:3] == [
        "/imu@sensor_msgs/msg/Imu[gz.msgs.IMU",
        "/world/sensors/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock",
    ]
    assert "/world/sensors/clock:=/clock" in after(bridge["command"], "-r")
    assert "imu/ideal:=/imu" in after(node["command"], "-r")


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("truth_source:=tf", "tf"),
        ("model:=my-robot", "model = 'my-robot': must be of letters, digits and _"),
        ("rate:=fast", "rate = 'fast': must be a number, 0 or more [Hz]"),
    ],
)
def test_a_bad_argument_starts_nothing(launch, argument, sentence):
    code, output = launch(argument)
    assert code == 1
    assert sentence in output
    assert not launch.told


def test_a_missing_bridge_is_named_with_its_package(bare):
    bare.environment["ROS_DISTRO"] = "humble"
    code, output = bare()
    assert code == 1
    assert "the package ros_gz_bridge is not installed" in output
    assert "sudo apt install ros-humble-ros-gz-bridge" in output
    assert not bare.told


def test_a_failing_bridge_fails_the_launch(launch):
    code, output = launch(stand_in="fail")
    assert code == 1
    assert "ended with exit code 2" in output
