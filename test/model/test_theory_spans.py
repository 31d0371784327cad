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

"""Filter models of intervals that follow each other, of several sensors, and of a batch."""

from __future__ import annotations

import numpy as np
import pytest
from model_theory import BY_CAPTURE, FULL, PROCESSES, SPECS, WHITE, WITH_FIELD, assert_same, facts

from imu_noise_node import FilterModel, ImuModel, ImuSpec, ParameterError, Theory, TriadSpec

DT, AGE = 0.3, 7.0


@pytest.mark.parametrize("name", [*WHITE, *PROCESSES])
def test_two_intervals_are_one_of_their_length(name):
    theory = Theory.of(SPECS[name])
    for one, two in ((0.01, 0.02), (0.3, 1e-4), (1e-3, 20.0)):
        assert_same(
            theory.filter_model(one, AGE).then(theory.filter_model(two, AGE + one)),
            theory.filter_model(one + two, AGE),
        )


@pytest.mark.parametrize("name", BY_CAPTURE)
def test_of_terms_that_depend_on_the_captures_two_intervals_are_not_one(name):
    # Noise and rounding per sample: twice the variance of dt, a half of that of 2 dt. A sensor
    # that integrates 10 ms of 20 has noise twice. Behind a bandwidth samples are no averages.
    theory = Theory.of(SPECS[name])
    dt = 0.003 if name == "bandwidth" else 0.01
    two, one = (theory.filter_model(t, 1.0).marginal_covariance for t in ([dt, dt], 2.0 * dt))
    ratio = np.diag(two) / np.diag(one)
    if name == "bandwidth":
        assert (ratio[:2] < 0.999).all()
        assert ratio[2] == pytest.approx(1.0)
    else:
        np.testing.assert_allclose(ratio, 0.5, rtol=1e-12)


@pytest.mark.parametrize("kind", ["increments", "averages"])
def test_many_intervals_are_one_after_the_other(kind):
    theory = Theory.of(WITH_FIELD)
    steps = [0.01] * 11 + [0.4, 0.02, 0.02, 0.01]
    chain = theory.filter_model(steps[0], AGE, 30.0, kind)
    for dt in steps[1:]:
        chain = chain.then(theory.filter_model(dt, 0.0, 30.0, kind))
    found = theory.filter_model(steps, AGE, 30.0, kind)
    assert found.dt == pytest.approx(sum(steps))
    assert_same(found, chain)


def test_white_noise_and_rounding_add_up():
    theory = Theory.of(FULL)
    one, two, both = (theory.filter_model(steps) for steps in (0.02, 0.4, [0.02, 0.4]))
    for name in ("mean", "white_covariance", "rounding_covariance"):
        parts = [getattr(record, name) for record in (one, two)]
        assert all(part.any() for part in parts)
        np.testing.assert_allclose(getattr(both, name), sum(parts), rtol=1e-14)


def test_an_average_is_the_increment_by_its_length():
    theory = Theory.of(FULL)
    for steps in (0.02, [0.02, 0.02, 0.4]):
        averages = theory.filter_model(steps, AGE, kind="averages")
        increments = theory.filter_model(steps, AGE)
        order, span = [3, 4, 5, 0, 1, 2], 2.0 * np.sum(steps)
        states = [increments.states.index(state) for state in averages.states]
        assert [increments.outputs[i] for i in order[:1]] == ["delta_theta_x"]
        np.testing.assert_allclose(span * averages.mean, increments.mean[order])
        np.testing.assert_allclose(
            span * averages.measurement, increments.measurement[np.ix_(order, states)]
        )
        np.testing.assert_allclose(
            span**2 * averages.marginal_covariance,
            increments.marginal_covariance[np.ix_(order, order)],
        )


def test_a_magnetometer_has_no_increments():
    with_field, without = (Theory.of(spec).filter_model(DT, AGE) for spec in (WITH_FIELD, FULL))
    # The magnetometer's scale is in WITH_FIELD left at one.
    np.testing.assert_allclose(4.0 * with_field.marginal_covariance, without.marginal_covariance)
    assert with_field.states == without.states
    assert with_field.outputs == (
        *("delta_v_x", "delta_v_y", "delta_v_z"),
        *("delta_theta_x", "delta_theta_y", "delta_theta_z"),
    )
    averages = Theory.of(WITH_FIELD).filter_model(DT, AGE, kind="averages")
    assert averages.outputs[6:] == ("magnetometer_x", "magnetometer_y", "magnetometer_z")
    assert [averages.states[i].axis for i in averages.index("magnetometer")] == ["x", "z"]


