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

"""The rate comes out right, and each irregularity is found where it is and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node.errors import InputError
from imu_noise_node.recordings.timing import examine

EPOCH = 1_700_000_000_000_000_000
MILLISECOND = 1_000_000


def regular(count: int, rate: float = 400.0) -> np.ndarray:
    return EPOCH + np.rint(np.arange(count) * (1e9 / rate)).astype(np.int64)


def odd(timing) -> dict:
    """What is not regular, by name."""
    names = ("gaps", "repeated", "backward", "bursts")
    found = {name: getattr(timing, name).tolist() for name in names}
    return {name: places for name, places in found.items() if places}


@pytest.mark.parametrize("rate", [1.0, 50.0, 100.0, 400.0, 3200.0])
@pytest.mark.parametrize("count", [3, 4, 10, 1000, 20_001])
def test_regular_stamps_have_their_rate_and_nothing_else(count, rate):
    timing = examine(regular(count, rate))
    assert timing.rate == pytest.approx(rate, rel=1e-6)
    assert timing.dt == pytest.approx(1.0 / rate, rel=1e-6)
    assert timing.jitter < 1e-9
    assert odd(timing) == {}
    assert timing.is_regular
    assert timing.good == slice(0, count)
    assert len(timing.sentences()) == 1
    assert f"{count} readings at {rate:g} Hz" in timing.sentences()[0]


def test_equal_intervals_have_no_jitter_at_all():
    assert examine(regular(1000)).jitter == 0.0


@pytest.mark.parametrize("rate", [400.0, 300.0, 210.0, 700.0])
def test_stamps_of_whole_milliseconds_do_not_bend_the_rate(rate):
    """Their median interval is 2 or 3, 3, 5 and 1 ms, and not 1/rate."""
    stamps = regular(20_000, rate) // MILLISECOND * MILLISECOND
    timing = examine(stamps)
    assert timing.rate == pytest.approx(rate, rel=1e-4)
    assert not timing.gaps.size
    assert timing.good == slice(0, 20_000)


def test_jitter_is_measured_and_is_no_gap():
    """Stamps with sigma 0.1 dt: intervals with sqrt(2) times as much.

    Of 20,000 intervals, none is by chance 1.5 dt, 3.5 sigma, and not made up by the next ones.
    The measured sigma is right within 5/sqrt(2 n) or 2.5 %, passed by chance once in 1e6 runs.
    """
    rng = np.random.default_rng(1)
    stamps = regular(20_000) + np.rint(rng.normal(0.0, 0.25e6, 20_000)).astype(np.int64)
    timing = examine(stamps)
    assert timing.rate == pytest.approx(400.0, rel=1e-5)
    assert timing.jitter == pytest.approx(np.sqrt(2.0) * 0.25e-3, rel=0.025)
    assert odd(timing) == {}


def test_a_gap_is_found_with_its_length_and_what_it_lost():
    stamps = np.delete(regular(10_000), slice(3001, 3041))
    timing = examine(stamps)
    assert odd(timing) == {"gaps": [3000]}
    assert timing.gap_lengths == pytest.approx([41 * 0.0025])
    assert timing.rate == pytest.approx(400.0, rel=1e-9)
    assert timing.good == slice(3001, 9960)
    told = timing.sentences()
    assert "There is a gap of 0.1025 s behind reading 3001; 40 readings are missing." in told
    assert "The longest regular stretch is 17.395 s, readings 3002 to 9960." in told


@pytest.mark.parametrize("share", [0.001, 0.02, 0.05])
def test_lost_readings_are_gaps_and_leave_the_rate_alone(share):
    rng = np.random.default_rng(2)
    kept = rng.random(50_000) >= share
    kept[[0, -1]] = True
    timing = examine(regular(50_000)[kept])
    index = np.flatnonzero(kept)
    assert np.array_equal(timing.gaps, np.flatnonzero(np.diff(index) > 1))
    assert timing.rate == pytest.approx(400.0, rel=1e-9)
    assert not timing.bursts.size
    assert set(np.diff(index[timing.good])) == {1}


@pytest.mark.parametrize("share", [0.02, 0.08])
def test_lost_readings_are_found_in_jitter_too(share):
    """Stamps with sigma 0.12 dt, intervals with 0.17.

    A lost reading is missed where its interval is shorter than 1.5 dt, 2.9 sigma, or one of the
    next three is half an interval early: once in 150. Thirty in 1000 are missed by chance once in
    1e10 runs. Of 50,000 intervals some 90 are longer than 1.5 dt without a loss, and all but one
    or two of these made up by the next; twenty such by chance are one in 1e13 runs.
    """
    rng = np.random.default_rng(2)
    kept = rng.random(50_000) >= share
    stamps = regular(50_000) + np.rint(rng.normal(0.0, 0.3e6, 50_000)).astype(np.int64)
    timing = examine(stamps[kept])
    lost = np.flatnonzero(np.diff(np.flatnonzero(kept)) > 1)
    assert len(np.setdiff1d(lost, timing.gaps)) < 0.03 * len(lost)
    assert len(np.setdiff1d(timing.gaps, lost)) < 20


@pytest.mark.parametrize("size", [2, 8, 32])
@pytest.mark.parametrize("spacing", [0, 20_000])
def test_readings_that_come_in_bursts_are_not_taken_for_gaps(size, spacing):
    """A driver that stamps on arrival what a bus has brought, some readings at a time."""
    count = 8000
    index = np.arange(count)
    last = index // size * size + size - 1
    stamps = EPOCH + last * 2_500_000 - (last - index) * spacing
    timing = examine(stamps)
    assert not timing.gaps.size
    assert timing.bursts.tolist() == list(range(size - 1, count - size, size))
    assert timing.rate == pytest.approx(400.0, rel=5e-3)
    assert timing.good == slice(0, count)
    assert timing.repeated.size == (0 if spacing else count - count // size)
    assert any("stamped on arrival" in sentence for sentence in timing.sentences())
    assert not timing.is_regular


def test_one_late_delivery_in_an_hour_is_a_burst():
    stamps = regular(10_000)
    stamps[5000:5008] = stamps[5008] - np.arange(8, 0, -1) * 10_000
    assert odd(examine(stamps)) == {"bursts": [4999]}


def test_one_reading_that_is_a_little_late_is_neither_burst_nor_gap():
    stamps = regular(10_000)
    stamps[5000] += 1_700_000
    timing = examine(stamps)
    assert odd(timing) == {}
    assert timing.good == slice(0, 10_000)


def test_a_gap_among_bursts_is_still_a_gap():
    index = np.arange(8000)
    index[4000:] += 80
    stamps = EPOCH + (index // 8 * 8 + 7) * 2_500_000
    timing = examine(stamps)
    assert timing.gaps.tolist() == [3999]
    assert timing.good in (slice(0, 4000), slice(4000, 8000))


def test_a_message_sent_twice_is_a_repeated_stamp():
    stamps = np.insert(regular(1000), 300, regular(1000)[299])
    timing = examine(stamps)
    assert odd(timing) == {"repeated": [299]}
    assert timing.good == slice(300, 1001)
    assert "Reading 301 has the stamp of the one before it." in timing.sentences()


def test_a_step_back_splits_the_record():
    stamps = regular(1000)
    stamps[600:] -= 50 * MILLISECOND
    timing = examine(stamps)
    assert odd(timing) == {"backward": [599]}
    assert timing.good == slice(0, 600)
    assert "Reading 601 is stamped before the one before it." in timing.sentences()


def test_two_readings_in_the_wrong_order_are_a_step_back():
    stamps = regular(1000)
    stamps[[500, 501]] = stamps[[501, 500]]
    assert examine(stamps).backward.tolist() == [500]


@pytest.mark.parametrize("first", [0, 1, 3_600_000_000_000, 2 * EPOCH])
def test_a_first_stamp_of_another_time_is_found(first):
    stamps = regular(1000)
    stamps[0] = first
    timing = examine(stamps)
    assert timing.wrong_first
    assert odd(timing) == {}
    assert timing.good == slice(1, 1000)
    assert timing.rate == pytest.approx(400.0, rel=1e-9)
    assert "The first stamp is of another time than all others." in timing.sentences()


def test_a_gap_behind_the_first_reading_is_no_wrong_stamp_where_there_are_others():
    stamps = np.delete(regular(1000), [*range(1, 41), *range(500, 540)])
    timing = examine(stamps)
    assert not timing.wrong_first
    assert timing.gaps.tolist() == [0, 459]


@pytest.mark.parametrize("stamps", [[], [1], [1, 2]])
def test_two_readings_have_no_rate(stamps):
    with pytest.raises(InputError, match="at least 3"):
        examine(np.array(stamps, dtype=np.int64))


@pytest.mark.parametrize(
    ("stamps", "how"),
    [
        (np.full(10, EPOCH), "do not advance"),
        (regular(100)[::-1], "go backward"),
        (np.zeros(100), "do not advance"),
    ],
)
def test_stamps_that_stand_still_or_run_backward_are_refused(stamps, how):
    told = f"log.csv = 'stamps of {len(stamps)} readings': {how}"
    with pytest.raises(InputError, match=told):
        examine(stamps.astype(np.int64), "log.csv")
