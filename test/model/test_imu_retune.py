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

"""New figures for a running sensor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from model_runs import INTERVALS, drive, same
from model_specs import ALL_ON, SPECS

from imu_noise_node import ImuModel, ImuSpec, TriadSpec

STEADY = INTERVALS["constant"][:60]
EPSILON = 1e-9
"""An interval [s] so short that no process moves: its bias is the state."""


def both(**figures) -> ImuSpec:
    return ImuSpec(TriadSpec(**figures), TriadSpec(**figures))


def changed(spec: ImuSpec, **figures) -> ImuSpec:
    return ImuSpec(replace(spec.gyroscope, **figures), replace(spec.accelerometer, **figures))


def every_other(batch):
    return np.arange(int(np.prod(batch))).reshape(batch) % 2 == 0


def bias_of(model):
    return model.step(EPSILON, 0.0, 0.0).bias.values


@pytest.mark.parametrize("calls", ["steps", "mixture"])
def test_the_same_figures_change_no_bit(spec, batch, calls):
    expected = drive(ImuModel(spec, 5, batch), STEADY)
    model = ImuModel(spec, 5, batch)
    for first, last in [(0, 7), (7, 20), (20, 60)]:
        found = drive(model, STEADY, calls, first, last)
        assert same(found, [fact[first:last] for fact in expected])
        model.retune(spec)


@pytest.mark.parametrize(
    "figures",
    [
        {"noise_density": 0.5},
        {"random_walk": 0.5},
        {"bias_stddev": 0.7},
        {"bias_correlation_time": 11.0},
        {"bias_instability": 0.9},
        {"range": 100.0, "resolution": 0.5},
    ],
)
def test_a_resized_effect_makes_no_bias_jump(full, batch, figures):
    model = ImuModel(full, 5, batch)
    drive(model, STEADY)
    before = bias_of(model)
    model.retune(changed(full, **figures))
    # Between the two, one interval of 1e-9 s passes: a walk of 0.01 takes a step of 3e-7.
    np.testing.assert_allclose(bias_of(model), before, atol=1e-4)


def test_a_turn_on_bias_keeps_its_draw_and_scales(batch):
    model = ImuModel(both(turn_on_bias_stddev=0.1), 5, batch)
    before = bias_of(model)
    model.retune(both(turn_on_bias_stddev=0.3, constant_bias=1.0))
    np.testing.assert_allclose(bias_of(model), 1.0 + 3.0 * before, rtol=1e-12)


def test_an_effect_switched_off_is_gone_and_the_others_stay(full, batch):
    model = ImuModel(full, 5, batch)
    drive(model, STEADY)
    off = {"random_walk": 0.0, "bias_stddev": 0.0, "bias_instability": 0.0}
    model.retune(changed(full, **off))
    fixed = bias_of(model)
    model.reset()
    assert np.array_equal(bias_of(model), fixed)


def test_an_effect_switched_on_begins_as_after_a_reset(full, batch):
    model = ImuModel(changed(full, bias_instability=0.0), 5, batch)
    other = ImuModel(full, 5, batch)
    drive(model, STEADY)
    before = bias_of(model)
    model.retune(full)
    quiet = changed(full, random_walk=0.0, bias_stddev=0.0, bias_instability=0.0)
    silent = ImuModel(changed(quiet, bias_instability=0.03), 5, batch)
    fixed = bias_of(ImuModel(quiet, 5, batch))
    np.testing.assert_allclose(bias_of(model) - before, bias_of(silent) - fixed, atol=1e-4)
    assert other.theory


SLOW = {
    "white": {"noise_stddev": 0.1},
    "random_walk": {"random_walk": 1e-3},
    "gauss_markov": {"bias_stddev": 0.02, "bias_correlation_time": 1000.0},
    "flicker": {"bias_instability": 0.02, "bias_instability_band": [3e4, 1e6]},
    "turn_on_bias": {"turn_on_bias_stddev": 0.5},
}
"""Processes so slow that what they leave to the white noise, 1e-4 at most, is seen as none."""


@pytest.mark.parametrize("name", SLOW)
def test_switching_an_effect_on_or_off_moves_no_draw_of_the_others(batch, name):
    rest = {k: v for n, figures in SLOW.items() if n != name for k, v in figures.items()}
    alone, others, all_on = (
        drive(ImuModel(both(**figures), 5, batch), STEADY)
        for figures in (SLOW[name], rest, {**rest, **SLOW[name]})
    )
    noise = [values - truth for values, truth, _, _ in (alone, others, all_on)]
    np.testing.assert_allclose(noise[2], noise[0] + noise[1], atol=2e-4)
    np.testing.assert_allclose(all_on[2], alone[2] + others[2], atol=1e-13)


@pytest.mark.parametrize("name", SLOW)
def test_resizing_an_effect_scales_its_draws_alone(batch, name):
    every = {k: v for figures in SLOW.values() for k, v in figures.items()}
    size = next(iter(SLOW[name]))
    one, two, three = (
        drive(ImuModel(both(**{**every, size: factor * every[size]}), 5, batch), STEADY)
        for factor in (1.0, 2.0, 3.0)
    )
    np.testing.assert_allclose(three[0] - two[0], two[0] - one[0], atol=2e-4)
    np.testing.assert_allclose(three[2] - two[2], two[2] - one[2], atol=1e-13)
    assert np.abs(two[0] - one[0]).max() > 5e-4


def test_new_figures_for_some_leave_the_others(full, batch):
    # Their law comes from the closed forms now instead of the table: roundings differ.
    smaller = replace(full, accelerometer=TriadSpec(noise_density=0.02, **ALL_ON))
    expected = drive(ImuModel(smaller, 5, batch), STEADY)
    model = ImuModel(smaller, 5, batch)
    drive(model, STEADY, last=20)
    where = every_other(batch)
    model.retune(changed(smaller, random_walk=0.5, constant_bias=7.0), where)
    found = drive(model, STEADY, first=20)
    np.testing.assert_allclose(found[0][:, ~where], expected[0][20:, ~where], rtol=1e-11)
    assert (np.abs(found[2][:, where] - expected[2][20:, where]) > 3.0).all()


def test_new_figures_for_all_one_by_one_are_new_figures_for_all(full, batch):
    spec = changed(full, random_walk=0.5, noise_density=0.1, resolution=0.0)
    one, other = (ImuModel(full, 5, batch) for _ in range(2))
    one.retune(spec)
    other.retune(spec, every_other(batch))
    other.retune(spec, ~every_other(batch))
    a, b = drive(one, STEADY), drive(other, STEADY)
    np.testing.assert_allclose(a[0], b[0], rtol=1e-11)
    np.testing.assert_allclose(a[2], b[2], rtol=1e-11)


@pytest.mark.parametrize("name", ["perfect", "white", "walk"])
def test_effects_may_be_switched_off_for_every_member(full, batch, name):
    model = ImuModel(full, 5, batch)
    drive(model, STEADY, last=20)
    model.retune(SPECS[name], np.ones(batch, dtype=bool))
    whole = ImuModel(full, 5, batch)
    drive(whole, STEADY, last=20)
    whole.retune(SPECS[name])
    a, b = (drive(m, STEADY, first=20) for m in (model, whole))
    np.testing.assert_allclose(a[0], b[0], rtol=1e-11)


def test_a_reset_after_new_figures_is_a_new_sensor_with_them(full, batch):
    spec = changed(full, random_walk=0.5, bias_instability=0.0)
    model = ImuModel(full, 5, batch)
    drive(model, STEADY, "steps", last=20)
    model.retune(spec)
    model.reset()
    assert same(drive(model, STEADY), drive(ImuModel(spec, 5, batch), STEADY))


def test_a_refused_spec_changes_nothing(full):
    model = ImuModel(full, 5, (3,))
    expected = drive(ImuModel(full, 5, (3,)), STEADY)
    drive(model, STEADY, last=20)
    with pytest.raises(ValueError, match="batch axes"):
        model.retune(both(noise_density=np.ones((4, 3))))
    assert same(drive(model, STEADY, first=20), [fact[20:] for fact in expected])


def test_total_covariance_keeps_what_a_random_walk_has_grown_to():
    """A walk of K over 100 s has variance K^2 100; its new figure only says how it goes on."""
    still = [0.0, 0.0, 0.0]
    model = ImuModel(ImuSpec(TriadSpec(random_walk=1e-3)), covariance="total")
    before = model.run(np.full(100, 1.0), still, still)[99].covariance[0, 0]
    model.retune(ImuSpec(TriadSpec(random_walk=2e-3)))
    after = [model.step(1.0, still, still).covariance[0, 0] for _ in range(2)]
    # Of one sample the walk's own mean over the interval adds K^2/3 to what it was at its start.
    assert before == pytest.approx(1e-6 * (99 + 1 / 3))
    assert after == pytest.approx([1e-6 * 100 + 4e-6 / 3, 1e-6 * 100 + 4e-6 * (1 + 1 / 3)])


def test_a_random_walk_that_begins_in_mid_run_begins_at_zero():
    still = [0.0, 0.0, 0.0]
    model = ImuModel(ImuSpec(TriadSpec(noise_density=1e-3)), covariance="total")
    model.run(np.full(100, 1.0), still, still)
    model.retune(ImuSpec(TriadSpec(random_walk=1e-3)))
    assert model.step(1.0, still, still).covariance[0, 0] == pytest.approx(1e-6 / 3)
