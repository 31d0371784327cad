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

"""Randomness: what is drawn once per run, and that no effect moves the draws of another.

Statistical bounds have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from model_statistics import Z, assert_covariance, assert_variance
from signal_specs import ALL, inputs, whole

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.draws import RUN_EFFECTS, draw_run
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.spec import SENSORS
from imu_noise_node.model.streams import Streams

EFFECTS = {
    "white": {"noise_density": 0.0},
    "random_walk": {"random_walk": 0.0},
    "gauss_markov": {"bias_stddev": 0.0},
    "flicker": {"bias_instability": 0.0},
    "band_limited": {"bandwidth": 0.0},
    "turn_on_bias": {"turn_on_bias_stddev": 0.0},
    "scale_factor": {"scale_factor_stddev": 0.0},
    "misalignment": {"misalignment_stddev": 0.0},
}
"""What switches each random effect off."""

STEPS = np.repeat([0.01, 0.2, 0.01], [40, 2, 30])


def driven(spec, batch=(), seed=3, steps=STEPS, **model):
    found = ImuModel(spec, seed, batch, **model)
    (rate, force, field), temperature, _ = inputs(steps, batch, "ramp")
    m = found.run(steps, rate, force, temperature, field)
    return found, m


def test_a_run_draws_standard_normals_of_its_own_for_each_sensor_effect_and_axis(batch):
    found = draw_run(Streams(1), SENSORS, batch)
    assert found.shape == (len(RUN_EFFECTS), *batch, 9)
    assert len(np.unique(found)) == found.size
    # Two sensors draw what they draw beside a third.
    assert np.array_equal(draw_run(Streams(1), SENSORS[:2], batch), found[..., :6])


def test_each_is_the_beginning_of_the_stream_of_its_name(batch):
    found = draw_run(Streams(7), SENSORS, batch)
    for row, effect in enumerate(RUN_EFFECTS):
        for i, sensor in enumerate(SENSORS):
            first = Streams(7).generator(f"{sensor}/{effect}").standard_normal((*batch, 3))
            assert np.array_equal(found[row, ..., 3 * i : 3 * i + 3], first)


def test_each_scales_the_error_of_its_name():
    triad = TriadSpec(turn_on_bias_stddev=0.1, scale_factor_stddev=0.01, misalignment_stddev=1e-4)
    model = ImuModel(ImuSpec(triad, triad, triad), 7, (5,))
    turn_on, scale, turn = np.array(model.state()["draws"])
    still = model.step(0.01, 0.0, 0.0, None, 0.0)
    np.testing.assert_allclose(still.values, 0.1 * turn_on, rtol=1e-14)
    along_x = model.step(0.01, [1, 0, 0], [1, 0, 0], None, [1, 0, 0]).response.values
    np.testing.assert_allclose(along_x[:, ::3], 1.0 + 0.01 * scale[:, ::3], rtol=1e-6)
    # R^T x = x - delta x x, and y reads minus what a turn about z takes from x.
    expected = -1e-4 * turn[:, 2::3] * along_x[:, ::3]
    np.testing.assert_allclose(along_x[:, 1::3], expected, atol=1e-7)


def test_they_are_standard_normal_and_independent():
    # 27 columns of 20000: variance 6.1 %, means and correlations 4.3 % of a deviation. The fourth
    # moment of all: 3 with deviation sqrt(96/540000), bound 0.08; of a uniform law it is 1.8.
    columns = draw_run(Streams(2), SENSORS, (20_000,)).swapaxes(0, 1).reshape(20_000, 27)
    assert abs(np.mean(columns**4) - 3.0) < Z * np.sqrt(96.0 / columns.size)
    for i in range(27):
        assert_variance(columns[:, i], 1.0)
        assert abs(columns[:, i].mean()) < Z / 20_000**0.5
        for j in range(i):
            assert_covariance(columns[:, i], columns[:, j], 0.0, (1.0, 1.0))


def test_turn_on_biases_have_their_sigma():
    # 10000 for each of nine axes, variance within 8.6 %.
    sigma = np.array([0.1, 0.2, 0.5])
    triad = TriadSpec(turn_on_bias_stddev=sigma, constant_bias=1.0)
    model = ImuModel(ImuSpec(triad, triad, triad), 4, (10_000,))
    m = model.step(0.01, 0.0, 0.0, None, 0.0)
    for axis, s in enumerate(np.tile(sigma, 3)):
        assert_variance(m.values[:, axis] - 1.0, s**2)
    assert np.array_equal(model.step(5.0, 0.0, 0.0, None, 0.0).values, m.values)
    assert np.array_equal(m.bias.values, m.values)


@pytest.mark.parametrize("sensor", range(3))
def test_switching_an_effect_off_moves_no_draw_of_another(sensor, batch):
    # The generators' positions are all that the draws depend on but for seed and name.
    everything, m = driven(whole(), batch)
    state = everything.state()
    triads = list(whole().triads().values())
    for effect, off in EFFECTS.items():
        some = [replace(t, **off) if i == sensor else t for i, t in enumerate(triads)]
        model, other = driven(ImuSpec(*some, warm_up_time=3.0), batch)
        found = model.state()
        names = found["streams"].keys() & state["streams"].keys()
        assert len(names) >= len(state["streams"]) - 2
        for name in names:
            assert found["streams"][name] == state["streams"][name], (effect, name)
        assert found["draws"] == state["draws"]
        # The other sensors measure the same; by a shorter table of processes, to rounding.
        rest = np.delete(np.arange(9), range(3 * sensor, 3 * sensor + 3))
        if effect not in ("scale_factor", "misalignment"):
            np.testing.assert_allclose(
                other.values[..., rest], m.values[..., rest], rtol=1e-9, atol=1.1e-3
            )
        assert not np.array_equal(other.values, m.values), effect


def test_switching_a_fault_on_moves_no_draw():
    _, m = driven(whole())
    _, other = driven(whole(), faults=[Fault("total", "gyroscope", mtbf=0.5, duration=0.1)])
    lost = np.isnan(other.values)
    assert 0 < lost.sum() < lost[:, :3].size
    assert np.array_equal(other.values[~lost], m.values[~lost])
    assert np.array_equal(other.bias.values, m.bias.values)


@pytest.mark.parametrize("effect", list(EFFECTS)[:5])
def test_the_parts_that_stay_are_the_same_numbers(effect, batch):
    # Noise off or on: the response stays to the bit, and so does every once-drawn error.
    _, m = driven(whole(), batch)
    _, other = driven(whole(**EFFECTS[effect]), batch)
    if effect != "band_limited":
        assert np.array_equal(other.response.values, m.response.values)
    assert np.array_equal(other.truth.values, m.truth.values)


def test_an_effect_switched_on_in_mid_run_finds_the_draw_it_would_have_had(batch):
    off = {f"{name}_stddev": 0.0 for name in RUN_EFFECTS}
    # Without bandwidth, or the response would remember what was before.
    late, _ = driven(whole(bandwidth=0.0, **off), batch)
    early, _ = driven(whole(bandwidth=0.0), batch)
    late.retune(whole(bandwidth=0.0))
    found, expected = (m.run([0.1, 0.1], 1.0, 2.0, 30.0, 3.0) for m in (late, early))
    assert np.array_equal(found.values, expected.values)


def test_seeds_are_runs_of_their_own():
    # All the numbers of a thousand seeds, noise and once-drawn errors, are distinct.
    spec = ImuSpec(*(TriadSpec(noise_density=1.0) for _ in range(3)))
    models = [ImuModel(spec, seed) for seed in range(1000)]
    noise = np.array([model.step(1.0, 0.0, 0.0, None, 0.0).values for model in models])
    draws = np.array([model.state()["draws"] for model in models])
    assert len(np.unique(noise)) == noise.size
    assert len(np.unique(draws)) == draws.size


def test_a_seed_is_a_run_and_a_reset_repeats_it(batch):
    model, m = driven(whole(), batch)
    assert np.array_equal(driven(whole(), batch)[1].values, m.values)
    assert not np.isin(driven(whole(resolution=0.0), batch, 4)[1].bias.values, m.bias.values).any()
    (rate, force, field), temperature, _ = inputs(STEPS, batch, "ramp")
    model.reset()
    assert np.array_equal(model.run(STEPS, rate, force, temperature, field).values, m.values)


def test_sensors_and_members_share_no_number():
    # With the same figures in all of them: 40000 numbers, all distinct, all pairs uncorrelated.
    figures = {**ALL, "range": 0.0, "nonlinearity": 0.0, "resolution": 0.0, "noise_density": 0.1}
    figures = {**figures, "bandwidth": 0.0, "constant_bias": 0.0, "scale_factor": 0.0}
    triad = TriadSpec(**figures)
    model = ImuModel(ImuSpec(triad, triad, triad), 5, (4,))
    m = model.run(np.full(1000, 0.01), 0.0, 0.0, None, 0.0)
    assert len(np.unique(m.values)) == m.values.size
    white = (m.values - m.bias.values) / np.sqrt(np.diag(m.covariance[0, 0]))
    lanes = white.reshape(1000, 36)
    for i, j in itertools.combinations(range(36), 2):
        assert_covariance(lanes[:, i], lanes[:, j], 0.0, (1.0, 1.0))


def test_members_begun_anew_draw_anew_and_the_others_keep_theirs():
    model, _ = driven(whole(), (4,))
    where = np.array([True, False, True, False])
    before = np.array(model.state()["draws"])
    model.reset(where)
    after = np.array(model.state()["draws"])
    assert np.array_equal(after[:, ~where], before[:, ~where])
    assert not np.isin(after[:, where], before).any()
