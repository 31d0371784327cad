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

"""Captures that were sampled, explained: noise = expected + gain w + what is white."""

from __future__ import annotations

import numpy as np
import pytest
from model_specs import SPECS

from imu_noise_node import ImuSpec, TriadSpec
from imu_noise_node.model.discretisation import Discretisation
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.stretch import Block, Interval, Row, Single

LIMITED = ImuSpec(
    TriadSpec(noise_density=0.1, bandwidth=[20.0, 50.0, 0.0], random_walk=0.01),
    TriadSpec(noise_density=0.2, bias_stddev=0.1, bias_correlation_time=2.0),
)


@pytest.fixture(params=["full", "correlated", "walk"])
def discretisation(request):
    return Discretisation(compile_spec(SPECS[request.param]))


def drawn(discretisation, count, batch=()):
    rng = np.random.default_rng(4)
    processes = len(discretisation.figures.labels)
    return (
        rng.standard_normal((processes, *batch, 6)),
        rng.standard_normal((1 + processes, count, *batch, 6)),
    )


def block_of(discretisation, dt, start, normals):
    return Block(
        Interval(discretisation, dt), start, normals * discretisation.at(dt).scale[:, None]
    )


@pytest.mark.parametrize("count", [1, 10, 100])
@pytest.mark.parametrize("dt", [0.01, 7.0])
def test_noise_is_what_was_expected_plus_what_is_fresh(discretisation, count, dt):
    start, normals = drawn(discretisation, count)
    block, c = block_of(discretisation, dt, start, normals), discretisation.at(dt)
    white = normals[0] * c.noise if c.factor is None else normals[0] @ c.factor.T
    fresh = ((c.gain * c.kick)[:, None] * normals[1:]).sum(axis=0) + white
    np.testing.assert_allclose(block.noise, block.expected + fresh, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(block.expected, (c.hold[:, None] * block.before).sum(axis=0))


def test_one_interval_ends_where_the_next_begins(discretisation):
    start, normals = drawn(discretisation, 10)
    block = block_of(discretisation, 0.01, start, normals)
    assert np.array_equal(block.before[:, 0], start)
    c = discretisation.at(0.01)
    for k in range(10):
        end = block.before[:, k + 1] if k < 9 else block.after
        assert np.array_equal(end, c.keep * block.before[:, k] + c.kick * normals[1:, k])


def test_nothing_expected_is_all_white_noise():
    found = Discretisation(compile_spec(SPECS["white"]))
    start, normals = drawn(found, 10)
    block = block_of(found, 0.01, start, normals)
    assert not block.expected.any()
    assert np.array_equal(block.noise, normals[0] * found.at(0.01).noise)


def test_a_single_capture_explains_itself_as_a_block_does():
    found = Discretisation(compile_spec(SPECS["full"]))
    start, normals = drawn(found, 1)
    single = Single(Interval(found, 0.01), start, normals[:, 0])
    assert single.before.shape == (7, 1, 6)
    assert single.noise.shape == single.expected.shape == (1, 6)
    assert np.array_equal(single.before[:, 0], start)


@pytest.mark.parametrize("dt", [0.01, 7.0])
@pytest.mark.parametrize("name", ["full", "correlated", "walk", "white", "limited"])
def test_a_row_of_many_sensors_is_a_block_of_one_to_the_bit(name, dt):
    found = Discretisation(compile_spec(LIMITED if name == "limited" else SPECS[name], 1))
    start, normals = drawn(found, 1, batch=(5,))
    block = block_of(found, dt, start, normals)
    row = Row(Interval(found, dt), start, normals[:, 0].copy())
    for part in ("noise", "white", "before", "after", "expected"):
        assert np.array_equal(getattr(row, part), getattr(block, part)), part
    assert (row.limited is None) is (block.limited is None) is (name != "limited")
    if block.limited is not None:
        assert np.array_equal(row.limited, block.limited)
