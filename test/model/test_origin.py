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

"""Covariances that are published: fresh noise, and what the biases add to it."""

from __future__ import annotations

import numpy as np
import pytest
from model_reference import triple

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.model.flicker import components

DT = 0.3


def both(**figures) -> ImuSpec:
    return ImuSpec(TriadSpec(**figures), TriadSpec(**figures))


def added_by_bias(age: float, **figures):
    """Total less sample covariance of a sample whose interval begins at `age` [s]."""
    model = ImuModel(both(**figures))
    model.skip(age)
    m = model.step(DT, 0.0, 0.0)
    sample = m.covariance.copy()
    model = ImuModel(both(**figures), covariance="total")
    model.skip(age)
    return model.step(DT, 0.0, 0.0).covariance - sample


def test_white_noise_and_fixed_bias_add_nothing():
    found = added_by_bias(3.0, noise_density=0.1, constant_bias=7.0, resolution=0.5)
    assert not found.any()


def test_a_turn_on_bias_adds_its_variance():
    found = added_by_bias(3.0, turn_on_bias_stddev=[0.1, 0.2, 0.3])
    np.testing.assert_allclose(found, np.diag([0.01, 0.04, 0.09] * 2), rtol=1e-14)


@pytest.mark.parametrize("age", [1e-3, 5.0, 4000.0])
def test_a_random_walk_adds_what_it_has_grown_to(age):
    found = added_by_bias(age, random_walk=0.2)
    np.testing.assert_allclose(found, 0.04 * age * np.eye(6), rtol=1e-9)


def test_a_random_walk_has_not_grown_at_the_start():
    model = ImuModel(both(random_walk=0.2), covariance="total")
    found = model.step(DT, 0.0, 0.0).covariance
    np.testing.assert_allclose(found, 0.04 * DT / 3.0 * np.eye(6), rtol=1e-12)


def test_a_gauss_markov_process_adds_what_the_mean_keeps_of_its_variance():
    found = added_by_bias(5.0, bias_stddev=0.7, bias_correlation_time=2.0)
    np.testing.assert_allclose(found, 0.49 * triple(DT, 2.0).h ** 2 * np.eye(6), rtol=1e-12)


def test_flicker_adds_that_of_each_component():
    found = added_by_bias(5.0, bias_instability=0.7, bias_instability_band=[0.1, 10.0])
    times, sigmas = components(0.1, 10.0)
    held = [triple(DT, tau).h for tau in times]
    expected = 0.49 * (sigmas**2 * np.square(held)).sum()
    np.testing.assert_allclose(found, expected * np.eye(6), rtol=1e-12)


def test_the_total_of_a_stationary_process_is_the_variance_of_its_average():
    model = ImuModel(both(bias_stddev=0.7, bias_correlation_time=2.0), covariance="total")
    found = model.step(DT, 0.0, 0.0).covariance
    r = DT / 2.0
    expected = 0.49 * 2.0 / r**2 * (r - 1.0 + np.exp(-r))
    np.testing.assert_allclose(found, expected * np.eye(6), rtol=1e-11)


def test_a_run_publishes_what_its_steps_do(full, batch):
    intervals = [0.01, 0.01, 0.5, 0.02]
    for kind in ("sample", "total"):
        run = ImuModel(full, 1, batch, kind).run(intervals, 0.0, 0.0).covariance
        model = ImuModel(full, 1, batch, kind)
        for dt, expected in zip(intervals, run, strict=True):
            assert np.array_equal(model.step(dt, 0.0, 0.0).covariance, expected)


def test_the_bias_of_a_sample_is_what_its_processes_lead_to_expect():
    # A walk stands still in the mean: the bias is where it stood.
    model = ImuModel(both(random_walk=0.2, constant_bias=3.0), 1)
    model.skip(100.0)
    state = np.array(model.state()["processes"])[0]
    bias = model.step(DT, 0.0, 0.0).bias.values
    np.testing.assert_allclose(bias, 3.0 + state, rtol=1e-12)


def test_a_process_is_expected_to_decay_within_the_interval():
    model = ImuModel(both(bias_stddev=0.2, bias_correlation_time=2.0), 1)
    state = np.array(model.state()["processes"])[0]
    bias = model.step(DT, 0.0, 0.0).bias.values
    np.testing.assert_allclose(bias, triple(DT, 2.0).h * state, rtol=1e-12)
