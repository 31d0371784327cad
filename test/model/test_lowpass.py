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

"""The signal behind its bandwidth, against SciPy's exact discretisation of 1/(1 + tau s)."""

from __future__ import annotations

import json

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.lowpass import LowPass

signal = pytest.importorskip("scipy.signal")

CUTOFF = np.array([30.0, 0.5, 0.0, 200.0, 5.0, 0.0])
UNEVEN = np.random.default_rng(1).uniform(1e-4, 0.2, 50)


def fed(stage, block, dt):
    return stage.apply(block.copy(), dt, None)


def by_scipy(block, dt, cutoff):
    """Response that holds each input for `dt` [s], of a filter settled at the first one."""
    tau = 1.0 / (2.0 * np.pi * cutoff)
    b, a, _ = signal.cont2discrete(([1.0], [tau, 1.0]), dt, "zoh")
    start = signal.lfiltic(b.ravel(), a, y=[block[0]], x=[block[0]])
    # SciPy's input acts from the next sample on; ours is the mean over the interval that ends.
    shifted = np.append(block, 0.0)
    return signal.lfilter(b.ravel(), a, shifted, zi=start)[0][1:]


@pytest.mark.parametrize("dt", [1e-4, 0.01, 3.0])
@pytest.mark.parametrize("count", [1, 40, 100])
def test_it_is_scipys_exact_discretisation(dt, count, batch, recursion):
    block = np.random.default_rng(2).normal(size=(count, *batch, 6))
    found = fed(LowPass(CUTOFF, batch), block, dt)
    lanes = block.reshape(count, -1, 6)
    for axis, cutoff in enumerate(CUTOFF):
        for lane, output in zip(
            lanes[..., axis].T, found.reshape(count, -1, 6)[..., axis].T, strict=True
        ):
            expected = by_scipy(lane, dt, cutoff) if cutoff else lane
            np.testing.assert_allclose(output, expected, rtol=1e-12, atol=1e-14)


def test_a_step_is_answered_by_an_exponential_however_it_is_cut():
    # From 1 to 3: 3 - 2 exp(-t/tau) with tau = 1/(2 pi f_c).
    stage = LowPass(CUTOFF, ())
    fed(stage, np.ones((1, 6)), 0.3)
    rate = 2.0 * np.pi * CUTOFF
    now = 0.0
    for dt in UNEVEN:
        now += dt
        found = fed(stage, np.full((1, 6), 3.0), float(dt))[0]
        expected = np.where(CUTOFF > 0.0, 3.0 - 2.0 * np.exp(-rate * now), 3.0)
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_at_its_bandwidth_an_oscillation_loses_three_decibels():
    # Held for 1/2000 of a period; the last of 20 periods, behind by 45 degrees.
    times = np.arange(1, 40_001) / 2000.0 / 5.0
    block = np.sin(2.0 * np.pi * 5.0 * (times - 0.5e-4))[:, None] * np.ones(6)
    found = fed(LowPass(np.full(6, 5.0), ()), block, 1e-4)[-2000:, 0]
    expected = np.sqrt(0.5) * np.sin(2.0 * np.pi * 5.0 * times[-2000:] - np.pi / 4.0)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_run_begins_settled_and_a_gap_settles_it_anew(batch):
    stage = LowPass(CUTOFF, batch)
    first, second, third = np.random.default_rng(3).normal(size=(3, 1, *batch, 6))
    np.testing.assert_allclose(fed(stage, first, 0.01), first, rtol=1e-14)
    keep = np.exp(-0.01 * np.where(CUTOFF > 0.0, 2.0 * np.pi * CUTOFF, np.inf))
    np.testing.assert_allclose(fed(stage, second, 0.01), second + keep * (first - second))
    stage.skip(1e-6)
    np.testing.assert_allclose(fed(stage, third, 0.01), third, rtol=1e-14)
    stage.reset()
    np.testing.assert_allclose(fed(stage, first, 0.01), first, rtol=1e-14)


def test_a_reset_of_some_leaves_the_others():
    stage, other = LowPass(CUTOFF, (3,)), LowPass(CUTOFF, (3,))
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=(2, 5, 3, 6))
    for one in (stage, other):
        fed(one, first, 0.01)
    stage.reset(np.array([True, False, False]))
    found, expected = fed(stage, second, 0.01), fed(other, second, 0.01)
    assert np.array_equal(found[:, 1:], expected[:, 1:])
    np.testing.assert_allclose(found[:, 0], fed(LowPass(CUTOFF, ()), second[:, 0], 0.01))


def test_a_state_goes_through_json_before_and_after_the_first_capture():
    block = np.random.default_rng(5).normal(size=(6, 2, 6))
    for count in (0, 1, 5):
        stage, other = LowPass(CUTOFF, (2,)), LowPass(CUTOFF, (2,))
        if count:
            fed(stage, block[:count], 0.02)
        fed(other, block[::-1], 0.3)
        other.restore(json.loads(json.dumps(stage.state(), allow_nan=False)))
        assert np.array_equal(fed(other, block, 0.01), fed(stage, block, 0.01))


def test_what_a_user_writes_to_a_response_does_not_come_back():
    triad = TriadSpec(bandwidth=1.0)
    models = [ImuModel(ImuSpec(triad, triad), batch=(2,)) for _ in range(2)]
    for model in models:
        model.step(0.01, 1.0, 1.0)
    models[0].step(0.01, 2.0, 2.0).response.values[...] = 1e6
    models[1].step(0.01, 2.0, 2.0)
    found = [model.step(0.01, 3.0, 3.0).values for model in models]
    assert np.array_equal(*found)
