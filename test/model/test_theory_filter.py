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

"""Filter models against formulas written down a second time, and against what is published."""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import triple
from model_specs import CORRELATED
from model_theory import BY_CAPTURE, PRIORS, PROCESSES, SPECS, WHITE, WITH_FIELD, assert_same

from imu_noise_node import ImuModel, ImuSpec, Theory, TriadSpec

DT, AGE = 0.3, 7.0


def gyroscope(dt=DT, age=AGE, temperature=None, rounding=True, scale=1.0, **figures):
    """Return the filter model of a sensor with a gyroscope alone at fault."""
    spec = ImuSpec(TriadSpec(**figures), increments_scale=scale)
    return Theory.of(spec).filter_model(dt, age, temperature, rounding=rounding)


def on_gyroscope(values):
    """Return a covariance of increments that the gyroscope's axes have alone."""
    return np.diag([0.0, 0.0, 0.0, *np.broadcast_to(values, 3)])


@pytest.mark.parametrize("dt", [1e-4, 0.04, 0.3, 200.0])
def test_a_process_has_the_moments_of_its_integral(dt):
    times, sigma, scale = [1e-3, 2.0, 5e4], 0.7, 3.0
    record = gyroscope(dt, scale=scale, bias_stddev=sigma, bias_correlation_time=times)
    found = [triple(dt, tau) for tau in times]
    power = [2.0 * sigma**2 / tau for tau in times]
    c = scale * dt
    h = np.concatenate([np.zeros((3, 3)), np.diag([c * t.h for t in found])])
    np.testing.assert_allclose(record.measurement, h, rtol=1e-12)
    # Where next to nothing is kept, it is kept to the rounding of one.
    keep = np.diag([t.phi for t in found])
    np.testing.assert_allclose(record.transition, keep, rtol=1e-12, atol=1e-16)
    q = [p * t.var_w for p, t in zip(power, found, strict=True)]
    np.testing.assert_allclose(record.process_covariance, np.diag(q), rtol=1e-12)
    s = np.diag([c * p * t.cov for p, t in zip(power, found, strict=True)])
    np.testing.assert_allclose(record.cross_covariance[3:], s, rtol=1e-11)
    r = on_gyroscope([c**2 * p * t.var_m for p, t in zip(power, found, strict=True)])
    np.testing.assert_allclose(record.conditional_covariance, r, rtol=1e-10)
    for name in PRIORS:
        prior = getattr(record, name).covariance
        np.testing.assert_allclose(prior, sigma**2 * np.eye(3), rtol=1e-12)


def test_a_random_walk_grows_from_zero():
    record = gyroscope(random_walk=0.2)
    np.testing.assert_allclose(record.measurement[3:], DT * np.eye(3), rtol=1e-14)
    np.testing.assert_allclose(record.process_covariance, 0.04 * DT * np.eye(3), rtol=1e-14)
    np.testing.assert_allclose(record.cross_covariance[3:], 0.02 * DT**2 * np.eye(3), rtol=1e-14)
    expected = on_gyroscope(0.04 * DT**3 / 3.0)
    np.testing.assert_allclose(record.conditional_covariance, expected, rtol=1e-13)
    for name, age in zip(PRIORS, (0.0, AGE, AGE + DT), strict=True):
        prior = getattr(record, name).covariance
        np.testing.assert_allclose(prior, 0.04 * age * np.eye(3), rtol=1e-14)


def test_a_turn_on_bias_stays():
    record = gyroscope(turn_on_bias_stddev=[0.4, 0.0, 0.1])
    assert record.states == (
        ("gyroscope", "turn_on_bias", "x"),
        ("gyroscope", "turn_on_bias", "z"),
    )
    assert (record.transition == np.eye(2)).all()
    assert not record.process_covariance.any()
    assert not record.conditional_covariance.any()
    assert record.measurement[[3, 5], [0, 1]].tolist() == [DT, DT]
    assert np.count_nonzero(record.measurement) == 2
    for name in PRIORS:
        np.testing.assert_allclose(getattr(record, name).covariance, np.diag([0.16, 0.01]))


@pytest.mark.parametrize(
    ("figures", "variance"),
    [
        ({"noise_density": [0.1, 0.0, 0.2]}, [0.01 * DT, 0.0, 0.04 * DT]),
        ({"noise_density": 0.1, "noise_type": "single-sided"}, 0.005 * DT),
        ({"noise_density": 0.1, "integration_time": 0.1}, 0.03 * DT),
        ({"noise_stddev": 0.1}, 0.01 * DT**2),
    ],
)
def test_white_noise_has_no_state(figures, variance):
    record = gyroscope(**figures)
    assert record.states == ()
    expected = on_gyroscope(variance)
    np.testing.assert_allclose(record.conditional_covariance, expected, rtol=1e-14)
    np.testing.assert_allclose(record.white_covariance, expected, rtol=1e-14)
    np.testing.assert_allclose(record.marginal_covariance, expected, rtol=1e-14)


def test_correlated_axes_are_correlated():
    record = gyroscope(noise_covariance=CORRELATED, temperature_noise=0.1, temperature=35.0)
    np.testing.assert_allclose(record.white_covariance[3:, 3:], 4.0 * DT * CORRELATED, rtol=1e-13)
    np.testing.assert_allclose(
        record.conditional_covariance[3:, 3:], 4.0 * DT * CORRELATED, rtol=1e-13
    )


