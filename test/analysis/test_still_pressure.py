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

"""The noise of a barometer from readings that are new."""

import numpy as np
import pytest

from imu_noise_node.analysis.still_pressure import pressure_noise


def test_only_distinct_readings_count():
    # 2,000 of sigma 2 Pa, each read four times: sigma is known to 1/sqrt(2*1999) = 1.6 %.
    new = 101_325.0 + 2.0 * np.random.default_rng(0).standard_normal(2000)
    pascals, stamps = np.repeat(new, 4), np.arange(8000) * 10_000_000
    found = pressure_noise(stamps, pascals, (0, int(stamps[-1])))
    assert (found.readings, found.distinct) == (8000, 2000)
    assert found.sigma == pytest.approx(np.std(new, ddof=1), rel=1e-12)
    assert found.sigma == pytest.approx(2.0, rel=5 * found.uncertainty)
    assert found.uncertainty == pytest.approx(1 / np.sqrt(2 * 1999), rel=1e-12)
    assert found.mean == pytest.approx(101_325.0, abs=5 * 2.0 / np.sqrt(2000))


def test_the_window_bounds_what_counts_and_few_are_none():
    pascals, stamps = np.arange(100.0), np.arange(100) * 1_000_000_000
    found = pressure_noise(stamps, pascals, (20 * 10**9, 40 * 10**9))
    assert (found.readings, found.distinct, found.mean) == (21, 21, 30.0)
    assert pressure_noise(stamps, pascals, (0, 7 * 10**9)) is None
    assert pressure_noise(stamps, np.full(100, 1e5), (0, int(stamps[-1]))) is None
