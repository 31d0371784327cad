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

"""What the tests of the error model share: batch shapes, specs, and plain helper modules.

A test file cannot import its neighbours by itself, so their folder is put on the path here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from imu_noise_node.model.recursion import _trusted_filter
from imu_noise_node.model.spec import ImuSpec

sys.path.append(str(Path(__file__).parent))

from model_specs import SPECS


@pytest.fixture(params=[(), (1,), (3, 1, 2, 1)], ids=str)
def batch(request) -> tuple[int, ...]:
    """Each batch shape in turn."""
    return request.param


@pytest.fixture(params=["filter", "loop"])
def recursion(request, monkeypatch) -> None:
    """SciPy's filter for the recursion over time, and then the plain loop."""
    if request.param == "filter":
        pytest.importorskip("scipy")
        assert _trusted_filter() is not None
    else:
        monkeypatch.setattr("imu_noise_node.model.recursion._trusted_filter", lambda: None)


@pytest.fixture(params=SPECS)
def spec(request) -> ImuSpec:
    """Each spec in turn: no error, white noise alone, one process alone, and all at once."""
    return SPECS[request.param]


@pytest.fixture
def full() -> ImuSpec:
    """A spec with every effect on."""
    return SPECS["full"]
