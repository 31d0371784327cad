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

"""Readings that are stuck, repeated or no numbers are found, and coarse ones are not accused."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node.recordings.values import examine_values


def noise(count: int = 4000, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((6, count))


def test_of_good_readings_nothing_is_said():
    found = examine_values(noise())
    assert found.sentences() == []
    assert found.count == 4000
    assert found.missing == ()


@pytest.mark.parametrize("times", [2, 4, 10])
def test_a_sensor_read_faster_than_it_measures_is_found(times):
    values = noise()
    values[:3] = np.repeat(noise(4000 // times, 2)[:3], times, axis=1)
    found = examine_values(values)
    assert found.repeated == {"gyroscope": 4000 - 4000 // times, "accelerometer": 0}
    (sentence,) = found.sentences()
    assert sentence.startswith(f"{4000 - 4000 // times} readings of the gyroscope (")


def test_coarse_readings_repeat_by_chance_and_are_not_accused():
    """Rounded to one sigma, three axes repeat together in one of 45 readings or so."""
    values = np.round(noise(20_000))
    found = examine_values(values)
    assert found.repeated["gyroscope"] > 200
    assert found.sentences() == []
    doubled = examine_values(np.repeat(values[:, :10_000], 2, axis=1))
    assert len(doubled.sentences()) == 2


def test_few_coarse_readings_are_not_accused_either():
    """In 200 readings some four repeat by chance, 17 once in 5e5 times; the seeds are fixed."""
    for seed in range(50):
        assert examine_values(np.round(noise(200, seed))).sentences() == []


def test_an_axis_that_never_changes_is_named():
    values = noise()
    values[1] = 0.0
    values[5] = 9.81
    assert examine_values(values).sentences() == [
        "gyroscope y is always 0.",
        "accelerometer z never changes.",
    ]


def test_values_that_are_no_numbers_are_counted_by_axis():
    values = noise()
    values[2, [5, 7]] = np.nan, np.inf
    values[3, 0] = np.nan
    found = examine_values(values)
    assert found.not_finite.tolist() == [0, 0, 2, 1, 0, 0]
    assert found.sentences() == [
        "2 of 4000 readings of gyroscope z are NaN or infinite.",
        "1 of 4000 readings of accelerometer x are NaN or infinite.",
    ]


def test_a_sensor_that_is_not_there_is_said_once():
    values = noise()
    values[:3] = np.nan
    found = examine_values(values)
    assert found.missing == ("gyroscope",)
    assert found.sentences() == ["There is no gyroscope."]


def test_one_reading_is_enough_to_ask():
    assert examine_values(noise(1)).sentences() == []
