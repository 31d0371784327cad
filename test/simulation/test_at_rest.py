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

import numpy as np
import pytest

from imu_noise_node import ImuModel, load_profile
from imu_noise_node.errors import InputError
from imu_noise_node.simulation import at_rest


def test_blocks_are_one_run(monkeypatch):
    monkeypatch.setattr(at_rest, "_BLOCK", 64)
    spec, told = load_profile("bmi088"), []
    record = at_rest.record_at_rest(spec, 2.0, 100.0, 7, lambda *done: told.append(done))
    whole = ImuModel(spec, 7).run(np.full(200, 0.01), 0.0, at_rest.GRAVITY).values
    np.testing.assert_array_equal(record.values, whole.T)
    np.testing.assert_array_equal(record.stamps, np.arange(1, 201) * 10_000_000)
    assert told == [(64, 200), (128, 200), (192, 200), (200, 200)]


def test_what_no_disk_could_hold_is_refused():
    with pytest.raises(InputError, match="GB"):
        at_rest.record_at_rest(load_profile("bmi088"), 1e12, 1000.0)
