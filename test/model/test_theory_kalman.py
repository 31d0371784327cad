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

"""A Kalman filter built from the filter models alone, on runs of every effect at once.

If the models are right, its innovations are white with the covariance that it predicts, and its
errors at the end have the covariance that it claims.
"""

from __future__ import annotations

import numpy as np
import pytest
from model_statistics import Z, assert_covariance, assert_uncorrelated, assert_variance
from model_theory import FULL, assert_moments, increments, states_of

from imu_noise_node import ImuModel, Theory

MEMBERS = 5000
RNG = np.random.default_rng(5)
INTERVALS = {
    "steady": np.full(60, 0.02),
    # From a thousandth of a second to some; over 0.1 s the band of the first axis is left.
    "uneven": np.exp(RNG.uniform(np.log(1e-3), np.log(3.0), 60)),
}
TEMPERATURES = {"steady": [None] * 60, "uneven": RNG.uniform(-20.0, 70.0, 60).tolist()}


class Filter:
    """The textbook's, for process and measurement noise that are correlated; (members, n)."""

    def __init__(self, prior, members: int) -> None:
        self.mean = np.tile(prior.mean, (members, 1))
        self.covariance = prior.covariance

    def update(self, record, increment):
        """Take an increment in; return the innovation and its covariance."""
        h, f, p = record.measurement, record.transition, self.covariance
        innovation = increment - record.mean - self.mean @ h.T
        predicted = h @ p @ h.T + record.conditional_covariance
        joint = f @ p @ h.T + record.cross_covariance.T
        gain = np.linalg.solve(predicted, joint.T).T
        self.mean = self.mean @ f.T + innovation @ gain.T
        self.covariance = f @ p @ f.T + record.process_covariance - gain @ joint.T
        return innovation, predicted


@pytest.mark.parametrize("rate", INTERVALS)
def test_innovations_are_white_with_the_covariance_predicted(rate):
    # 1.8 million innovations, bound on their variance 0.65 %; per axis, 300000, 1.6 %; at each of
    # the 60 captures, 30000, 5 %; of the errors at the end, 5000 each, 15 %. 84 comparisons and a
    # set of them, false alarms 1e-9 each.
    theory = Theory.of(FULL)
    model = ImuModel(FULL, 41, (MEMBERS,))
    model.skip(3.0)
    age, white, kalman = 3.0, [], None
    for dt, temperature in zip(INTERVALS[rate].tolist(), TEMPERATURES[rate], strict=True):
        record = theory.filter_model(dt, age, temperature)
        kalman = kalman or Filter(record.start, MEMBERS)
        increment = increments(model, [dt], temperature, FULL.increments_scale)
        innovation, predicted = kalman.update(record, increment)
        white.append(np.linalg.solve(np.linalg.cholesky(predicted), innovation.T).T)
        age += dt
    white = np.array(white)
    assert_variance(white, 1.0)
    for axis in range(6):
        assert_variance(white[..., axis], 1.0)
        for other in range(axis):
            assert_covariance(white[..., axis], white[..., other], 0.0, (1.0, 1.0))
    for capture in white:
        assert_variance(capture, 1.0)
    assert_uncorrelated(white)
    assert np.abs(white.mean(axis=(0, 1))).max() < Z / (60 * MEMBERS) ** 0.5
    assert_moments(states_of(model, record) - kalman.mean, kalman.covariance)
    # It has learnt: else an update might not have mattered.
    h = record.measurement
    left = np.diag(h @ kalman.covariance @ h.T) / np.diag(h @ record.start.covariance @ h.T)
    assert left.max() < 0.5
