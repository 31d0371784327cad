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

"""Temperature: bias, scale factor and noise by the written formulas, and how warm the sensor is.

Statistical bounds have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from model_statistics import assert_covariance, assert_variance

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec, UnknownNameError

MEMBERS = 10_000
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
BIAS, SCALE = np.array([0.01, -0.02, 0.0]), np.array([1e-3, 0.0, -2e-3])


def both(**figures) -> ImuSpec:
    return ImuSpec(TriadSpec(**figures), TriadSpec(**figures))


def noise_of(spec, temperature, dt=0.01, members=MEMBERS, seed=1, **model):
    """Noise of many sensors in one sample, shape (members, 6), and their published covariance."""
    m = ImuModel(spec, seed, (members,), **model).step(dt, 0.0, 0.0, temperature)
    return m.values - m.bias.values, m.covariance


@pytest.mark.parametrize("steps", [True, False])
@pytest.mark.parametrize("given", ["none", "number", "ramp", "members", "ramp of members"])
def test_bias_and_scale_factor_by_hand(given, steps, batch):
    spec = ImuSpec(
        TriadSpec(temperature_bias=BIAS, temperature_scale_factor=SCALE, scale_factor=0.5),
        TriadSpec(temperature_bias=2.0 * BIAS),
        reference_temperature=20.0,
    )
    rng = np.random.default_rng(2)
    rate, force = rng.normal(size=(2, 30, *batch, 3))
    each = rng.uniform(-40.0, 85.0, (30, *batch))
    temperatures = {
        "none": np.full((30, *batch), 20.0),
        "number": np.full((30, *batch), 45.5),
        "ramp": np.broadcast_to(np.arange(30.0).reshape(-1, *(1,) * len(batch)), (30, *batch)),
        "members": np.broadcast_to(each[0], (30, *batch)),
        "ramp of members": each,
    }[given]
    short = {"none": None, "number": 45.5, "ramp": np.arange(30.0), "members": each[0]}
    asked = short.get(given, temperatures)
    model = ImuModel(spec, batch=batch)
    if steps:
        each_step = (
            model.step(0.01, rate[k], force[k], None if asked is None else temperatures[k])
            for k in range(30)
        )
        pairs = [(m.values, m.bias.values) for m in each_step]
        values, bias = (np.array(parts) for parts in zip(*pairs, strict=True))
    else:
        m = model.run(np.full(30, 0.01), rate, force, asked)
        values, bias = m.values, m.bias.values
    change = temperatures[..., None] - 20.0
    gyroscope = (1.5 + SCALE * change) * rate + BIAS * change
    np.testing.assert_allclose(values[..., :3], gyroscope, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(values[..., 3:], force + 2.0 * BIAS * change, rtol=1e-12)
    np.testing.assert_allclose(bias[..., :3], BIAS * change, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", [int, np.float64, np.array, "of one capture"])
def test_a_number_of_any_kind_is_a_temperature(kind, batch):
    model = ImuModel(both(temperature_bias=0.1), batch=batch)
    given = [35.0] if kind == "of one capture" else kind(35)
    m = model.run([0.01], 0.0, 0.0, given)
    np.testing.assert_allclose(m.values, np.ones((1, *batch, 6)), rtol=1e-12)
    if kind != "of one capture":
        m = model.step(0.01, 0.0, 0.0, given)
        np.testing.assert_allclose(m.values, np.ones((*batch, 6)), rtol=1e-12)
        m = model.run([0.01, 0.02], 0.0, 0.0, given)
        np.testing.assert_allclose(m.values, np.ones((2, *batch, 6)), rtol=1e-12)


@pytest.mark.parametrize(
    ("temperature", "factor"),
    [(25.0, 1.0), (45.0, 1.4), (0.0, 0.5), (-60.0, 0.0)],
)
def test_white_noise_grows_with_temperature(temperature, factor):
    # 60000 values, variance within 3.5 %: of a density N/sqrt(dt), and of a sigma per sample.
    for figures, sigma in (({"noise_density": 0.3}, 3.0), ({"noise_stddev": 0.2}, 0.2)):
        noise, covariance = noise_of(both(**figures, temperature_noise=0.02), temperature)
        np.testing.assert_allclose(
            covariance, np.eye(6) * (sigma * factor) ** 2 * np.ones((1, 1, 1)), atol=1e-15
        )
        if factor:
            assert_variance(noise, (sigma * factor) ** 2)
        else:
            assert np.abs(noise).max() < 1e-6


def test_members_and_axes_are_as_noisy_as_their_temperatures():
    # Variance within 6.1 % for each axis of 20000 members, whitened each by its own factor.
    warm = np.random.default_rng(3).uniform(0.0, 80.0, 20_000)
    growth = np.array([0.01, 0.0, 0.03])
    spec = both(noise_density=0.3, temperature_noise=growth)
    noise, covariance = noise_of(spec, warm, members=20_000)
    factor = 1.0 + growth * (warm[:, None] - 25.0)
    expected = (3.0 * np.tile(np.maximum(factor, 0.0), 2)) ** 2
    published = np.diagonal(covariance, axis1=-2, axis2=-1)
    np.testing.assert_allclose(published, expected, rtol=1e-12)
    for axis in range(6):
        assert_variance(noise[:, axis] / np.sqrt(expected[:, axis]), 1.0)


def test_processes_are_left_alone():
    # A walk alone: its mean over dt has the variance K^2 dt/3, 60000 values, within 3.5 %.
    spec = both(random_walk=0.3, temperature_noise=0.05)
    for temperature in (25.0, 85.0):
        noise, covariance = noise_of(spec, temperature, dt=0.5)
        np.testing.assert_allclose(covariance[0], np.eye(6) * 0.09 * 0.5 / 3.0, rtol=1e-12)
        assert_variance(noise, 0.09 * 0.5 / 3.0)


def test_with_processes_the_white_part_alone_grows():
    # N^2/dt x 2.25 + K^2 dt/3 = 0.08 x 2.25 + 0.015 = 0.195, 60000 values, within 3.5 %.
    spec = both(noise_density=0.2, random_walk=0.3, temperature_noise=0.01)
    noise, covariance = noise_of(spec, 75.0, dt=0.5)
    np.testing.assert_allclose(covariance[0], np.eye(6) * 0.195, rtol=1e-12)
    assert_variance(noise, 0.195)


def test_correlated_noise_grows_in_each_axis():
    # Cov x f_i f_j / dt; 10000 pairs for each of three, false alarms 1e-9.
    given = np.array([[4.0, 1.0, -2.0], [1.0, 9.0, 3.0], [-2.0, 3.0, 5.0]]) * 1e-4
    growth = np.array([0.02, 0.0, -0.01])
    noise, covariance = noise_of(
        ImuSpec(TriadSpec(noise_covariance=given, temperature_noise=growth)), 75.0
    )
    factor = 1.0 + growth * 50.0
    expected = given / 0.01 * np.outer(factor, factor)
    np.testing.assert_allclose(covariance[0, :3, :3], expected, rtol=1e-12)
    sigma = np.sqrt(np.diag(expected))
    for i in range(3):
        assert_variance(noise[:, i], expected[i, i])
        j = (i + 1) % 3
        assert_covariance(noise[:, i], noise[:, j], expected[i, j], (sigma[i], sigma[j]))


@pytest.mark.filterwarnings("error")
def test_a_sensor_too_cold_for_noise_has_none():
    # At any interval: the share of white noise in all noise rounds to more than one at some.
    for dt in np.random.default_rng(0).uniform(1e-3, 1.0, 200).tolist():
        m = ImuModel(both(noise_density=0.3, temperature_noise=0.01)).step(dt, 0.0, 0.0, -100.0)
        assert np.abs(m.values).max() < 1e-6


@pytest.mark.parametrize("cut", [1, 7, 40])
def test_warming_up_is_the_mean_of_an_exponential(cut, batch):
    # From 25 degC to 61 with a third of 6 s as time constant; from 3 s on to -10 degC.
    model = ImuModel(ImuSpec(TriadSpec(temperature_bias=1.0), warm_up_time=6.0), batch=batch)
    dt = np.random.default_rng(4).uniform(0.01, 0.3, 40)
    dt[:20] = 0.15
    given = np.where(np.arange(40) < 20, 61.0, -10.0)
    parts = [slice(k, k + cut) for k in range(0, 40, cut)]
    warm = [float(given[p.start]) if cut == 1 else given[p] for p in parts]
    found = [
        model.run(dt[p], 0.0, 0.0, t).values[..., 0] for p, t in zip(parts, warm, strict=True)
    ]
    found = np.concatenate(found).reshape(40, -1)
    own = 25.0
    for k in range(40):
        t = 0.5 * dt[k] * (1.0 + NODES)
        mean = 0.5 * (WEIGHTS * (given[k] + (own - given[k]) * np.exp(-t / 2.0))).sum()
        np.testing.assert_allclose(found[k], mean - 25.0, rtol=1e-11)
        own = given[k] + (own - given[k]) * np.exp(-dt[k] / 2.0)


def test_after_the_warm_up_time_19_parts_of_20_are_done():
    model = ImuModel(ImuSpec(TriadSpec(temperature_bias=1.0), warm_up_time=90.0))
    model.run(np.full(90, 1.0), 0.0, 0.0, 125.0)
    found = model.step(1e-6, 0.0, 0.0, 125.0).values[0]
    assert found == pytest.approx(100.0 * (1.0 - np.exp(-3.0)), rel=1e-6)
    model.skip(90.0)
    found = model.step(1e-6, 0.0, 0.0, 125.0).values[0]
    assert found == pytest.approx(100.0 * (1.0 - np.exp(-6.0)), rel=1e-6)
    model.reset()
    assert model.step(1e-6, 0.0, 0.0, 125.0).values[0] == pytest.approx(0.0, abs=1e-3)


def test_some_members_are_switched_on_again_cold():
    model = ImuModel(ImuSpec(TriadSpec(temperature_bias=1.0), warm_up_time=3.0), batch=(2,))
    model.run(np.full(9, 1.0), 0.0, 0.0, 125.0)
    state = json.loads(json.dumps(model.state()))
    model.reset(np.array([True, False]))
    found = model.step(1e-6, 0.0, 0.0, 125.0).values[:, 0]
    np.testing.assert_allclose(found, [0.0, 100.0 * (1.0 - np.exp(-9.0))], atol=1e-3)
    model.restore(state)
    assert model.step(1e-6, 0.0, 0.0, 125.0).values[0, 0] == pytest.approx(found[1], abs=1e-6)


def test_a_model_of_ones_own_takes_the_place_of_the_linear_one(batch):
    table = np.array([[-40.0, 25.0, 85.0], [0.3, 0.0, 0.6], [0.9, 1.0, 2.0]])

    def model(temperature):
        bias, noise = (np.interp(temperature, table[0], row) for row in table[1:])
        return bias, [0.1, 0.2, 0.0], noise

    spec = both(noise_density=0.3, temperature_bias=0.1)
    warm = np.linspace(-40.0, 85.0, 11)
    sensors = [
        ImuModel(spec, 1, batch, thermal_models=models) for models in ({"gyroscope": model}, None)
    ]
    own, linear = (sensor.run(np.full(11, 0.01), 1.0, 1.0, warm) for sensor in sensors)
    change = warm.reshape(-1, *(1,) * len(batch), 1)
    bias, noise = (np.interp(change, table[0], row) for row in table[1:])
    shape = (11, *batch, 3)
    expected = np.broadcast_to(bias, shape)
    np.testing.assert_allclose(own.bias.angular_velocity, expected, rtol=1e-12)
    expected = np.broadcast_to([1.1, 1.2, 1.0], shape)
    np.testing.assert_allclose(own.response.angular_velocity, expected, rtol=1e-12)
    fresh = ImuModel(both(noise_density=0.3), 1, batch).run(np.full(11, 0.01), 0.0, 0.0).values
    left = (own.values - own.response.values - own.bias.values)[..., :3]
    np.testing.assert_allclose(left, noise * fresh[..., :3], atol=1e-13)
    assert np.array_equal(own.linear_acceleration, linear.linear_acceleration)
    variances = own.angular_velocity_covariance[..., 0, 0].reshape(11, -1)[:, 0]
    np.testing.assert_allclose(variances, 9.0 * noise.reshape(11, -1)[:, 0] ** 2, rtol=1e-12)


def test_models_that_are_none_are_refused():
    with pytest.raises(
        ParameterError, match=r"thermal_models\['gyroscope'\] = 0.1: must be a call"
    ):
        ImuModel(thermal_models={"gyroscope": 0.1})
    with pytest.raises(UnknownNameError, match="did you mean 'gyroscope'"):
        ImuModel(thermal_models={"gyro": len})


WRONG = {
    "two things": lambda t: (0, 0),
    "one number": lambda t: 0,
    "nothing": lambda t: None,
    "four things": lambda t: (0, 0, 1, 1),
    "two axes": lambda t: ([1, 2], 0, 1),
    "ragged": lambda t: ([1, [2, 3]], 0, 1),
    "words": lambda t: ("a", 0, 1),
    "a bias that is none": lambda t: (np.nan, 0, 1),
    "an infinite scale factor": lambda t: (0, [0, np.inf, 0], 1),
    "a number too large": lambda t: (10**400, 0, 1),
    "noise below 0": lambda t: (0, 0, [1, 1, -0.1]),
    "five sensors": lambda t: (np.zeros((5, 3)), 0, 1),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("given", [None, 30.0, np.array([1.0, 2.0])])
def test_what_a_model_may_not_return_is_refused(wrong, given, batch):
    model = ImuModel(batch=batch, thermal_models={"gyroscope": wrong})
    with pytest.raises(ParameterError) as caught:
        model.run([0.01, 0.01], 0.0, 0.0, given)
    assert caught.value.key == "thermal_models['gyroscope']"
    assert "an offset of the bias [rad/s]" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_refusal_of_a_model_says_for_which_temperature():
    def beyond(temperature):
        return (np.nan if temperature > 80.0 else 0.0), 0.0, 1.0

    model = ImuModel(thermal_models={"accelerometer": beyond})
    model.step(0.01, 0.0, 0.0, 80.0)
    with pytest.raises(ParameterError, match=r"bias \[m/s\^2\].*for a temperature of 80.5 degC"):
        model.step(0.01, 0.0, 0.0, 80.5)


def test_a_model_may_know_the_sensors_of_a_batch_apart():
    def each(temperature):
        return np.array([[0.1], [0.2]]), np.zeros((2, 3)), 1.0

    model = ImuModel(batch=(2,), thermal_models={"gyroscope": each})
    for values in (
        model.step(0.01, 0.0, 0.0, 30.0).values,
        model.run([0.01, 0.01], 0.0, 0.0, [1.0, 2.0]).values[1],
    ):
        np.testing.assert_allclose(values[:, 0], [0.1, 0.2], rtol=1e-12)
    model.theory.filter_model(0.01)


@pytest.mark.parametrize(
    ("shape", "count", "words"),
    [
        ((), 1, "must be a finite number [degC]"),
        ((), 4, "one number or one for each capture, shape (4,)"),
        ((3,), 1, "one number or one for each sensor, shape (3,)"),
        (
            (2, 3),
            4,
            "one number, one for each sensor, shape (2, 3), one for each capture, shape (4,) or "
            "one for each capture of each sensor, shape (4, 2, 3)",
        ),
    ],
)
def test_the_temperatures_that_are_allowed_in_words(shape, count, words):
    model = ImuModel(batch=shape)
    for wrong in (np.zeros(7), np.nan, "warm", 10**400):
        with pytest.raises(ParameterError) as caught:
            model.run(np.full(count, 0.01), 0.0, 0.0, wrong)
        assert str(caught.value).startswith("temperature = ")
        assert str(caught.value).endswith(words)


def test_numbers_too_large_are_refused():
    model = ImuModel()
    for arguments in ((10**400, 0.0, 0.0), (0.01, 10**400, 0.0)):
        with pytest.raises(ParameterError, match="must be"):
            model.step(*arguments)
    with pytest.raises(ParameterError, match=r"dt = .* must be one or more finite times"):
        model.run([10**400], 0.0, 0.0)
