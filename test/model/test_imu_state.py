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

"""A sensor's state: taken and put back, begun anew, and skipped over."""

from __future__ import annotations

import json

import numpy as np
import pytest
from model_runs import INTERVALS, drive, same, truth_of
from model_specs import SPECS

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec

STEADY = INTERVALS["constant"][:60]
MIXED = INTERVALS["long and short"][:60]


@pytest.fixture(params=["steady", "mixed"])
def intervals(request):
    return {"steady": STEADY, "mixed": MIXED}[request.param]


def through_json(model):
    return json.loads(json.dumps(model.state()))


@pytest.mark.parametrize("calls", ["steps", "mixture"])
@pytest.mark.parametrize("place", [1, 5, 32, 33, 59])
def test_a_restored_sensor_continues_where_the_other_stood(spec, batch, intervals, place, calls):
    expected = drive(ImuModel(spec, 5, batch, "total"), intervals)
    model, other = ImuModel(spec, 5, batch, "total"), ImuModel(spec, 99, batch, "total")
    drive(model, intervals, calls, last=place)
    drive(other, STEADY, "steps", last=7)
    other.restore(through_json(model))
    found = drive(other, intervals, calls, first=place)
    assert same(found, [fact[place:] for fact in expected])
    assert other.seed == 5


def test_a_state_may_be_taken_before_the_first_sample(full, batch):
    other = ImuModel(full, 99, batch)
    other.restore(through_json(ImuModel(full, 5, batch)))
    assert same(drive(other, STEADY), drive(ImuModel(full, 5, batch), STEADY))


def test_taking_the_state_changes_nothing(full, batch, intervals):
    expected = drive(ImuModel(full, 5, batch), intervals)
    model = ImuModel(full, 5, batch)
    for k in range(len(intervals)):
        found = drive(model, intervals, "steps", first=k, last=k + 1)
        assert same(found, [fact[k : k + 1] for fact in expected])
        model.state()


def test_a_state_may_be_restored_many_times(full, batch):
    model = ImuModel(full, 5, batch)
    drive(model, STEADY, "steps", last=10)
    state = through_json(model)
    expected = drive(model, STEADY, "steps", first=10)
    for _ in range(3):
        model.restore(state)
        assert same(drive(model, STEADY, "steps", first=10), expected)


def test_a_restored_sensor_resets_to_the_restored_seed(full, batch):
    other = ImuModel(full, 99, batch)
    other.restore(through_json(ImuModel(full, 5, batch)))
    other.reset()
    assert same(drive(other, STEADY), drive(ImuModel(full, 5, batch), STEADY))


@pytest.mark.parametrize(
    "break_it",
    [
        lambda state: state.pop("seed"),
        lambda state: state.pop("age"),
        lambda state: state.pop("draws"),
        lambda state: state.pop("processes"),
        lambda state: state.pop("streams"),
        lambda state: state.update(processes=[1.0, 2.0]),
        lambda state: state.update(processes=None),
        lambda state: state.update(draws=[0.0]),
        lambda state: state.update(age="old"),
        lambda state: state["streams"].update({"gyroscope/white": {"bit_generator": "MT19937"}}),
        lambda state: state["streams"].update({"gyroscope/white": 3}),
    ],
)
def test_a_state_that_is_none_is_refused(full, break_it):
    state = through_json(ImuModel(full))
    break_it(state)
    with pytest.raises(ParameterError, match="must come from state"):
        ImuModel(full).restore(state)


@pytest.mark.parametrize("nothing", [None, [], "state", 3])
def test_what_is_no_mapping_is_refused(full, nothing):
    with pytest.raises(ParameterError, match="must come from state"):
        ImuModel(full).restore(nothing)


def test_the_state_of_another_spec_or_batch_is_refused(full):
    for other in (ImuModel(SPECS["walk"]), ImuModel(full, batch=(2,))):
        with pytest.raises(ParameterError, match="of a model with this spec and batch"):
            ImuModel(full).restore(other.state())


def test_the_state_of_another_version_is_refused(full):
    state = {**ImuModel(full).state(), "version": 1}
    with pytest.raises(ParameterError, match=r"^version = 1: must be 3$"):
        ImuModel(full).restore(state)


def test_a_reset_repeats_the_run(spec, batch, intervals):
    model = ImuModel(spec, 5, batch, "total")
    first = drive(model, intervals, "mixture")
    model.reset()
    assert same(drive(model, intervals, "steps"), first)


