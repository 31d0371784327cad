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

"""A small, fixed slice of what fuzz.py tries: damaged files end in one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

import fuzz


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_no_damaged_file_is_read_with_a_traceback(tmp_path, target):
    outcomes = [fuzz.attempt(target, number, 0, tmp_path) for number in range(100)]
    assert set(outcomes) <= {"read", "refused"}, "\n".join(outcomes)
    assert 2 <= outcomes.count("read") <= 98
