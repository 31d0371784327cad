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

"""Coefficients depend on the interval alone, whichever way they are found."""

from __future__ import annotations

import numpy as np
import pytest
from model_specs import SPECS

from imu_noise_node.model.discretisation import Discretisation
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.spec import ImuSpec, TriadSpec


def values(c):
    return [c.keep, c.kick, c.gain, c.noise, c.hold, c.fresh_covariance]


def same(one, other) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(values(one), values(other), strict=True))


def test_an_interval_seen_before_is_looked_up():
    found = Discretisation(compile_spec(SPECS["full"]))
    assert found.at(0.01) is found.at(0.01)


def test_coefficients_do_not_depend_on_what_was_asked_before():
    figures = compile_spec(SPECS["full"])
    busy = Discretisation(figures)
    first = busy.at(0.01)
    for k in range(1000):
        busy.at(0.01 + 1e-5 * k)
    assert busy.at(0.01) is not first
    assert same(busy.at(0.01), first)
    assert same(Discretisation(figures).at(0.01), first)


def test_the_memory_of_intervals_is_bounded():
    busy = Discretisation(compile_spec(SPECS["white"]))
    for k in range(1000):
        busy.at(0.01 + 1e-5 * k)
    assert len(busy._known) <= 64


def test_the_law_does_not_jump_where_the_table_ends():
    found = Discretisation(compile_spec(SPECS["full"]))
    longest = found.polynomials.longest
    below, above = found.at(longest), found.at(np.nextafter(longest, 1.0))
    for a, b in zip(values(below), values(above), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11)


@pytest.mark.parametrize(
    "triad",
    [
        TriadSpec(noise_density=1.0),
        TriadSpec(random_walk=1.0, integration_time=0.1),
        TriadSpec(random_walk=1.0, noise_covariance=np.eye(3)),
    ],
    ids=["no process", "integration time", "correlated axes"],
)
def test_single_captures_are_for_a_sensor_with_processes_and_plain_white_noise(triad):
    assert Discretisation(compile_spec(ImuSpec(triad))).single_up_to == 0.0


def test_members_with_processes_of_their_own_get_the_closed_forms():
    triad = TriadSpec(random_walk=np.ones((4, 3)) * [[1.0], [2.0], [3.0], [4.0]])
    found = Discretisation(compile_spec(ImuSpec(triad), batch_axes=1))
    assert found.polynomials is None
    np.testing.assert_allclose(found.at(0.25).kick[0, :, 0], [0.5, 1.0, 1.5, 2.0], rtol=1e-15)
