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

"""Faults in the model: from a schedule, and injected while it runs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from imu_noise_node import Fault, ImuModel, ImuSpec, ParameterError, State, TriadSpec

REST = ([0.0, 0.0, 0.0], [0.0, 0.0, 9.8])
NOISY = ImuSpec(
    TriadSpec(noise_density=1e-3, resolution=1e-4, range=10.0),
    TriadSpec(noise_density=1e-2, scale_factor=0.01, bandwidth=50.0),
)
SCHEDULE = (
    Fault(mode="stuck", target="gyroscope", start=0.1, duration=0.1),
    Fault(mode="noise", target="all", magnitude=5.0, start=0.3, duration=0.1),
    Fault(mode="intermittent", target="accelerometer", magnitude=0.5, mtbf=0.1, duration=0.1),
)


def steps(model, count, dt=0.01):
    return np.array([model.step(dt, *REST).values for _ in range(count)])


@pytest.mark.parametrize("spec", [ImuSpec(), NOISY], ids=["perfect", "noisy"])
def test_a_run_and_single_steps_break_alike(spec):
    one, other = (ImuModel(spec, seed=2, faults=SCHEDULE) for _ in range(2))
    block = one.run(np.full(100, 0.01), *REST).values
    assert np.array_equal(block, steps(other, 100), equal_nan=True)
    assert np.isnan(block).any()


@pytest.mark.parametrize("spec", [ImuSpec(), NOISY], ids=["perfect", "noisy"])
def test_an_injected_fault_begins_now_and_ends_when_it_is_taken_back(spec):
    model = ImuModel(spec, seed=2)
    undisturbed = steps(ImuModel(spec, seed=2), 40)
    assert np.array_equal(steps(model, 10), undisturbed[:10])
    model.inject(Fault(mode="bias", target="gyroscope", axes="x", magnitude=1.0))
    shift = steps(model, 10) - undisturbed[10:20]
    assert np.allclose(shift, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], rtol=0, atol=1e-9)
    assert model.condition.state is State.DEGRADED
    model.inject()
    assert np.array_equal(steps(model, 10), undisturbed[20:30])
    assert model.condition.state is State.READY
    model.inject(Fault(mode="total"))
    assert np.isnan(steps(model, 1)).all()
    assert model.condition.state is State.FAILED
    model.clear_faults()
    assert np.array_equal(steps(model, 9), undisturbed[31:])


def test_an_injected_fault_is_part_of_the_state_and_comes_again_after_a_reset():
    fault = Fault(mode="drift", target="accelerometer", magnitude=1.0, name="live")
    first = ImuModel(NOISY, seed=2, faults=SCHEDULE)
    steps(first, 15)
    first.inject(fault)
    steps(first, 15)
    second = ImuModel(NOISY, seed=7, faults=SCHEDULE)
    second.inject(fault)
    second.restore(json.loads(json.dumps(first.state())))
    assert np.array_equal(steps(first, 30), steps(second, 30), equal_nan=True)
    first.reset()
    drifting = steps(first, 10)[:, 3] - steps(ImuModel(NOISY, seed=2), 10)[:, 3]
    there = np.isfinite(drifting)
    assert there.sum() >= 3
    expected = 0.01 * (np.arange(10) + 0.5)
    assert np.allclose(drifting[there], expected[there], rtol=0, atol=1e-9)


@pytest.mark.parametrize("spec", [ImuSpec(), NOISY], ids=["perfect", "noisy"])
def test_faults_that_are_refused_leave_those_before_as_they_were(spec):
    model = ImuModel(spec)
    fault = Fault(mode="total")
    model.inject(fault)
    with pytest.raises(ParameterError, match="there is no other sensor"):
        model.inject(Fault(mode="total", target="magnetometer"))
    assert model.injected == (fault,)
    assert np.isnan(steps(model, 3)).all()


def test_a_state_with_other_faults_is_refused():
    state = ImuModel(NOISY, faults=SCHEDULE).state()
    with pytest.raises(ParameterError, match="must come from state"):
        ImuModel(NOISY).restore(state)


def test_a_fault_of_a_sensor_that_there_is_not_is_refused():
    with pytest.raises(ParameterError, match="there is no other sensor"):
        ImuModel(NOISY, faults=[Fault(mode="total", target="magnetometer")])
    with pytest.raises(ParameterError, match="there is no other sensor"):
        ImuModel(NOISY).inject(Fault(mode="total", target="magnetometer"))


def test_limits_and_warm_up_are_told():
    spec = ImuSpec(
        warm_up_time=1.0,
        operating_temperature=[-40.0, 85.0],
        shock_limit=50.0,
        vibration_limit=5.0,
    )
    model = ImuModel(spec)
    model.step(0.5, *REST, 25.0)
    assert model.condition.state is State.INITIALIZING
    model.step(0.6, *REST, 25.0)
    assert model.condition.state is State.READY
    model.step(0.1, *REST, 91.0)
    assert model.condition.reasons == ("temperature 91 degC is outside -40 to 85 degC",)
    model.step(0.1, [0.0] * 3, [0.0, 0.0, 60.0], 25.0)
    assert model.condition.state is State.DEGRADED
    assert [reason.split()[0] for reason in model.condition.reasons] == ["vibration", "specific"]


def test_the_temperature_counts_whatever_else_the_sensor_has():
    model = ImuModel(ImuSpec(TriadSpec(noise_density=1e-3), operating_temperature=[-20.0, 50.0]))
    for temperature, state in ((80.0, State.DEGRADED), (20.0, State.READY), (None, State.READY)):
        model.step(0.01, *REST, temperature)
        assert model.condition.state is state
        assert model.temperature == temperature
    with pytest.raises(ParameterError, match="temperature"):
        model.step(0.01, *REST, "warm")


def test_conditions_have_the_shape_of_the_batch():
    model = ImuModel(ImuSpec(), batch=(3, 2))
    model.step(0.01, *REST)
    assert model.condition.states.shape == (3, 2)


def test_figures_of_the_whole_imu_cannot_be_those_of_some_members():
    model = ImuModel(ImuSpec(shock_limit=5.0), batch=(2,))
    for other in ({"shock_limit": 6.0}, {"increments_scale": 2.0, "shock_limit": 5.0}):
        with pytest.raises(ParameterError, match="for all members alike"):
            model.retune(ImuSpec(**other), where=np.array([True, False]))
    model.retune(ImuSpec(TriadSpec(noise_density=1.0), shock_limit=5.0), where=[True, False])


@pytest.mark.parametrize("calls", ["steps", "one run"])
def test_a_stuck_sensor_repeats_what_was_read_whatever_its_resolution_becomes(calls):
    coarse, fine = (TriadSpec(resolution=size, bandwidth=50.0) for size in (1.0, 0.01))
    stuck = Fault("stuck", start=0.05, duration=10.0)
    model = ImuModel(ImuSpec(coarse, coarse), faults=[stuck])
    truth = np.full(3, 1.4)
    if calls == "steps":
        for _ in range(5):
            model.step(0.01, truth, truth)
    else:
        model.run(np.full(5, 0.01), truth, truth)
    model.retune(ImuSpec(fine, fine))
    assert model.step(0.01, truth, truth).values.tolist() == [1.0] * 6
