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

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec

SPEC = ImuSpec(
    TriadSpec(noise_density=1e-3, constant_bias=[0.1, 0.2, 0.3]), TriadSpec(noise_density=1e-2)
)


def test_a_step_shows_what_went_in_and_what_was_added():
    m = ImuModel(SPEC).step(0.01, [1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    assert m.truth.angular_velocity.tolist() == [1.0, 2.0, 3.0]
    assert m.truth.linear_acceleration.tolist() == [4.0, 5.0, 6.0]
    assert m.bias.angular_velocity.tolist() == [0.1, 0.2, 0.3]
    assert m.angular_velocity.shape == m.linear_acceleration.shape == (3,)
    assert m.angular_velocity_covariance == pytest.approx(1e-4 * np.eye(3))
    assert m.linear_acceleration_covariance == pytest.approx(1e-2 * np.eye(3))
    assert m.covariance.shape == (6, 6)


@pytest.mark.parametrize("batch", [(), (1,), (3, 1, 2, 1)])
def test_a_sample_of_a_run_is_the_step(batch):
    rate = np.arange(30.0).reshape(10, *(1,) * len(batch), 3)
    run = ImuModel(SPEC, batch=batch).run(np.full(10, 0.01), rate, rate)
    model = ImuModel(SPEC, batch=batch)
    steps = [model.step(0.01, rate[k], rate[k]) for k in range(10)]
    for k, step in enumerate(steps):
        picked = run[k]
        assert np.array_equal(picked.values, step.values)
        assert np.array_equal(picked.bias.values, step.bias.values)
        assert np.array_equal(picked.truth.values, step.truth.values)
        assert np.array_equal(picked.covariance, step.covariance)
