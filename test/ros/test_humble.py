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

"""The node does without what the rclpy of ROS 2 Humble does not have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

HERE = Path(__file__).parent
# What is younger than Humble: the name of a subscription's events, and a hook after parameters
# have changed.
TESTS = (
    "test_sources.py::test_any_publisher_is_heard_whoever_starts_first[best_effort-publisher]",
    "test_parameters.py::test_a_good_value_applies_at_once_and_the_states_go_on",
    "test_parameters.py::test_changes_together_are_checked_as_a_whole",
)


def test_the_node_does_without_what_humble_lacks():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "humble", "-q", *TESTS],
        cwd=HERE,
        env={**os.environ, "PYTHONPATH": str(HERE)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
