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

"""All stages together: the same bits however captures are cut, and the covariance published.

Statistical bounds have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from model_specs import CORRELATED
from model_statistics import assert_covariance, assert_uncorrelated, assert_variance
from signal_specs import ALL, inputs, members_of, whole

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec

STEPS = np.concatenate(
    [
        np.repeat([0.01, 0.0025, 0.003, 0.01, 0.4], [35, 70, 1, 1, 3]),
        np.random.default_rng(0).uniform(0.001, 0.02, 10),
    ]
)
TEMPERATURES = [None, "number", "ramp", "members", "ramp of members"]


def facts(m):
    return [m.values, m.truth.values, m.response.values, m.bias.values]


def run(model, kind=None, part=slice(None), steps=STEPS):
    """What a run over a part of the captures gives."""
    (rate, force, field), temperature, each = inputs(steps, model.batch, kind)
    if kind in ("ramp", "ramp of members"):
        temperature = np.array(each)[part]
        if kind == "ramp" and len(temperature) == 1:
            temperature = float(temperature[0])
    return facts(model.run(steps[part], rate[part], force[part], temperature, field[part]))


def step(model, kind=None, part=slice(None), steps=STEPS):
    """The same, step by step."""
    (rate, force, field), _, each = inputs(steps, model.batch, kind)
    found = [
        facts(model.step(float(steps[k]), rate[k], force[k], each[k], field[k]))
        for k in range(len(steps))[part]
    ]
    return [np.array(parts) for parts in zip(*found, strict=True)]


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.fixture(params=["one sensor for all", "each its own"])
def sensors(request, batch):
    return whole() if request.param == "one sensor for all" else members_of(batch)


@pytest.mark.parametrize("kind", TEMPERATURES)
def test_steps_and_runs_give_the_same_bits(kind, sensors, batch):
    one, other = (ImuModel(sensors, 3, batch) for _ in range(2))
    for _ in range(2):
        assert same(run(one, kind), step(other, kind))
        for model in (one, other):
            model.skip(1.5)


@pytest.mark.parametrize("kind", TEMPERATURES)
def test_blocks_of_any_length_give_the_same_bits(kind, sensors, batch):
    expected = run(ImuModel(sensors, 3, batch), kind)
    for cuts in ([5, 30, 31, 95, 106, 107, 115], range(1, 120)):
        if len(cuts) > 9 and (batch or kind != "ramp"):
            continue
        model = ImuModel(sensors, 3, batch)
        edges = [0, *cuts, 120]
        parts = [run(model, kind, slice(a, b)) for a, b in itertools.pairwise(edges)]
        assert same([np.concatenate(fact) for fact in zip(*parts, strict=True)], expected)


@pytest.mark.parametrize("ahead", [run, step])
def test_a_state_goes_through_json_in_mid_run(ahead, sensors, batch):
    kind = "ramp"
    expected = run(ImuModel(sensors, 3, batch), kind)
    for place in (1, 60, 110):
        one, other = ImuModel(sensors, 3, batch), ImuModel(sensors, 99, batch)
        ahead(one, kind, slice(0, place))
        run(other, "members")
        saved = json.loads(json.dumps(one.state(), allow_nan=False))
        other.restore(saved)
        rest = [fact[place:] for fact in expected]
        assert same(ahead(other, kind, slice(place, None)), rest)
        assert same(run(one, kind, slice(place, None)), rest)


@pytest.mark.parametrize("ahead", [run, step])
def test_a_reset_repeats_all(ahead, sensors, batch):
    model = ImuModel(sensors, 3, batch)
    expected = ahead(model, "ramp")
    model.reset()
    assert same(step(model, "ramp"), expected)


def test_a_reset_of_some_leaves_the_others(sensors, batch):
    one, other = (ImuModel(sensors, 3, batch) for _ in range(2))
    expected = run(one, "ramp")
    part = slice(0, 60)
    step(other, "ramp", part)
    where = np.arange(int(np.prod(batch))).reshape(batch) % 2 == 0
    other.reset(where)
    found = run(other, "ramp", slice(60, None))
    for fact, whole_fact in zip(found, expected, strict=True):
        assert np.array_equal(fact[:, ~where], whole_fact[60:, ~where])
    assert (found[0][:, where][..., :3] != expected[0][60:, where][..., :3]).any()
    # Those begun anew are at the reference temperature and settled: first response by hand.
    fresh = ImuModel(sensors, 3, batch)
    fresh.restore({**fresh.state(), "draws": other.state()["draws"]})
    again = run(fresh, "ramp", slice(60, None))
    assert np.array_equal(found[2][:, where], again[2][:, where])


def test_new_figures_keep_states_and_draws(sensors, batch):
    # To the same and back again changes no bit; the states of what stays on are kept.
    expected = run(ImuModel(sensors, 3, batch), "number")
    model = ImuModel(sensors, 3, batch)
    for a, b in ((0, 30), (30, 61), (61, 120)):
        found = step(model, "number", slice(a, b))
        assert same(found, [fact[a:b] for fact in expected])
        model.retune(sensors)


@pytest.mark.parametrize(
    "off",
    [
        {"scale_factor_stddev": 0.0},
        {"misalignment_stddev": 0.0},
        {"nonlinearity": 0.0},
        {"temperature_noise": 0.0, "temperature_bias": 0.0, "temperature_scale_factor": 0.0},
        {"turn_on_bias_stddev": 0.0},
        {"resolution": 0.0},
    ],
    ids=lambda off: next(iter(off)),
)
def test_an_effect_without_memory_that_goes_and_comes_back_leaves_no_trace(off, batch):
    # The filter remembers, and so does the warm-up; they are out of the way.
    on, off = (whole(warm_up_time=0.0, **{"bandwidth": 0.0, **c}) for c in ({}, off))
    expected = run(ImuModel(on, 3, batch), "number")
    model = ImuModel(on, 3, batch)
    step(model, "number", slice(0, 30))
    model.retune(off)
    without = run(model, "number", slice(30, 60))
    model.retune(on)
    found = run(model, "number", slice(60, None))
    assert same(found, [fact[60:] for fact in expected])
    assert not np.array_equal(without[0], expected[0][30:60])


def test_a_bandwidth_that_comes_in_mid_run_begins_settled(batch):
    model = ImuModel(whole(bandwidth=0.0), 3, batch)
    run(model, None, slice(0, 30))
    free = ImuModel(whole(bandwidth=0.0), 3, batch)
    run(free, None, slice(0, 30))
    model.retune(whole())
    found, expected = (run(m, None, slice(30, 31))[2] for m in (model, free))
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("ahead", [run, step])
def test_after_a_gap_the_filter_begins_settled(ahead, batch):
    found = []
    for spec in (whole(), whole(bandwidth=0.0)):
        model = ImuModel(spec, 3, batch)
        ahead(model, "number", slice(0, 30))
        model.skip(1e-3)
        found.append(ahead(model, "number", slice(30, 31))[2])
    np.testing.assert_allclose(*found, rtol=1e-12)


def test_new_figures_for_some_leave_the_others(batch):
    one, other = (ImuModel(members_of(batch), 3, batch) for _ in range(2))
    where = np.arange(int(np.prod(batch))).reshape(batch) % 2 == 0
    run(one, "number", slice(0, 60))
    step(other, "number", slice(0, 60))
    other.retune(whole(scale_factor=0.3, constant_bias=7.0), where)
    found, expected = (run(m, "number", slice(60, None)) for m in (other, one))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a[:, ~where], b[:, ~where], rtol=1e-9, atol=1e-12)
    assert (np.abs(found[3] - expected[3])[:, where] > 5.0).all()
    with pytest.raises(ParameterError, match="warm_up_time"):
        other.retune(whole(warm_up_time=9.0), where)


@pytest.mark.parametrize("kind", ["sample", "total"])
def test_covariances_are_the_same_by_steps_and_by_runs(kind, sensors, batch):
    one, other = (ImuModel(sensors, 3, batch, kind) for _ in range(2))
    truth, temperature, each = inputs(STEPS, batch, "ramp")
    found = one.run(STEPS, truth[0], truth[1], temperature, truth[2]).covariance
    for k, dt in enumerate(STEPS.tolist()):
        m = other.step(dt, truth[0, k], truth[1, k], each[k], truth[2, k])
        np.testing.assert_allclose(
            *np.broadcast_arrays(found[k], m.covariance), rtol=1e-13, atol=1e-30
        )


def uneven(count):
    return np.random.default_rng(1).uniform(0.002, 0.03, count)


@pytest.mark.parametrize("correlated", [True, False])
@pytest.mark.parametrize("steady", [True, False])
def test_what_is_left_over_is_what_the_covariance_says(correlated, steady):
    """(measured - response - bias), whitened: 9 x 30 x 1000 normals, variance within 1.7 %.

    All stages on, uneven intervals, a temperature that rises by 70 degrees; bounds 1e-9 each.
    Resolution of one sigma of the noise: its rounding counts as R^2/12.
    """
    changes = {"range": 1e3, "noise_density": 0.02, "resolution": 0.15, "bandwidth": [0, 30.0, 0]}
    spec = whole(warm_up_time=1.0, **changes)
    if correlated:
        figures = {**ALL, **changes, "bandwidth": 0.0, "noise_covariance": 100.0 * CORRELATED}
        figures.pop("noise_density")
        spec = replace(spec, gyroscope=TriadSpec(**figures))
    # Slower than the filter, whose noise is correlated in time else.
    steps = uneven(1000) + 0.012 if not steady else np.full(1000, 0.02)
    model = ImuModel(spec, 4, (30,))
    truth, temperature, _ = inputs(steps, (30,), "ramp")
    m = model.run(steps, truth[0], truth[1], temperature, truth[2])
    left = m.values - m.response.values - m.bias.values
    inverse = np.linalg.inv(np.linalg.cholesky(m.covariance))
    white = (inverse @ left[..., None])[..., 0]
    assert_variance(white, 1.0)
    for axis in range(9):
        assert_variance(white[..., axis], 1.0)
        assert_covariance(white[..., axis], white[..., axis - 1], 0.0, (1.0, 1.0))
    # Cold and warm alike.
    assert_variance(white[:200], 1.0)
    assert_variance(white[-200:], 1.0)
    assert_uncorrelated(white)


def test_every_member_of_another_kind_is_as_its_covariance_says():
    # 3000 sensors: 27000 values, variance within 5.2 %.
    spec = members_of((3000,), 2)
    spec = ImuSpec(
        *(replace(t, range=0.0, nonlinearity=0.0, resolution=0.0) for t in spec.triads().values())
    )
    model = ImuModel(spec, 6, (3000,))
    for dt in (0.01, 0.002, 0.3):
        m = model.step(dt, 1.0, 2.0, 60.0, 3.0)
        left = m.values - m.response.values - m.bias.values
        variance = np.diagonal(m.covariance, axis1=-2, axis2=-1)
        noisy = np.broadcast_to(variance > 0.0, left.shape)
        assert noisy.all()
        assert_variance(left, variance)
