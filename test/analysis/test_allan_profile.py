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

"""What a fit did not see is no figure, wherever the figures go."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node.analysis.allan_profile import fitted_spec, provenance, seen_alone
from imu_noise_node.analysis.fit import AxisFit

BAND = np.array([1.0, 1000.0])


def axis(random_walk: float, upper: float = 1.0) -> AxisFit:
    """An axis with N = 0.1, and K where it is not 0."""
    values = np.array([0.0, 0.1, 0.0, random_walk])
    return AxisFit(values, 0.5 * values, np.full(4, upper), 1.0, 0.0, np.ones(4))


def alone(*walks: float):
    fits = [axis(walk) for walk in walks]
    spec = fitted_spec(fits, (BAND, BAND))
    return spec, *seen_alone(spec, fits)


def test_an_axis_on_which_a_term_is_not_seen_has_no_part_in_the_mean():
    spec, averaged, unseen = alone(3e-3, 0.0, 4e-3, 1e-3, 2e-3, 3e-3)
    assert spec.gyroscope.random_walk.tolist() == [3e-3, 0.0, 4e-3]
    assert averaged.gyroscope.random_walk == pytest.approx(np.sqrt(12.5e-6))
    assert averaged.accelerometer.random_walk.tolist() == [1e-3, 2e-3, 3e-3]
    assert unseen == [
        "gyroscope.random_walk: seen on x and z alone; their root mean square is written"
    ]


def test_a_term_that_no_axis_shows_stays_without_a_figure():
    spec, averaged, unseen = alone(*[0.0] * 3, *[1e-3] * 3)
    assert not np.any(averaged.gyroscope.random_walk)
    np.testing.assert_array_equal(averaged.gyroscope.noise_density, spec.gyroscope.noise_density)
    assert unseen == ["gyroscope.random_walk: not seen on any axis"]


def test_a_term_without_a_bound_is_unknown():
    said = provenance([axis(0.0, np.inf), axis(0.0), axis(4e-3, np.inf), *3 * [None]])
    what = said["gyroscope.random_walk"].what
    assert what == "fitted K; 95 % unknown, below 1, above 0.002; an Allan figure"