def test_a_reset_of_some_begins_those_anew_and_leaves_the_others(full, batch):
    model, undisturbed = (ImuModel(full, 5, batch, "total") for _ in range(2))
    drive(model, STEADY, "steps", last=20)
    expected = drive(undisturbed, STEADY, "steps")
    where = np.arange(int(np.prod(batch))).reshape(batch) % 2 == 0
    model.reset(where)
    values, truth, bias, covariance = drive(model, STEADY, "steps", first=20)
    assert np.array_equal(values[:, ~where], expected[0][20:, ~where])
    assert np.array_equal(bias[:, ~where], expected[2][20:, ~where])
    assert np.array_equal(truth, expected[1][20:])
    # Other draws for every axis of those that began anew, and a walk that has not grown yet.
    assert (bias[:, where] != expected[2][20:, where]).all()
    ages = np.broadcast_to(covariance, (40, *batch, 6, 6))[0]
    young = ImuModel(full, 5, (), "total").step(0.01, 0.0, 0.0).covariance
    np.testing.assert_allclose(ages[where], np.broadcast_to(young, ages[where].shape), rtol=1e-9)
    old = np.broadcast_to(expected[3], (60, *batch, 6, 6))[20] if batch else expected[3][20]
    assert np.array_equal(ages[~where], np.broadcast_to(old, (*batch, 6, 6))[~where])


def test_a_reset_of_none_changes_nothing(full, batch):
    expected = drive(ImuModel(full, 5, batch), STEADY)
    model = ImuModel(full, 5, batch)
    drive(model, STEADY, "steps", last=20)
    model.reset(np.zeros(batch, dtype=bool))
    assert np.array_equal(drive(model, STEADY, "steps", first=20)[0], expected[0][20:])


def test_members_begun_anew_draw_from_the_same_laws():
    # Turn-on 0.5, Gauss-Markov 0.3: variance 0.34 over 24000 axes, false alarms 1e-9.
    from model_statistics import assert_variance

    triad = TriadSpec(turn_on_bias_stddev=0.5, bias_stddev=0.3, bias_correlation_time=9.0)
    model = ImuModel(ImuSpec(triad, triad), 1, (8000,))
    where = np.arange(8000) < 4000
    before = model.step(1e-6, 0.0, 0.0).values
    model.reset(where)
    after = model.step(1e-6, 0.0, 0.0).values
    assert_variance(after[where], 0.34)
    np.testing.assert_allclose(after[~where], before[~where], atol=0.01)
    # New draws have nothing to do with the old: the difference has twice the variance.
    assert_variance(after[where] - before[where], 0.68)


@pytest.mark.parametrize("where", [[True], [[True, False]], True])
def test_a_mask_of_another_shape_is_refused(full, where):
    model = ImuModel(full, batch=(2,))
    with pytest.raises(ParameterError, match=r"where = .*must be a mask of shape \(2,\)"):
        model.reset(where)
    with pytest.raises(ParameterError, match="where"):
        model.retune(full, where)


def test_skipping_is_measuring_without_looking(full, batch, intervals):
    looking, skipping = (ImuModel(full, 5, batch, "total") for _ in range(2))
    rate, force = truth_of(len(intervals), batch)
    for k, dt in enumerate(intervals.tolist()):
        m = looking.step(dt, rate[k], force[k])
        if k % 3:
            skipping.skip(dt)
        else:
            other = skipping.step(dt, rate[k], force[k])
            assert np.array_equal(other.values, m.values)
            assert np.array_equal(other.covariance, m.covariance)


@pytest.mark.parametrize("dt", [0.0, -1.0, float("nan"), float("inf")])
def test_time_that_cannot_pass_is_not_skipped(full, dt):
    model = ImuModel(full, 5)
    with pytest.raises(ParameterError, match=r"^dt = .*must be a finite time above 0 \[s\]$"):
        model.skip(dt)
    assert same(drive(model, STEADY), drive(ImuModel(full, 5), STEADY))


def test_the_last_measurements_are_kept(full, batch):
    model = ImuModel(full, 5, batch, history=7)
    values = drive(model, STEADY, "mixture")[0]
    assert len(model.history) == 7
    for kept, value in zip(model.history, values[-7:], strict=True):
        assert np.array_equal(kept.values, value)
        assert kept.covariance.shape[-2:] == (6, 6)
    model.reset()
    assert len(model.history) == 0


def test_no_history_is_kept_unless_asked_for(full):
    model = ImuModel(full, 5)
    drive(model, STEADY, "mixture")
    assert len(model.history) == 0


def test_a_refused_state_changes_nothing(full):
    model, undisturbed = (ImuModel(full, 5) for _ in range(2))
    for m in (model, undisturbed):
        drive(m, STEADY, "steps", last=10)
    state = through_json(ImuModel(full, 9))
    for broken in ({"late": [1]}, {"draws": [0.0]}, {"streams": {}}, {"time": float("nan")}):
        with pytest.raises(ParameterError):
            model.restore({**state, **broken})
    assert model.seed == 5
    assert same(
        drive(model, STEADY, "steps", first=10), drive(undisturbed, STEADY, "steps", first=10)
    )
