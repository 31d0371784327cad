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

"""Which sensors a record has."""

import numpy as np

from imu_noise_node.recordings.record import ImuRecord
from imu_noise_node.recordings.values import examine_values


def test_a_sensor_that_is_nan_throughout_is_missing_and_one_that_starts_so_is_not():
    values = np.ones((6, 1000))
    values[0:3] = np.nan
    values[3:6, :5] = np.nan
    record = ImuRecord("x", np.arange(1000), values)
    assert (record.has_gyroscope, record.has_accelerometer) == (False, True)
    findings = examine_values(values)
    assert findings.missing == ("gyroscope",)
    assert findings.not_finite.tolist() == [0, 0, 0, 5, 5, 5]


def test_an_empty_record_has_none():
    record = ImuRecord("x", np.arange(0), np.empty((6, 0)))
    assert (record.has_gyroscope, record.has_accelerometer) == (False, False)
