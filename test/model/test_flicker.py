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

"""Flicker noise is flat over its band, whatever the band."""

from __future__ import annotations

import model_reference
import numpy as np
import pytest

from imu_noise_node.model.flicker import allan_variance_ou, components

BANDS = [
    (1.0, 1000.0),
    (0.1, 10.0),
    (1e-3, 1e5),
    (100.0, 150.0),
    (1.0, 1.001),
    (1.0, 3.0),
    (1.0, 30.0),
    (0.5, 499.0),
    (1e-6, 1e-2),
    (1.0, 1e7),
    *((2.0, 2.0 * 10.0 ** (k / 8.0)) for k in range(1, 48)),
]


@pytest.mark.parametrize("band", BANDS)
def test_the_allan_deviation_is_flat_within_a_hundredth_over_the_band(band):
    times, sigmas = components(*band)
    tau = np.geomspace(*band, 777)
    variance = sigmas**2 @ allan_variance_ou(tau, times[:, None])
    assert np.abs(np.sqrt(variance) - 1.0).max() < 0.01


@pytest.mark.parametrize("band", BANDS)
def test_two_components_per_decade_at_least_five(band):
    times, sigmas = components(*band)
    assert len(times) == len(sigmas) == max(5, np.ceil(2.0 * np.log10(band[1] / band[0])))
    assert (np.diff(times) > 0.0).all()
    assert (sigmas >= 0.0).all()


def test_the_allan_variance_is_half_that_of_the_difference_of_adjacent_averages():
    # The closed form loses seven digits where it takes over from the series.
    ratios = np.geomspace(1e-9, 1e4, 131)
    expected = model_reference.allan_variance_ou(ratios, 1.0)
    np.testing.assert_allclose(allan_variance_ou(ratios, np.array(1.0)), expected, rtol=2e-9)


def test_the_peak_is_where_ieee_952_has_it():
    ratio = np.linspace(1.5, 2.5, 100_001)
    variance = allan_variance_ou(ratio, np.array(1.0))
    assert ratio[variance.argmax()] == pytest.approx(1.89, abs=0.005)
    assert np.sqrt(variance.max()) == pytest.approx(0.617, abs=5e-4)
