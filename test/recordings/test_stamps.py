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

"""Stamps become whole nanoseconds without rounding, and their unit is found or asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from imu_noise_node.errors import InputError
from imu_noise_node.recordings.options import STAMP_UNITS
from imu_noise_node.recordings.stamps import is_stamp, stamp_unit, to_nanoseconds

FILE = Path("log.csv")


@pytest.mark.parametrize(
    ("text", "unit", "stamp"),
    [
        ("1403715273262142976", "ns", 1403715273262142976),
        ("1403715273.262142976", "s", 1403715273262142976),
        ("1403715273262142.976", "us", 1403715273262142976),
        ("1403715273262.142976", "ms", 1403715273262142976),
        (" 1.5e-3 ", "s", 1_500_000),
        ("-2", "ms", -2_000_000),
        ("0.0000000004", "s", 0),
        ("1.40371527326214e+18", "ns", 1403715273262140000),
    ],
)
def test_a_text_is_its_stamp_to_the_nanosecond(text, unit, stamp):
    assert to_nanoseconds(text, unit) == stamp


@pytest.mark.parametrize("text", ["", "abc", "nan", "inf", "1e300", "1e999999999", "9.3e18"])
def test_what_64_bits_do_not_hold_is_no_stamp(text):
    assert not is_stamp(text)
    with pytest.raises(ValueError, match=r".*"):
        to_nanoseconds(text, "ns")


@pytest.mark.parametrize("unit", STAMP_UNITS)
@pytest.mark.parametrize("rate", [0.1, 1.0, 100.0, 1000.0, 8000.0])
def test_dates_tell_their_unit_at_any_rate(unit, rate):
    seconds = 1.7e9 + np.arange(50) / rate
    assert stamp_unit(seconds * 10.0 ** (9 - STAMP_UNITS[unit]), FILE) == unit


@pytest.mark.parametrize("unit", STAMP_UNITS)
@pytest.mark.parametrize("rate", [12.5, 50.0, 100.0, 200.0, 400.0])
@pytest.mark.parametrize("start", [0.0, 5.0, 86_400.0])
def test_times_since_a_start_tell_their_unit_by_their_spacing(unit, rate, start):
    seconds = start + np.arange(50) / rate
    assert stamp_unit(seconds * 10.0 ** (9 - STAMP_UNITS[unit]), FILE) == unit


@pytest.mark.parametrize(
    ("spacing", "question"),
    [(1.0, "ms or s"), (1000.0, "us or ms"), (1e6, "ns or us"), (1e12, "ns, us, ms or s")],
)
def test_what_could_be_two_units_is_asked(spacing, question):
    """1 ms or 1 s apart: both are rates that an IMU is logged at."""
    with pytest.raises(InputError, match=question):
        stamp_unit(np.arange(50) * spacing, FILE)


@pytest.mark.parametrize(
    ("stamps", "said"),
    [
        ([5.0], "has only one reading"),
        ([5.0, 4.0, 3.0], "has stamps that go backward"),
        ([5.0, 5.0, 5.0], "has stamps that never advance"),
    ],
)
def test_stamps_that_do_not_advance_are_no_question_of_units(stamps, said):
    with pytest.raises(InputError, match=f"{said}$"):
        stamp_unit(stamps, FILE)


def test_a_wrong_first_stamp_and_repeated_ones_do_not_mislead():
    # Their spacing alone, 1e6, could be in microseconds.
    stamps = 1.7e18 + np.repeat(np.arange(50), 2) * 1e6
    stamps[0] = 0.0
    assert stamp_unit(stamps, FILE) == "ns"