def test_states_are_found_by_sensor_and_effect():
    record = Theory.of(FULL).filter_model(DT)
    assert record.index() == list(range(len(record.states)))
    assert record.index("gyroscope", "band_limited") == [
        record.states.index(("gyroscope", "band_limited", axis)) for axis in "xy"
    ]
    flicker = record.index(effect="flicker")
    assert len(flicker) == len(record.states) - sum(
        len(record.index(effect=e))
        for e in ("turn_on_bias", "random_walk", "gauss_markov", "band_limited")
    )
    assert {record.states[i].sensor for i in flicker} == {"accelerometer", "gyroscope"}


def test_a_perfect_sensor_has_nothing():
    record = Theory.of(ImuSpec()).filter_model(DT)
    assert record.states == ()
    assert not record.marginal_covariance.any()
    assert not record.end.covariance.size


def test_a_models_theory_is_its_specs(batch):
    found = ImuModel(ImuSpec(FULL.gyroscope, FULL.accelerometer), 1, batch).theory
    record = found.filter_model(DT, AGE, 40.0)
    alone = Theory.of(ImuSpec(FULL.gyroscope, FULL.accelerometer)).filter_model(DT, AGE, 40.0)
    assert record.transition.shape == (*(1,) * len(batch), *alone.transition.shape)
    for name, value in facts(record).items():
        np.testing.assert_array_equal(value.reshape(facts(alone)[name].shape), facts(alone)[name])


def test_members_have_filter_models_of_their_own():
    sizes = np.array([[0.1, 0.2, 0.3], [0.0, 0.5, 0.0]])

    def spec(size) -> ImuSpec:
        return ImuSpec(
            TriadSpec(
                noise_density=size,
                bandwidth=np.full_like(size, 2.0),
                turn_on_bias_stddev=size,
                resolution=size,
            ),
            TriadSpec(random_walk=size, constant_bias=size, temperature_noise=size),
        )

    ages, warmth = np.array([3.0, 80.0]), np.array([10.0, 40.0])
    together = Theory.of(spec(sizes)).filter_model([0.1, 0.3], ages, warmth)
    assert isinstance(together, FilterModel)
    for i in range(2):
        one = Theory.of(spec(sizes[i])).filter_model([0.1, 0.3], ages[i], warmth[i])
        kept = [together.states.index(state) for state in one.states]
        np.testing.assert_allclose(together.mean[i], one.mean)
        np.testing.assert_allclose(together.marginal_covariance[i], one.marginal_covariance)
        np.testing.assert_allclose(
            together.cross_covariance[i][:, kept], one.cross_covariance, atol=1e-18
        )
        np.testing.assert_allclose(
            together.end.covariance[i][np.ix_(kept, kept)], one.end.covariance
        )


@pytest.mark.parametrize("name", SPECS)
def test_covariances_are_possible_ones(name):
    record = Theory.of(SPECS[name]).filter_model([0.02, 0.3], AGE)
    r, s, q = record.conditional_covariance, record.cross_covariance, record.process_covariance
    joint = np.block([[r, s], [s.T, q]])
    np.testing.assert_allclose(joint, joint.T, atol=1e-18)
    scale = np.sqrt(np.where(np.diag(joint) > 0.0, np.diag(joint), 1.0))
    assert np.linalg.eigvalsh(joint / np.outer(scale, scale)).min() > -1e-12


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"dt": 0.0}, r"^dt = 0.0: must be a finite time above 0 \[s\]$"),
        ({"dt": []}, r"^dt = .*must be one or more finite times above 0 \[s\]"),
        ({"age": -1.0}, r"^age = -1.0: must be 0 or more, and finite \[s\]$"),
        ({"age": float("nan")}, r"^age = nan: must be 0 or more, and finite \[s\]$"),
        ({"temperature": "hot"}, r"^temperature = 'hot': must be finite \[degC\]$"),
        ({"kind": "rates"}, r"^kind = 'rates': must be one of increments, averages$"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(arguments, sentence):
    with pytest.raises(ParameterError, match=sentence):
        Theory.of(FULL).filter_model(**{"dt": DT, **arguments})


def test_intervals_of_different_sensors_do_not_follow_each_other():
    one, two = (Theory.of(SPECS[name]).filter_model(DT) for name in ("walk", "white"))
    with pytest.raises(ParameterError, match="must be of the same sensor"):
        one.then(two)
