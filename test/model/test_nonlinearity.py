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

"""y = x + nl x |x| / range: a fraction of full scale at full scale, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec


def rendered(rate, batch=(), **figures):
    spec = ImuSpec(TriadSpec(**figures))
    return ImuModel(spec, batch=batch).step(0.01, rate, 0.0).response.angular_velocity


def test_by_hand(batch):
    # Of 10: 0.02 x 100 / 50 = 0.04 more; of the full scale of 50: 0.02 x 50 = 1.
    found = rendered([10.0, -10.0, 50.0], batch, nonlinearity=0.02, range=50.0)
    np.testing.assert_allclose(found, np.broadcast_to([10.04, -10.04, 51.0], (*batch, 3)))


@pytest.mark.parametrize("nl", [0.015, -0.4])
def test_the_error_is_odd_and_grows_with_the_square(nl):
    x = np.array([0.0, 1e-9, 0.3, 39.0])
    errors = [rendered(v, nonlinearity=nl, range=40.0)[0] - v for v in (x[3], -x[3], x[3] / 2)]
    np.testing.assert_allclose(errors, nl * 40.0 * np.array([1.0, -1.0, 0.25]) * 0.975**2)
    for value in x:
        assert rendered(value, nonlinearity=nl, range=40.0)[0] == pytest.approx(
            value + nl * value**2 / 40.0, rel=1e-15
        )


def test_of_gravity_an_adis16470_reads_four_thousandths_more():
    # +-40 g, 1.5 % of full scale: 0.015 x 9.80665^2 / 392.266 = 0.0036775.
    found = rendered(9.80665, nonlinearity=0.015, range=392.266)
    np.testing.assert_allclose(found - 9.80665, 0.0036774936, rtol=1e-7)


def test_axes_and_members_have_figures_of_their_own():
    bends = np.array([[0.1, 0.0, -0.1], [0.2, 0.3, 0.0]])
    found = rendered(2.0, (2,), nonlinearity=bends, range=4.0)
    np.testing.assert_allclose(found, 2.0 + bends)


def test_it_bends_what_the_linear_stage_has_made():
    # (2 x 1.5) + 0.1 x 3^2 / 10, and not 1.5 x (2 + 0.1 x 2^2 / 10).
    found = rendered(2.0, scale_factor=0.5, nonlinearity=0.1, range=10.0)
    np.testing.assert_allclose(found, 3.09)


def test_the_filter_follows_what_is_bent():
    # After half a time constant: the step from 2.04 to 4.16, and not that from 2 to 4 bent.
    spec = ImuSpec(TriadSpec(nonlinearity=0.1, range=10.0, bandwidth=0.5 / np.pi))
    model = ImuModel(spec)
    model.step(0.5, 2.0, 0.0)
    found = model.step(0.5, 4.0, 0.0).response.angular_velocity
    np.testing.assert_allclose(found, 4.16 + (2.04 - 4.16) * np.exp(-0.5))


def test_an_axis_without_it_takes_any_number():
    found = rendered([1.0, 1e200, -1e308], nonlinearity=[0.1, 0.0, 0.0], range=1.0)
    np.testing.assert_allclose(found, [1.1, 1e200, -1e308], rtol=1e-15)
