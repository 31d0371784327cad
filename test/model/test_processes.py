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

"""The bank: where its processes start, where they go, and how they hang together."""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import triple
from model_statistics import assert_covariance, assert_variance

from imu_noise_node.model import processes
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.flicker import components
from imu_noise_node.model.processes import Bank
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.model.streams import Streams

SIGMA, TAU, WALK, FLOOR, BAND = 0.5, 0.8, 0.4, 0.6, (0.2, 20.0)
PROCESSES = {
    "random_walk": WALK,
    "bias_stddev": SIGMA,
    "bias_correlation_time": TAU,
    "bias_instability": FLOOR,
    "bias_instability_band": BAND,
}
STATIONARY = np.array([SIGMA, *FLOOR * components(*BAND)[1]])
MEMBERS = 5000
"""With six axes 30000 values: the bound on a variance is 5 %, false alarms 1e-9."""


def bank(batch=(MEMBERS,), seed=1, **figures) -> Bank:
    triad = TriadSpec(**(figures or PROCESSES))
    return Bank(compile_spec(ImuSpec(triad, triad), len(batch)), Streams(seed), batch)


def test_states_have_a_row_per_process(batch):
    assert bank(batch).states.shape == (7, *batch, 6)


def test_a_walk_starts_at_zero_and_the_others_from_their_stationary_law():
    walk, *others = bank().states
    assert not walk.any()
    for states, sigma in zip(others, STATIONARY, strict=True):
        assert_variance(states, sigma**2)


@pytest.mark.parametrize("dt", [0.01, 0.3, 50.0])
def test_the_stationary_law_stays(dt):
    found = bank()
    for _ in range(20):
        found.step(dt)
    for states, sigma in zip(found.states[1:], STATIONARY, strict=True):
        assert_variance(states, sigma**2)


@pytest.mark.parametrize("dt", [0.01, 0.3, 50.0])
def test_a_walk_grows_with_time(dt):
    found = bank()
    for count in range(1, 21):
        found.step(dt)
        if count in (1, 20):
            assert_variance(found.states[0], WALK**2 * count * dt)


@pytest.mark.parametrize("dt", [0.01, 0.3, 2.0])
def test_a_process_forgets_exponentially(dt):
    found = bank(bias_stddev=SIGMA, bias_correlation_time=TAU)
    before = found.states[0].copy()
    for _ in range(3):
        found.step(dt)
    expected = SIGMA**2 * np.exp(-3.0 * dt / TAU)
    assert_covariance(before, found.states[0], expected, (SIGMA, SIGMA))


@pytest.mark.parametrize("dt", [0.01, 0.3, 2.0, 50.0])
def test_the_mean_over_the_interval_has_its_joint_law_with_both_ends(dt):
    # Independently of the start: x_end = phi x + w, mean = h x + m.
    found = bank(bias_stddev=SIGMA, bias_correlation_time=TAU)
    expected, q2 = triple(dt, TAU), 2.0 * SIGMA**2 / TAU
    start = found.states[0].copy()
    stretch, place = found.step(dt)
    w = found.states[0] - expected.phi * start
    m = stretch.noise[place] - expected.h * start
    assert_variance(w, q2 * expected.var_w)
    assert_variance(m, q2 * expected.var_m)
    deviations = (q2 * expected.var_w) ** 0.5, (q2 * expected.var_m) ** 0.5
    assert_covariance(w, m, q2 * expected.cov, deviations)
    assert_covariance(w, start, 0.0, (deviations[0], SIGMA))
    assert_covariance(m, start, 0.0, (deviations[1], SIGMA))


def test_processes_and_axes_are_independent():
    # 21 pairs of processes with 30000 products, 15 of axes with 35000; false alarms 1e-9 each.
    found = bank()
    found.step(0.3)
    states = found.states / found.states.std(axis=(1, 2), keepdims=True)
    for flat in (states.reshape(7, -1), states.reshape(-1, 6).T):
        for i in range(len(flat)):
            for j in range(i):
                assert_covariance(flat[i], flat[j], 0.0, (1.0, 1.0))


def test_states_may_be_asked_for_at_any_place(batch):
    asked, silent = bank(batch), bank(batch)
    for k in range(70):
        dt = 0.01 if k % 40 < 30 else 0.02
        asked.step(dt)
        silent.step(dt)
        before = asked.states.copy()
        assert np.array_equal(before, asked.states)
    assert np.array_equal(asked.states, silent.states)


@pytest.mark.parametrize("numbers", [1, 1000, 10**9])
def test_a_run_is_steps_in_stretches_of_any_length(batch, numbers, monkeypatch):
    monkeypatch.setattr(processes, "_NUMBERS_PER_STRETCH", numbers)
    stepping, running = bank(batch), bank(batch)
    steps = [stretch.noise[place] for stretch, place in (stepping.step(0.01) for _ in range(100))]
    run = [stretch.noise for stretch in running.run(0.01, 100)]
    assert np.array_equal(np.concatenate(run), steps)
    assert np.array_equal(stepping.states, running.states)
    assert len(run) == 100 if numbers == 1 else len(run) < 100


def test_another_number_of_processes_is_not_restored():
    with pytest.raises(ValueError, match="reshape"):
        bank(()).restore(np.zeros((3, 6)))
