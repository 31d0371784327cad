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

"""Readings that a driver sends again are found, and those that are equal by chance are not."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node.recordings.repeats import repeats

ALL = range(6)


def noise(count: int = 4000, step: float = 0.0) -> np.ndarray:
    values = np.random.default_rng(1).standard_normal((6, count))
    return np.round(values / step) * step if step else values


@pytest.mark.parametrize("times", [2, 3, 8])
@pytest.mark.parametrize("step", [0.0, 1.0])
def test_what_is_sent_several_times_is_found_where_it_is(times, step):
    # Rounded to one sigma, six axes are equal by chance in one of 2000 readings or so.
    values = noise(step=step)
    found = repeats(np.repeat(values, times, axis=1), ALL)
    new = np.append(True, (np.diff(values, axis=1) != 0.0).any(axis=0))
    expected = np.repeat(~new, times) | (np.arange(4000 * times) % times > 0)
    assert np.array_equal(found, expected)


def test_a_sensor_that_is_read_half_as_fast_again_is_found():
    places = np.arange(6000) * 2 // 3
    found = repeats(noise()[:, places], ALL)
    assert np.array_equal(found, np.append(False, np.diff(places) == 0))


def test_one_sensor_may_repeat_alone():
    values = noise()
    values[:3] = np.repeat(values[:3, :2000], 2, axis=1)
    assert not repeats(values, ALL).any()
    assert np.count_nonzero(repeats(values, range(3))) == 2000
    assert not repeats(values, range(3, 6)).any()


@pytest.mark.parametrize("step", [2.0, 3.0, 5.0])
def test_a_sensor_too_coarse_to_tell_is_let_be(step):
    """Three axes, rounded to two sigma or more, are equal to the one before in 13 % or more."""
    values = noise(step=step)
    same = (np.diff(values[:3], axis=1) == 0.0).all(axis=0)
    assert np.mean(same) > 0.1
    assert not repeats(values, range(3)).any()


def test_few_none_and_nothing_but_repetitions_are_let_be():
    assert not repeats(noise(), ALL).any()
    assert not repeats(noise(1), ALL).any()
    assert not repeats(np.ones((6, 100)), ALL).any()
    few = noise()
    few[:, 100:200:2] = few[:, 101:200:2]
    assert not repeats(few, ALL).any()
