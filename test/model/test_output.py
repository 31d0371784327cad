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

"""Range and resolution: nearest step, and never out of the range."""

from __future__ import annotations

import numpy as np
import pytest
from model_statistics import assert_variance

from imu_noise_node import ImuModel
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.output import Converter
from imu_noise_node.model.spec import ImuSpec, TriadSpec


def converted(values, **figures):
    """What a converter with these figures for every axis makes of values, shape (n,)."""
    triad = TriadSpec(**figures)
    block = np.repeat(np.asarray(values, dtype=float)[:, None], 6, axis=1)
    Converter(compile_spec(ImuSpec(triad, triad))).convert(block)
    assert np.array_equal(block, block[:, :1] * np.ones(6), equal_nan=True)
    return block[:, 0]


def test_without_figures_nothing_changes():
    values = np.array([-1e300, -0.1, 0.0, 1e-300, 7.0])
    assert np.array_equal(converted(values), values)


def test_values_beyond_the_range_read_its_end():
    found = converted([-9.0, -2.0, -1.9, 0.3, 2.0, 2.0000001, np.inf], range=2.0)
    assert found.tolist() == [-2.0, -2.0, -1.9, 0.3, 2.0, 2.0, 2.0]


def test_values_read_the_nearest_step():
    found = converted([-0.62, -0.13, -0.12, 0.0, 0.12, 0.13, 0.37, 0.38], resolution=0.25)
    assert found.tolist() == [-0.5, -0.25, 0.0, 0.0, 0.0, 0.25, 0.25, 0.5]


def test_half_a_step_goes_to_the_even_one_so_that_no_bias_arises():
    halves = [-0.625, -0.375, -0.125, 0.125, 0.375, 0.625]
    assert converted(halves, resolution=0.25).tolist() == [-0.5, -0.5, 0.0, 0.0, 0.5, 0.5]


@pytest.mark.parametrize("value", [1e-6, 0.01, 0.3, 1.0 / 3.0])
def test_readings_are_whole_steps_no_farther_than_half_a_step(value):
    inputs = np.random.default_rng(1).uniform(-50.0, 50.0, 1000)
    found = converted(inputs, resolution=value)
    assert np.abs(found - inputs).max() <= 0.5 * value * (1.0 + 1e-9)
    np.testing.assert_allclose(found / value, np.rint(found / value), rtol=1e-12)


@pytest.mark.parametrize(
    ("limit", "step", "outermost"),
    [(1.0, 0.3, 0.9), (1.0, 0.25, 1.0), (0.3, 0.1, 0.3), (1.0, 0.7, 0.7), (0.5, 0.7, 0.0)],
)
def test_the_outermost_reading_is_the_last_step_inside_the_range(limit, step, outermost):
    found = converted([-100.0, 100.0, limit, -limit], range=limit, resolution=step)
    assert np.abs(found).max() <= limit
    np.testing.assert_allclose(np.abs(found), outermost, rtol=1e-12)


def test_no_range_and_step_lead_out_of_the_range():
    rng = np.random.default_rng(2)
    for limit, step in rng.uniform(0.01, 10.0, (300, 2)):
        assert np.abs(converted([-1e3, 1e3], range=limit, resolution=step)).max() <= limit


def test_real_units_keep_both_ends_of_a_range_of_whole_steps():
    # 2000 deg/s in 16 bits: 32000 steps, though the quotient of the doubles falls just short.
    limit, step = np.radians(2000.0), np.radians(2000.0) / 32000.0
    assert converted([9e9], range=limit, resolution=step)[0] == pytest.approx(limit, rel=1e-15)


def test_axes_have_figures_of_their_own():
    triad = TriadSpec(range=[1.0, 0.0, 2.0], resolution=[0.0, 0.5, 0.75])
    block = np.full((1, 6), 5.3)
    Converter(compile_spec(ImuSpec(triad))).convert(block)
    assert block.tolist() == [[1.0, 5.5, 1.5, 5.3, 5.3, 5.3]]


def test_batch_members_have_figures_of_their_own():
    triad = TriadSpec(range=np.array([[1.0] * 3, [2.0] * 3]))
    block = np.full((4, 2, 6), 5.0)
    Converter(compile_spec(ImuSpec(triad), 1)).convert(block)
    assert block[0, :, 0].tolist() == [1.0, 2.0]
    assert (block[..., 3:] == 5.0).all()


def test_it_is_a_stage_that_works_in_place():
    block = np.array([[0.12, 0.13, 9.0, -9.0, 0.0, -0.13]])
    converter = Converter(compile_spec(ImuSpec(*[TriadSpec(range=2.0, resolution=0.25)] * 2)))
    found = converter.apply(block, 0.01, None)
    assert found is block
    assert found.tolist() == [[0.0, 0.25, 2.0, -2.0, 0.0, -0.25]]


def test_what_is_missing_stays_missing():
    found = converted([np.nan, 1.0], range=2.0, resolution=0.25)
    assert np.array_equal(found, [np.nan, 1.0], equal_nan=True)


@pytest.mark.parametrize("dt", [0.01, 1.0])
def test_rounding_counts_in_the_covariance(dt):
    """R^2/12 at any interval; 30000 roundings of spread values, variance within 3.9 %.

    The fourth moment of a uniform error is 9/5 of its squared variance, a normal one's 3, so the
    bound for normal values is on the safe side; false alarms below 1e-9.
    """
    resolution = np.array([0.1, 0.0, 0.5])
    triad = TriadSpec(resolution=resolution)
    model = ImuModel(ImuSpec(triad, triad), 1, (10_000,))
    truth = np.random.default_rng(5).uniform(-9.0, 9.0, (2, 10_000, 3))
    m = model.step(dt, *truth)
    expected = np.tile(resolution, 2) ** 2 / 12.0
    np.testing.assert_allclose(m.covariance[0], np.diag(expected), rtol=1e-14)
    errors = m.values - m.truth.values
    assert not errors[:, [1, 4]].any()
    for axis in (0, 2, 3, 5):
        assert_variance(errors[:, axis], expected[axis])


def test_rounding_adds_to_the_noise_in_the_covariance():
    # 0.3 sigma per sample and steps of 0.2: 0.09 + 0.04/12; 60000 values, within 2.8 %.
    triad = TriadSpec(noise_stddev=0.3, resolution=0.2)
    m = ImuModel(ImuSpec(triad, triad), 2, (10_000,)).step(0.01, 0.07, 0.03)
    np.testing.assert_allclose(m.covariance[0], np.eye(6) * (0.09 + 0.04 / 12.0), rtol=1e-14)
    assert_variance(m.values - m.truth.values, m.covariance[0, 0, 0])


@pytest.mark.parametrize("value", [-9.0, -0.1, 0.0, 9.0])
def test_a_range_below_half_a_step_leaves_zero_and_no_negative_one(value):
    triad = TriadSpec(range=0.1, resolution=1.0, bandwidth=5.0)
    model = ImuModel(ImuSpec(triad, triad))
    read = [converted([value], range=0.1, resolution=1.0).tolist()]
    read += [model.step(0.01, (value,) * 3, (value,) * 3).values.tolist() for _ in range(3)]
    assert {repr(number) for numbers in read for number in numbers} == {"0.0"}
