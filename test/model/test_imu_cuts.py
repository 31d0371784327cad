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

"""The samples are the same to the bit however the captures are cut into calls."""

from __future__ import annotations

import numpy as np
import pytest
from model_runs import CALLS, INTERVALS, drive, same
from model_specs import SPECS

from imu_noise_node import ImuModel
from imu_noise_node.model import blocks, processes, streams
from imu_noise_node.model.discretisation import Discretisation
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.stretch import Block, Interval, Single


@pytest.fixture(params=INTERVALS)
def intervals(request):
    return INTERVALS[request.param]


def test_runs_of_any_length_equal_steps(spec, batch, intervals):
    expected = drive(ImuModel(spec, 5, batch), intervals, "steps")
    for calls in CALLS:
        assert same(drive(ImuModel(spec, 5, batch), intervals, calls), expected), calls


@pytest.mark.parametrize("name", ["constant", "in stretches"])
def test_the_filter_makes_no_difference(spec, batch, name, recursion, monkeypatch):
    intervals = INTERVALS[name]
    found = drive(ImuModel(spec, 5, batch), intervals)
    monkeypatch.undo()
    assert same(found, drive(ImuModel(spec, 5, batch), intervals, "mixture"))


@pytest.mark.parametrize("prefetch", [1, 2, 31, 100])
def test_how_many_normals_are_drawn_ahead_makes_no_difference(
    full, batch, intervals, prefetch, monkeypatch
):
    expected = drive(ImuModel(full, 5, batch), intervals, "mixture")
    monkeypatch.setattr(streams, "_LARGEST_PREFETCH", prefetch)
    assert same(drive(ImuModel(full, 5, batch), intervals, "mixture"), expected)


@pytest.mark.parametrize("numbers", [1, 500, 10**9])
def test_how_long_the_stretches_of_a_run_are_makes_no_difference(
    full, batch, intervals, numbers, monkeypatch
):
    expected = drive(ImuModel(full, 5, batch), intervals)
    monkeypatch.setattr(processes, "_NUMBERS_PER_STRETCH", numbers)
    assert same(drive(ImuModel(full, 5, batch), intervals), expected)


@pytest.mark.parametrize("captures", [1, 10**9])
def test_from_how_many_captures_on_a_run_is_a_block_makes_no_difference(
    full, batch, intervals, captures, monkeypatch
):
    expected = drive(ImuModel(full, 5, batch), intervals)
    monkeypatch.setattr(blocks, "_LONG", captures)
    assert same(drive(ImuModel(full, 5, batch), intervals), expected)


def test_total_covariance_does_not_depend_on_the_cut_either(full, batch, intervals):
    expected = drive(ImuModel(full, 5, batch, "total"), intervals, "steps")
    for calls in CALLS:
        assert same(drive(ImuModel(full, 5, batch, "total"), intervals, calls), expected)


def test_a_batch_of_one_is_the_sensor_itself(spec, intervals):
    one = drive(ImuModel(spec, 5, (1,)), intervals)
    plain = drive(ImuModel(spec, 5), intervals)
    for a, b in zip(one[:3], plain[:3], strict=True):
        assert np.array_equal(a[:, 0], b)


@pytest.mark.parametrize("dt", [1e-6, 1e-3, 0.01, 0.0123456789, 0.05, "longest"])
@pytest.mark.parametrize("name", ["walk", "full"])
def test_a_single_capture_is_a_block_of_one(name, dt):
    found = Discretisation(compile_spec(SPECS[name]))
    dt = found.single_up_to if dt == "longest" else dt
    rng = np.random.default_rng(3)
    start = rng.standard_normal((len(found.figures.labels), 6))
    normals = rng.standard_normal((1 + len(start), 6))
    single, block = (
        Single(Interval(found, dt), start, normals),
        Block(Interval(found, dt), start, (normals * found.at(dt).scale)[:, None]),
    )
    for name in ("noise", "before", "after", "expected"):
        assert getattr(single, name).tobytes() == getattr(block, name).tobytes()
    assert single.interval.coefficients is block.interval.coefficients


def test_another_seed_gives_other_noise(full):
    runs = [drive(ImuModel(full, seed), INTERVALS["constant"])[0] for seed in range(3)]
    assert not np.isclose(runs[0], runs[1]).all(axis=-1).any()
    assert not np.isclose(runs[0], runs[2]).all(axis=-1).any()


def test_a_drawn_seed_repeats_the_run(full):
    model = ImuModel(full, seed=-1)
    again = ImuModel(full, seed=model.seed)
    intervals = INTERVALS["constant"]
    assert same(drive(model, intervals), drive(again, intervals))
