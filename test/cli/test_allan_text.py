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
"""What `allan` prints is a table, however wide its cells."""

import numpy as np
import pytest

from imu_noise_node.analysis.allan import AllanCurves
from imu_noise_node.analysis.fit import AxisFit
from imu_noise_node.cli._allan_text import allan_text

CURVES = AllanCurves("x", np.arange(1.0, 9.0), np.ones((6, 8)), np.array([0, 1, 3, 7]), 1.0, 72)


def axis(low: float, high: float) -> AxisFit:
    ones = np.ones(4)
    return AxisFit(ones, low * ones, high * ones, 1.0, 0.0, np.ones(4))


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.977, 1.0235, "1.000e+00 [-2.3 +2.4%]"),
        (0.47, 2.2, "1.000e+00 [-53 +120%]"),
        (0.0047, 123456.7, "1.000e+00 [-100 +12345570%]"),
        (0.5, np.inf, "1.000e+00 [-50% or more]"),
        (0.0, 2.0, "not seen, < 2.00e+00"),
        (0.0, np.inf, "unknown"),
    ],
)
def test_columns_stand_apart_and_below_each_other(low, high, shown):
    text = allan_text(CURVES, [axis(low, high), axis(0.9, 1.1), None, *(3 * [None])])
    lines = text.splitlines()
    head = next(line for line in lines if line.startswith("Gyroscope"))
    first, second, third = (head.index(f" {name}") + 1 for name in "xyz")
    row = next(line for line in lines if line.startswith("  rad/s/sqrt(Hz)"))
    assert row[first : second - 2].rstrip() == shown
    assert row[second - 2 : third - 2].rstrip() == "  1.000e+00 [-10 +10%]"
    assert row[third - 2 :] == "  no noise"
