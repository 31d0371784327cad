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

"""A short run of what `python -m benchmarks endurance` does for half an hour of truth."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

PROGRAM = "from benchmarks import endurance; endurance._BLOCK = 2000; endurance.measure(10)"


def test_nothing_is_lost_and_memory_stays():
    """A queue that kept its messages would grow by 1.4 MB a block, by 6 % in all."""
    repo = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=repo, text=True, capture_output=True, check=True
    )
    (lost,) = re.findall(r"lost on the way +(\d+)\n", done.stdout)
    (received,) = re.findall(r"received +([\d,]+),", done.stdout)
    (became,) = re.findall(r"samples and baselines +([\d,]+)\n", done.stdout)
    (growth,) = re.findall(r"memory at the end +([\d.]+) times", done.stdout)
    assert lost == "0"
    assert received == became
    assert int(received.replace(",", "")) > 10_000
    assert float(growth) < 1.03