def test_noise_behind_a_bandwidth_is_a_state_sampled_at_the_end():
    # 1/(pi 0.8 Hz) = 0.40 s: the first samples the process, the second averages white noise.
    record = gyroscope(noise_density=0.1, bandwidth=[0.8, 80.0, 0.0])
    assert [state.effect for state in record.states] == ["band_limited"] * 2
    tau = 1.0 / (2.0 * np.pi * 0.8)
    variance, keep = 0.01 / (2.0 * tau), np.exp(-DT / tau)
    fresh = variance * (1.0 - keep**2)
    assert record.measurement[3, 0] == pytest.approx(DT * keep, rel=1e-13)
    assert record.transition[0, 0] == pytest.approx(keep, rel=1e-13)
    assert record.process_covariance[0, 0] == pytest.approx(fresh, rel=1e-13)
    assert record.cross_covariance[3, 0] == pytest.approx(DT * fresh, rel=1e-13)
    assert np.count_nonzero(record.measurement) == np.count_nonzero(record.cross_covariance) == 1
    expected = on_gyroscope([DT**2 * fresh, 0.01 * DT, 0.01 * DT])
    np.testing.assert_allclose(record.conditional_covariance, expected, rtol=1e-13)
    np.testing.assert_allclose(
        record.white_covariance, on_gyroscope([0.0, 0.01 * DT, 0.01 * DT]), rtol=1e-13
    )
    assert record.marginal_covariance[3, 3] == pytest.approx(DT**2 * variance, rel=1e-13)


def test_heat_multiplies_the_noise_and_leaves_the_processes():
    hot = {"temperature_noise": 0.1, "temperature": 35.0}
    for figures in (PROCESSES["walk"], PROCESSES["flicker"], PROCESSES["gauss-markov"]):
        assert_same(gyroscope(**figures, **hot), gyroscope(**figures))
    for figures in (WHITE["white"], BY_CAPTURE["per sample"], BY_CAPTURE["bandwidth"]):
        one, other = gyroscope(0.02, **figures, **hot), gyroscope(0.02, **figures)
        np.testing.assert_allclose(one.marginal_covariance, 4.0 * other.marginal_covariance)
        np.testing.assert_allclose(one.start.covariance, other.start.covariance)


def test_rounding_is_noise_unless_left_out():
    exact = gyroscope(noise_density=0.1)
    assert_same(gyroscope(noise_density=0.1, resolution=0.6, rounding=False), exact)
    record = gyroscope(noise_density=0.1, resolution=[0.6, 0.0, 0.0])
    np.testing.assert_allclose(record.rounding_covariance, on_gyroscope([0.03 * DT**2, 0, 0]))
    np.testing.assert_allclose(
        record.conditional_covariance,
        exact.conditional_covariance + on_gyroscope([0.03 * DT**2, 0.0, 0.0]),
    )


def test_the_mean_is_constant_bias_and_that_of_temperature():
    figures = {"constant_bias": [1.0, 2.0, 3.0], "temperature_bias": [0.1, 0.0, -0.1]}
    assert gyroscope(**figures).mean == pytest.approx([0, 0, 0, DT, 2 * DT, 3 * DT])
    warm = gyroscope(scale=2.0, temperature=35.0, **figures)
    assert warm.mean == pytest.approx(2.0 * DT * np.array([0, 0, 0, 2.0, 2.0, 2.0]))


def test_a_thermal_model_of_ones_own_counts():
    spec = ImuSpec(TriadSpec(noise_density=0.1))
    theory = Theory.of(spec, {"gyroscope": lambda t: (0.01 * t, 0.0, t / 10.0)})
    record = theory.filter_model(DT, temperature=30.0)
    assert record.mean == pytest.approx([0, 0, 0, *[0.3 * DT] * 3])
    np.testing.assert_allclose(record.white_covariance, on_gyroscope(0.09 * DT), rtol=1e-13)


def test_the_temperature_is_the_sensors_own():
    triad = TriadSpec(noise_density=0.1, temperature_noise=0.1, temperature_bias=0.01)
    cold, warm = (Theory.of(ImuSpec(triad, warm_up_time=time)) for time in (0.0, 900.0))
    assert_same(warm.filter_model(DT, 0.0, 35.0), cold.filter_model(DT, 0.0, 35.0))


@pytest.mark.parametrize(("dt", "age", "heat"), [(0.01, 0.0, None), (0.3, 9.0, 60.0)])
@pytest.mark.parametrize("name", [*SPECS, "with field"])
def test_covariances_are_those_that_measurements_publish(name, dt, age, heat):
    spec = {**SPECS, "with field": WITH_FIELD}[name]
    record = Theory.of(spec).filter_model(dt, age, heat, kind="averages")
    for kind, found in (
        ("sample", record.sample_covariance),
        ("total", record.marginal_covariance),
    ):
        model = ImuModel(spec, covariance=kind)
        if age:
            model.skip(age)
        field = 0.0 if spec.magnetometer else None
        published = model.step(dt, 0.0, 0.0, heat, field).covariance
        scale = np.sqrt(np.diag(published))
        np.testing.assert_array_less(
            np.abs(found - published), 1e-13 * np.outer(scale, scale) + 1e-300
        )
