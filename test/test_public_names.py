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

"""The public names are there, and the package takes no time before one is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import imu_noise_node


def test_every_public_name_has_one_home():
    homes = [name for names in imu_noise_node._HOMES.values() for name in names]
    assert sorted(homes) == sorted(imu_noise_node.__all__)
    for name in homes:
        assert getattr(imu_noise_node, name).__name__ == name


def test_another_name_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'ImuModell'"):
        _ = imu_noise_node.ImuModell
    with pytest.raises(ImportError):
        from imu_noise_node import ImuModell  # noqa: F401


def test_the_package_alone_imports_nothing_heavy():
    program = "import sys, imu_noise_node.ros.__main__; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "False\n"
