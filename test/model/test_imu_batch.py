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

"""Each member of a batch can be a sensor of its own: domain randomisation."""

from __future__ import annotations

import numpy as np
import pytest
from model_statistics import assert_variance

from imu_noise_node import ImuModel, ImuSpec, TriadSpec

MEMBERS = 4096
RNG = np.random.default_rng(21)


def drawn(low: float, high: float):
    return np.exp(RNG.uniform(np.log(low), np.log(high), (MEMBERS, 3)))


TRIADS = [
    {
        "noise_density": drawn(1e-3, 1e-1),
        "turn_on_bias_stddev": drawn(0.01, 1.0),
        "bias_stddev": drawn(0.01, 1.0),
        "bias_correlation_time": drawn(0.1, 100.0),
        "random_walk": drawn(1e-3, 0.1),
        "bias_instability": drawn(0.01, 0.1),
        "bias_instability_band": np.tile(drawn(0.5, 2.0)[:32, :2] * [1.0, 500.0], (128, 1)),
    }
    for _ in range(2)
]
SPEC = ImuSpec(*(TriadSpec(**figures) for figures in TRIADS))


def alone(member: int) -> ImuSpec:
    """The spec of one member as a sensor by itself."""
    return ImuSpec(*(TriadSpec(**{k: v[member] for k, v in f.items()}) for f in TRIADS))


@pytest.mark.parametrize("kind", ["sample", "total"])
@pytest.mark.parametrize("dt", [1e-3, 0.3])
def test_each_member_publishes_the_covariance_that_it_would_alone(kind, dt):
    batch = ImuModel(SPEC, 1, (MEMBERS,), kind)
    covariance = batch.run([dt, dt], 0.0, 0.0).covariance
    assert covariance.shape == (2, MEMBERS, 6, 6)
    for member in range(0, MEMBERS, 371):
        one = ImuModel(alone(member), 1, (), kind).run([dt, dt], 0.0, 0.0).covariance
        np.testing.assert_allclose(covariance[:, member], one, rtol=1e-11)


def test_each_member_has_the_theory_that_it_would_alone():
    batch = ImuModel(SPEC, 1, (MEMBERS,)).theory.allan_deviation([0.1, 10.0])
    for member in range(0, MEMBERS, 371):
        one = ImuModel(alone(member)).theory.allan_deviation([0.1, 10.0])
        for sensor, terms in one.items():
            for term, value in terms.items():
                np.testing.assert_allclose(batch[sensor][term][:, member], value, rtol=1e-12)


@pytest.mark.parametrize("dt", [1e-3, 0.3])
def test_each_member_draws_what_it_publishes(dt):
    # Twenty samples of 24576 axes: bound on the variance 1.2 %. By the thirds of the axes with
    # the smallest, middle and largest density: 2.1 %. Six comparisons, false alarms 1e-9 each.
    model = ImuModel(SPEC, 2, (MEMBERS,))
    m = model.run(np.full(20, dt), 0.0, 0.0)
    variances = np.diagonal(m.covariance, axis1=-2, axis2=-1)
    errors = m.values - m.bias.values
    assert_variance(errors, variances)
    order = np.argsort(variances[0].ravel())
    for third in np.array_split(order, 3):
        part = errors.reshape(20, -1)[:, third], variances.reshape(20, -1)[:, third]
        assert_variance(*part)


@pytest.mark.parametrize("age", [1e-3, 50.0])
def test_each_member_has_biases_of_its_own_size(age):
    # 24576 axes, bound 5.5 %; thirds 9.6 %. Four comparisons, false alarms 1e-9 each.
    model = ImuModel(SPEC, 3, (MEMBERS,), "total")
    model.skip(age)
    m = model.step(0.01, 0.0, 0.0)
    variances = np.diagonal(m.covariance, axis1=-2, axis2=-1).ravel()
    errors = m.values.ravel()
    assert_variance(errors, variances)
    for third in np.array_split(np.argsort(variances), 3):
        assert_variance(errors[third], variances[third])


def test_members_have_white_noise_covariances_of_their_own():
    # 3 x 20000 whitened values, bound 3.5 %, false alarms 1e-9 for each of 8 members.
    columns = RNG.normal(size=(8, 3, 3))
    given = columns @ columns.swapaxes(1, 2)
    model = ImuModel(ImuSpec(TriadSpec(noise_covariance=given)), 4, (8,))
    m = model.run(np.full(20_000, 0.25), 0.0, 0.0)
    np.testing.assert_allclose(m.covariance[0, :, :3, :3], 4.0 * given, rtol=1e-12)
    for member in range(8):
        white = np.linalg.solve(2.0 * np.linalg.cholesky(given[member]), m.values[:, member, :3].T)
        assert_variance(white, 1.0)


def test_a_batch_of_equal_members_equals_one_spec_for_all(batch):
    # Written out per member the law comes from the closed forms, not the table: roundings differ.
    size = np.broadcast_to(0.1, (*batch, 3))
    plain = TriadSpec(random_walk=0.1, noise_density=0.1)
    written = TriadSpec(random_walk=size, noise_density=size)
    dt = np.full(30, 0.01)
    one, other = (ImuModel(ImuSpec(t, t), 5, batch).run(dt, 0.0, 0.0) for t in (plain, written))
    np.testing.assert_allclose(one.values, other.values, rtol=1e-10, atol=1e-14)


def test_a_batch_axis_may_be_shared():
    # Shape (2, 1, 3) in a batch of (2, 4): the rows differ, the columns do not.
    triad = TriadSpec(random_walk=np.array([[[1.0] * 3], [[2.0] * 3]]), noise_density=1.0)
    m = ImuModel(ImuSpec(triad), 6, (2, 4)).step(1.0, 0.0, 0.0)
    full = np.broadcast_to(m.covariance, (2, 4, 6, 6))
    np.testing.assert_allclose(full[0, :, 0, 0], 1.0 + 1.0 / 3.0, rtol=1e-12)
    np.testing.assert_allclose(full[1, :, 0, 0], 1.0 + 4.0 / 3.0, rtol=1e-12)
