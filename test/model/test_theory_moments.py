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

"""Filter models against simulation: increments and states of thousands of members.

20000 members; variances are bound to about 7 %, means to 0.05 of a deviation. A hundred and ten
sets of comparisons, false alarms about 1e-9 each, less than 1e-6 together.
"""

from __future__ import annotations

import numpy as np
import pytest
from model_theory import FULL, SPECS, WITH_FIELD, assert_moments, increments, integrals, states_of

from imu_noise_node import ImuModel, Theory

MEMBERS = 20_000
CUTS = {"one": [0.02], "uneven": [0.3, 0.005, 0.06]}


def joined(record):
    """Return the covariance of (error, states at the end) given those at the start."""
    cross = record.cross_covariance
    return np.block([[record.conditional_covariance, cross], [cross.T, record.process_covariance]])


def over_the_prior(record):
    """Return the covariance of (error, states at the end) over the prior at the start."""
    both = np.concatenate([record.measurement, record.transition])
    return both @ record.start.covariance @ both.T + joined(record)


@pytest.mark.parametrize(("age", "cut"), [(0.0, "one"), (5.0, "one"), (5.0, "uneven")])
@pytest.mark.parametrize("term", SPECS)
def test_a_run_has_the_moments_of_the_filter_model(term, age, cut):
    spec, steps = SPECS[term], CUTS[cut]
    record = Theory.of(spec).filter_model(steps, age)
    model = ImuModel(spec, 31, (MEMBERS,))
    if age:
        model.skip(age)
    start = states_of(model, record)
    errors = increments(model, steps, scale=spec.increments_scale) - record.mean
    end = states_of(model, record)
    assert_moments(start, record.start.covariance)
    unforeseen = errors - start @ record.measurement.T, end - start @ record.transition.T
    assert_moments(np.concatenate(unforeseen, axis=1), joined(record))
    assert_moments(np.concatenate([errors, end], axis=1), over_the_prior(record))


@pytest.mark.parametrize("temperature", [-10.0, 60.0])
@pytest.mark.parametrize("cut", CUTS)
def test_temperature_moves_the_mean_and_heats_the_noise(temperature, cut):
    record = Theory.of(FULL).filter_model(CUTS[cut], 5.0, temperature)
    model = ImuModel(FULL, 32, (MEMBERS,))
    model.skip(5.0)
    start = states_of(model, record)
    errors = increments(model, CUTS[cut], temperature, FULL.increments_scale) - record.mean
    end = states_of(model, record)
    unforeseen = errors - start @ record.measurement.T, end - start @ record.transition.T
    assert_moments(np.concatenate(unforeseen, axis=1), joined(record))
    assert_moments(np.concatenate([errors, end], axis=1), over_the_prior(record))


def test_averages_of_all_sensors_have_the_moments_of_the_filter_model():
    steps = CUTS["uneven"]
    record = Theory.of(WITH_FIELD).filter_model(steps, 5.0, kind="averages")
    model = ImuModel(WITH_FIELD, 33, (MEMBERS,))
    model.skip(5.0)
    errors = integrals(model, steps) / sum(steps) - record.mean
    end = states_of(model, record)
    assert_moments(np.concatenate([errors, end], axis=1), over_the_prior(record))


def test_the_states_of_each_member_are_those_of_its_own_age():
    # Half of the members began anew at 5 s.
    record = Theory.of(SPECS["walk"]).filter_model(0.02, [5.0, 0.0])
    model = ImuModel(SPECS["walk"], 34, (MEMBERS,))
    late = np.arange(MEMBERS) % 2 == 1
    model.skip(5.0)
    model.reset(late)
    start = states_of(model, record)
    assert_moments(start[~late], record.start.covariance[0])
    assert_moments(start[late], record.start.covariance[1])
