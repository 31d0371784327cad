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


"""The linters of a ROS installation, with the options that fit ruff's layout."""

from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
PARTS = [str(REPO / name) for name in ("imu_noise_node", "launch", "test", "benchmarks", "docs")]
WITHOUT = "comes with a ROS installation only"


def test_copyright():
    linter = pytest.importorskip("ament_copyright.main", reason=f"ament_copyright {WITHOUT}")
    assert linter.main(argv=PARTS) == 0


def test_flake8():
    linter = pytest.importorskip("ament_flake8.main", reason=f"ament_flake8 {WITHOUT}")
    code, errors = linter.main_with_errors(
        argv=["--config", str(REPO / ".ci/flake8.ini"), *PARTS, str(REPO / "setup.py")]
    )
    assert code == 0, errors


def test_pep257():
    linter = pytest.importorskip("ament_pep257.main", reason=f"ament_pep257 {WITHOUT}")
    ignored = ["D213", "D401", "D403", "D413", "D417"]
    assert linter.main(argv=[*PARTS, "--add-ignore", *ignored]) == 0
