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

"""The third sensor: optional, with all the errors of the others, in tesla."""

from __future__ import annotations

import numpy as np
import pytest
from model_statistics import assert_uncorrelated, assert_variance
from signal_specs import inputs, whole

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec

FIELD = np.array([20e-6, 1e-6, -45e-6])


def test_without_one_there_is_none(batch):
    m = ImuModel(batch=batch).step(0.01, 0.0, 0.0)
    assert m.values.shape == (*batch, 6)
    assert m.magnetic_field is None
    assert m.magnetic_field_covariance is None
    assert m.bias.magnetic_field is None


def test_a_perfect_one_reads_the_field(batch):
    model = ImuModel(ImuSpec(magnetometer=TriadSpec()), batch=batch)
    m = model.step(0.01, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], magnetic_field=FIELD)
    expected = np.broadcast_to([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, *FIELD], (*batch, 9))
    assert np.array_equal(m.values, expected)
    assert np.array_equal(m.magnetic_field, expected[..., 6:])
    assert np.array_equal(m.truth.magnetic_field, expected[..., 6:])
    assert not m.covariance.any()
    m = model.run(np.full(5, 0.01), 0.0, 0.0, magnetic_field=FIELD)
    assert m.magnetic_field.shape == (5, *batch, 3)
    assert np.array_equal(m[3].magnetic_field, expected[..., 6:])


def test_it_errs_by_the_same_formulas():
    # Hard iron, scale, quarter turn, temperature, resolution and range, by hand.
    triad = TriadSpec(
        constant_bias=[1e-6, 0.0, 0.0],
        scale_factor=0.1,
        misalignment=[0.0, 0.0, np.pi / 2],
        temperature_bias=1e-7,
        resolution=1e-7,
        range=40e-6,
    )
    model = ImuModel(ImuSpec(magnetometer=triad))
    m = model.step(0.01, 0.0, 0.0, 35.0, FIELD)
    np.testing.assert_allclose(m.magnetic_field, [3.1e-6, -21e-6, -40e-6], rtol=1e-9)
    np.testing.assert_allclose(m.bias.magnetic_field, [2e-6, 1e-6, 1e-6], rtol=1e-9)
    np.testing.assert_allclose(m.response.magnetic_field, [1.1e-6, -22e-6, -49.5e-6], rtol=1e-9)
    expected = np.eye(3) * 1e-14 / 12.0
    np.testing.assert_allclose(m.magnetic_field_covariance, expected, rtol=1e-12)


def test_its_white_noise_is_what_it_publishes():
    # 60000 values, variance within 3.5 %; uncorrelated in time; false alarms 1e-9 each.
    triad = TriadSpec(noise_density=1e-7)
    m = ImuModel(ImuSpec(magnetometer=triad), 1).run(np.full(20_000, 0.01), 0.0, 0.0, None, FIELD)
    errors = m.magnetic_field - FIELD
    assert_variance(errors, 1e-12)
    assert_uncorrelated(errors)
    assert_variance(errors, m.magnetic_field_covariance[0, 0, 0])
    assert np.array_equal(m.values[:, :6], np.zeros((20_000, 6)))


def test_the_others_measure_the_same_with_and_without_it(batch):
    dt = np.repeat([0.01, 0.2], [40, 2])
    (rate, force, field), temperature, _ = inputs(dt, batch, "ramp")
    found = [
        ImuModel(whole(there), 3, batch).run(
            dt, rate, force, temperature, field if there else None
        )
        for there in (True, False)
    ]
    # Beside a third sensor the law of short intervals may round otherwise.
    np.testing.assert_allclose(found[0].values[..., :6], found[1].values, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("there", [True, False])
def test_a_field_must_be_given_where_and_only_where_there_is_one(there):
    model = ImuModel(whole(there))
    field = None if there else FIELD
    for call in (model.step, lambda dt, *rest: model.run([dt], *rest)):
        with pytest.raises(ParameterError, match=r"magnetic_field = .*must be (given|left out)"):
            call(0.01, 0.0, 0.0, 25.0, field)


def test_figures_of_forces_are_not_its_own():
    for figure in ("g_sensitivity", "vibration_rectification"):
        with pytest.raises(ParameterError, match=f"magnetometer.{figure}"):
            ImuSpec(magnetometer=TriadSpec(**{figure: 0.1}))


def test_it_does_not_come_or_go_in_mid_run():
    for there in (True, False):
        with pytest.raises(ParameterError, match=r"spec = .*must be of gyroscope, accelerometer"):
            ImuModel(whole(there)).retune(whole(not there))
