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

"""One capture in plain floats: to the bit what the stages make of a block of one.

`step` takes the short way for one sensor from its second capture on; `run` never does.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from signal_specs import ACCELEROMETER, ALL, GYROSCOPE, whole

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.stage import Stateless

SWITCHES = [
    ["scale_factor"],
    ["scale_factor_stddev"],
    ["cross_axis"],
    ["misalignment"],
    ["misalignment_stddev"],
    ["nonlinearity"],
    ["bandwidth"],
    ["temperature_bias"],
    ["temperature_scale_factor"],
    ["temperature_noise"],
    ["g_sensitivity"],
    ["vibration_rectification"],
    ["noise_density"],
    ["random_walk"],
    ["bias_stddev", "bias_correlation_time"],
    ["bias_instability", "bias_instability_band"],
    ["turn_on_bias_stddev"],
    ["constant_bias"],
    ["resolution"],
]
CORRELATED = np.array([[2.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 0.7]]) * 1e-5


def some_of(figures, rng):
    """A triad with about half of its effects, some of them of random size."""
    kept = {"range": figures["range"] * rng.choice([1.0, 0.02])}
    for names in SWITCHES:
        if names[0] in figures and rng.random() < 0.5:
            kept.update({name: figures[name] for name in names})
    if rng.random() < 0.2 and "bandwidth" not in kept:
        kept.pop("noise_density", None)
        kept["noise_covariance"] = CORRELATED
    if rng.random() < 0.3 and "nonlinearity" not in kept:
        kept["range"] = 0.0
    return TriadSpec(**kept)


def random_spec(rng):
    triads = [some_of(figures, rng) for figures in (GYROSCOPE, ACCELEROMETER, ALL)]
    count = rng.integers(2, 4)
    return ImuSpec(*triads[:count], warm_up_time=rng.choice([0.0, 0.3]))


def facts(m, run=False):
    """All that a measurement says of its one capture."""
    found = [m.values, m.response.values, m.bias.values, m.truth.values, m.covariance]
    return [fact[0] for fact in found] if run else found


def same(one, other) -> bool:
    """Whether they are equal to the bit, but for the sign of zero."""
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


def inputs_of(rng, count, sensors, odd):
    truth = rng.normal(0.0, 3.0, (count, sensors, 3)) * rng.choice([0.0, 1.0, 30.0])
    if len(odd):
        places = rng.random(truth.shape) < 0.1
        truth[places] = rng.choice(odd, places.sum())
    temperature = [
        [None] * count,
        [40.0] * count,
        rng.uniform(-60.0, 80.0, count).tolist(),
        np.repeat([30.0, 31.0, 30.0], [count // 3, count // 3, count - 2 * (count // 3)]).tolist(),
    ][rng.integers(4)]
    steps = rng.choice([0.01, 0.0025, 0.2], count) if rng.random() < 0.5 else np.full(count, 0.01)
    return truth, temperature, steps.tolist()


def compare(rng, spec, odd=(), count=14, **model):
    """Step one model and run the other one capture at a time; return whether lean was in use."""
    one, other = ImuModel(spec, 5, **model), ImuModel(spec, 5, **model)
    sensors = len(spec.triads())
    used = False
    for k, (truth, temperature, dt) in enumerate(
        zip(*inputs_of(rng, count, sensors, odd), strict=True)
    ):
        field = truth[2] if sensors == 3 else None
        m = one.step(dt, truth[0], truth[1], temperature, field)
        used |= one._path._lean is not None
        given = None if temperature is None else [temperature]
        block = other.run([dt], truth[0], truth[1], given, field)
        # What it is made of takes a run again as long.
        assert np.array_equal(m.values, block.values[0], equal_nan=True), (k, spec)
        if k % 4 == 3:
            assert same(facts(m), facts(block, run=True)), (k, spec)
        if k % 5 == 4:
            for each in (one, other):
                each.skip(0.3) if k == 9 else each.restore(json.loads(json.dumps(each.state())))
    return used


@pytest.mark.parametrize("part", range(4))
def test_random_specs(part):
    rng = np.random.default_rng(part)
    used = sum(compare(rng, random_spec(rng)) for _ in range(50))
    assert used > 40


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("part", range(2))
def test_odd_inputs(part):
    rng = np.random.default_rng(100 + part)
    numbers = [0.0, -0.0, 1e150, -1e150, 1e-200, 5e-324]
    used = sum(compare(rng, random_spec(rng), numbers) for _ in range(25))
    # What is infinite or missing stays in what a filter remembers.
    for _ in range(25):
        triads = [
            replace(t, bandwidth=0.0, vibration_rectification=0.0)
            for t in random_spec(rng).triads().values()
        ]
        used += compare(rng, ImuSpec(*triads), [np.inf, -np.inf, np.nan])
    assert used > 40


@pytest.mark.parametrize("names", SWITCHES, ids=lambda names: names[0])
def test_each_effect_alone(names):
    rng = np.random.default_rng(7)
    used = False
    for _ in range(3):
        triads = [
            TriadSpec(range=100.0, **{n: figures[n] for n in names if n in figures})
            for figures in (GYROSCOPE, ACCELEROMETER, ALL)
        ]
        used |= compare(rng, ImuSpec(*triads))
    plain = names[0] in (*[n[0] for n in SWITCHES[12:]], "scale_factor_stddev")
    assert used or plain


def test_with_faults():
    faults = [
        Fault("bias", "gyroscope", magnitude=0.5, start=0.03, duration=0.02),
        Fault("stuck", "accelerometer", start=0.08, duration=0.02),
        Fault("intermittent", magnitude=0.5, mtbf=0.1, duration=0.02),
    ]
    rng = np.random.default_rng(8)
    assert sum(compare(rng, random_spec(rng), count=30, faults=faults) for _ in range(10)) > 8


def test_halves_go_to_the_even_step_and_huge_numbers_stay():
    spec = ImuSpec(TriadSpec(resolution=0.25), TriadSpec(scale_factor=0.5))
    halves = np.array([-0.625, -0.375, -0.125, 0.125, 0.375, 0.625, 0.875, 1.125])
    huge = np.outer([1.0, -1.0], 2.0 ** np.arange(40, 56) + 1.0).ravel() * 0.25 + 0.125
    model, other = ImuModel(spec), ImuModel(spec)
    model.step(0.01, 0.0, 0.0)
    assert model._path._lean is not None
    for number in (*halves, *huge):
        found = model.step(0.01, number, 0.0).angular_velocity
        assert np.array_equal(found, other.run([0.01], number, 0.0).angular_velocity[0])
    found = [model.step(0.01, half, 0.0).values[0] for half in halves]
    assert found == [-0.5, -0.5, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0]


def test_a_long_steady_stream_and_its_state():
    spec, rng = whole(), np.random.default_rng(9)
    one, other = ImuModel(spec, 1), ImuModel(spec, 1)
    truth = rng.normal(size=(3, 300, 3))
    found = [one.step(0.01, *truth[:2, k], 40.0, truth[2, k]).values for k in range(300)]
    expected = other.run(np.full(300, 0.01), truth[0], truth[1], 40.0, truth[2]).values
    assert np.array_equal(found, expected)
    assert one._path._lean is not None
    assert json.dumps(one.state()) == json.dumps(other.state())


def test_it_does_not_stand_in_where_it_cannot():
    class Nothing(Stateless):
        def apply(self, block, dt, context):
            return block

    for model in (
        ImuModel(whole(), batch=(1,)),
        ImuModel(whole(), extra_stages=[Nothing()]),
        ImuModel(ImuSpec(TriadSpec(noise_density=0.1))),
    ):
        field = None if model.covariance and len(model.theory._figures.sensors) == 2 else 0.0
        for _ in range(3):
            model.step(0.01, 0.0, 0.0, None, field)
        assert model._path._lean is None


def test_what_a_user_writes_to_a_measurement_does_not_come_back():
    models = [ImuModel(whole(), 2, faults=[Fault("stuck", start=0.025)]) for _ in range(2)]
    for k in range(6):
        one, other = (model.step(0.01, 1.0, 2.0, 30.0, 3.0) for model in models)
        assert np.array_equal(one.values, other.values), k
        for channels in (one, one.response, one.bias, one.truth):
            channels.values[...] = 1e6
