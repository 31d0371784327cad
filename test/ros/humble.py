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

"""Takes from rclpy what that of ROS 2 Humble (3.3) does not have: a pytest plugin.

`PYTHONPATH=test/ros python -m pytest -p humble test/ros` runs the tests so.
"""

import sys

try:
    from rclpy import event_handler
    from rclpy.node import Node
except ModuleNotFoundError:
    Node = None

LATER = (
    "add_post_set_parameters_callback",
    "add_pre_set_parameters_callback",
    "remove_post_set_parameters_callback",
    "remove_pre_set_parameters_callback",
)


def pytest_configure():
    if Node is None:
        return
    for name in LATER:
        delattr(Node, name)
    # It was called so until Iron. None in its place makes an import of the new name fail.
    sys.modules["rclpy.qos_event"] = event_handler
    sys.modules["rclpy.event_handler"] = None
    sys.modules["rclpy.experimental"] = None
