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

"""What faults do to captures, when they do it, and what may make no difference.

Bounds on statistics have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest
from model_statistics import Z, chi_square_limits

from imu_noise_node import ParameterError
from imu_noise_node.model import faults as module
from imu_noise_node.model.fault_calendar import Calendar, _uniform
from imu_noise_node.model.fault_spec import MODES, TARGETS, Fault
from imu_noise_node.model.faults import Faults
from imu_noise_node.model.spec import SENSORS
from imu_noise_node.model.streams import Streams

AXES = ("x", "y", "z", "xy", "xz", "yz", "xyz")
SIZES = {"bias": 0.7, "drift": 0.4, "noise": 3.0, "intermittent": 1.0}

# Every mode, once and again and again, with windows longer and much shorter than a capture.
MANY = (
    Fault("bias", "gyroscope", "xz", 0.3, start=0.5, duration=2.0),
    Fault("drift", "accelerometer", "y", 0.2, start=1.03, name="heat"),
    Fault("bias", "accelerometer", magnitude=5.0, duration=0.01, mtbf=0.02),
    Fault("drift", "gyroscope", "z", 2.0, duration=0.3, mtbf=0.5),
    Fault("noise", "all", "xy", 4.0, start=0.2, duration=0.7, mtbf=0.4),
    Fault("noise", "gyroscope", magnitude=0.5, start=1.0, duration=1.5),
    Fault("stuck", "all", "yz", duration=0.2, mtbf=0.6),
    Fault("stuck", "gyroscope", "x", start=2.5, duration=0.5),
    Fault("intermittent", magnitude=0.3, start=1.0, duration=0.5, mtbf=0.3, name="loose"),
    Fault("total", "accelerometer", "x", duration=0.1, mtbf=0.8),
)
# Intervals and how many captures each; the second block of 0.05 goes on where the first ended.
PIECES = [(0.05, 7), (0.05, 14), (0.013, 40), (0.5, 2), (0.002, 90), (0.05, 30), (1 / 3, 3)]


def staged(*faults, batch=(), seed=1, sensors=SENSORS):
    return Faults(faults, sensors, batch, Streams(seed))


def signal(count, batch=(), seed=5):
    """Values and their fresh noise, with zeros of both signs."""
    values, fresh = np.random.default_rng(seed).standard_normal((2, count, *batch, 9))
    values[::5], values[::7] = -0.0, 0.0
    return values, fresh


def feed(stage, values, fresh=None, dt=0.1, most=10**9):
    """What the stage makes of values, shape (T, *batch, K), in blocks of at most so many."""
    fresh = np.zeros_like(values) if fresh is None else fresh
    parts = []
    for k in range(0, len(values), most):
        part = slice(k, k + most)
        block = values[part].copy()
        parts.append(stage.apply(block, dt, SimpleNamespace(fresh=fresh[part])).copy())
    return np.concatenate(parts)


def drive(stage, batch=(), most=10**9, pieces=PIECES):
    """Outputs of the stage over the pieces, end to end."""
    values, fresh = signal(sum(n for _, n in pieces), batch)
    ends = np.cumsum([n for _, n in pieces])
    return np.concatenate(
        [
            feed(stage, values[end - n : end], fresh[end - n : end], dt, most)
            for (dt, n), end in zip(pieces, ends, strict=True)
        ]
    )


def same(a, b):
    return a.tobytes() == b.tobytes()


def possible(mode, target):
    return mode not in ("bias", "drift") or target != "all"


@pytest.mark.parametrize("most", [1, 7, 10**9])
@pytest.mark.parametrize(
    ("mode", "target"), [pair for pair in itertools.product(MODES, TARGETS) if possible(*pair)]
)
def test_before_during_and_after_a_fault(mode, target, most):
    values, fresh = signal(40)
    for axes in AXES:
        stage = staged(Fault(mode, target, axes, SIZES.get(mode), start=1.0, duration=1.5))
        expected = values.copy()
        during = slice(10, 25)
        for row, sensor in enumerate(SENSORS):
            for axis in axes if target in (sensor, "all") else "":
                column = 3 * row + "xyz".index(axis)
                expected[during, column] = {
                    "bias": values[during, column] + 0.7,
                    "drift": values[during, column] + 0.4 * 0.1 * (np.arange(15) + 0.5),
                    "noise": values[during, column] + 2.0 * fresh[during, column],
                    "stuck": np.full(15, values[9, column]),
                }.get(mode, np.full(15, np.nan))
        np.testing.assert_allclose(feed(stage, values, fresh, most=most), expected, atol=1e-14)


def test_a_fault_of_duration_zero_is_for_ever():
    found = feed(staged(Fault("total", start=0.25)), np.zeros((30000, 9)))
    assert np.isnan(found).all(axis=1).tolist() == [False] * 2 + [True] * 29998


@pytest.mark.parametrize(
    ("start", "duration", "bias", "drift"),
    [
        (0.25, 0.5, [0.5, 0.0, 0.0], [0.125, 0.0, 0.0]),
        (0.25, 1.5, [0.75, 0.75, 0.0], [0.75**2 / 2, (1.5**2 - 0.75**2) / 2, 0.0]),
        (0.5, 0.0, [0.5, 1.0, 1.0], [0.125, 1.0, 2.0]),
        (1.0, 1.0, [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]),
        (0.0, 3.0, [1.0, 1.0, 1.0], [0.5, 1.5, 2.5]),
        (2.0, 9.0, [0.0, 0.0, 1.0], [0.0, 0.0, 0.5]),
        (3.0, 9.0, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ],
)
def test_offsets_are_means_over_the_interval(start, duration, bias, drift):
    # Captures end at 1, 2, 3 s; the drift is the integral of t - start over the overlap.
    for mode, expected in (("bias", bias), ("drift", drift)):
        fault = Fault(mode, "gyroscope", magnitude=2.0, start=start, duration=duration)
        found = feed(staged(fault), np.zeros((3, 9)), dt=1.0)
        np.testing.assert_allclose(found[:, 0], 2.0 * np.array(expected), atol=1e-15)


@pytest.mark.parametrize("count", [1, 3, 50, 999])
def test_averages_do_not_depend_on_the_cut(count):
    cut = np.random.default_rng(count).uniform(0.1, 1.0, count)
    cut *= 4.0 / cut.sum()
    faults = [
        Fault("bias", "gyroscope", magnitude=3.0, start=0.777, duration=1.234),
        Fault("drift", "accelerometer", magnitude=3.0, start=0.777, duration=1.234),
    ]
    stage = staged(*faults)
    total = sum(dt * feed(stage, np.zeros((1, 9)), dt=dt)[0] for dt in cut.tolist())
    assert total[:3] == pytest.approx(3.0 * 1.234, rel=1e-12)
    assert total[3:6] == pytest.approx(3.0 * 1.234**2 / 2.0, rel=1e-12)


@pytest.mark.parametrize("dt", [0.1, 0.01, 0.0025, 1 / 3, 0.007, 1 / 4096])
def test_rounding_moves_no_capture_into_a_fault_or_out_of_it(dt):
    for first in range(0, 2000, 37):
        fault = Fault("total", start=first * dt, duration=5.0 * dt)
        lost = np.isnan(feed(staged(fault), np.zeros((2100, 9)), dt=dt)[:, 0])
        assert np.flatnonzero(lost).tolist() == list(range(first, first + 5))


def test_a_fault_between_the_ends_of_two_captures_is_an_offset_only():
    values = np.ones((20, 9))
    for mode in ("noise", "stuck", "total"):
        fault = Fault(mode, magnitude=SIZES.get(mode), start=1.02, duration=0.05)
        assert same(feed(staged(fault), values, values), values)


def test_stuck_from_the_start_repeats_the_first_value_of_the_run():
    values, _ = signal(8)
    values[0] = 0.25
    for most in (1, 8):
        found = feed(staged(Fault("stuck", duration=0.5)), values, most=most)
        assert same(found[:5], np.full((5, 9), 0.25))
        assert same(found[5:], values[5:])


def test_several_at_once_act_in_the_order_that_is_stated():
    # Listed the other way round: the order of the list does not count.
    faults = [
        Fault("intermittent", "gyroscope", "z", 1.0, start=0.3),
        Fault("stuck", "gyroscope", start=0.2),
        Fault("noise", "gyroscope", magnitude=3.0, start=0.1),
        Fault("noise", "gyroscope", magnitude=2.0, start=0.1),
        Fault("bias", "gyroscope", magnitude=10.0, start=0.1),
    ]
    values, fresh = np.full((4, 9), 1.0), np.arange(4.0)[:, None] * np.full(9, 0.01)
    found = feed(staged(*faults), values, fresh)
    # Stuck is 1 + 10 + (2 x 3 - 1) 0.01, without more noise from then on.
    np.testing.assert_allclose(found[:, 0], [1.0, 11.05, 11.05, 11.05])
    assert np.isnan(found[:, 2]).tolist() == [False, False, False, True]
    assert same(found[:, 3:], values[:, 3:])


def test_a_value_that_is_lost_is_kept_where_the_sensor_then_sticks():
    faults = [Fault("total", duration=0.2), Fault("stuck", start=0.2)]
    found = feed(staged(*faults), np.arange(4.0)[:, None] * np.ones(9))
    assert np.isnan(found[:2]).all()
    assert (found[2:] == 1.0).all()


@pytest.mark.parametrize("most", [2, 3, 16, 10**9])
def test_blocks_equal_single_captures_to_the_bit(batch, most):
    whole, single = staged(*MANY, batch=batch), staged(*MANY, batch=batch)
    assert same(drive(whole, batch, most), drive(single, batch, 1))
    assert whole.state() == single.state()
    assert np.array_equal(whole.active, single.active)


@pytest.mark.parametrize("longest", [1, 5, 1000])
def test_how_many_captures_are_dealt_with_at_once_makes_no_difference(batch, longest, monkeypatch):
    expected = drive(staged(*MANY, batch=batch), batch)
    monkeypatch.setattr(module, "_LONGEST", longest)
    assert same(drive(staged(*MANY, batch=batch), batch), expected)


def test_a_batch_of_one_is_the_sensor_itself():
    # The values of the two are the same, too.
    one, plain = staged(*MANY, batch=(1,)), staged(*MANY)
    assert same(drive(one, (1,)), drive(plain))


@pytest.mark.parametrize("before", range(0, 22, 3))
def test_a_restored_stage_goes_on_to_the_bit(batch, before):
    first, rest = [(0.13, before)] if before else [], [(0.13, 40), (0.01, 50)]
    stage, other = staged(*MANY, batch=batch), staged(*MANY, batch=batch, seed=99)
    if first:
        drive(stage, batch, pieces=first)
    drive(other, batch)
    text = json.dumps(stage.state(), allow_nan=False)
    other.restore(json.loads(text))
    assert np.array_equal(other.active, stage.active)
    assert same(drive(other, batch, pieces=rest), drive(stage, batch, pieces=rest))


def test_a_state_of_another_batch_is_refused():
    with pytest.raises(ValueError, match="reshape"):
        staged(*MANY).restore(staged(*MANY, batch=(2,)).state())


def test_reset_repeats_the_run(batch):
    streams = Streams(3)
    stage = Faults(MANY, SENSORS, batch, streams)
    expected = drive(stage, batch)
    again = drive(stage, batch)
    assert not same(again, expected)
    streams.restart()
    stage.reset()
    assert same(drive(stage, batch), expected)


def test_members_that_begin_anew_leave_the_others_alone():
    batch = (3, 1, 2, 1)
    where = np.zeros(batch, dtype=bool)
    where[1, 0, 0] = where[2] = True
    stage, other = staged(*MANY, batch=batch), staged(*MANY, batch=batch)
    drive(stage, batch)
    drive(other, batch)
    stage.reset(where)
    assert not stage.active[:, where].any()
    found, undisturbed = drive(stage, batch, 16), drive(other, batch, 16)
    assert same(found[:, ~where], undisturbed[:, ~where])
    assert not np.array_equal(found[:, where], undisturbed[:, where], equal_nan=True)


def test_a_member_that_begins_anew_has_what_is_planned_again():
    fault = Fault("bias", "gyroscope", magnitude=1.0, start=0.5, duration=1.0)
    stage = staged(fault, Fault("stuck", "accelerometer", duration=0.2), batch=(2,))
    feed(stage, np.zeros((33, 2, 9)))
    stage.reset(np.array([False, True]))
    found = feed(stage, np.arange(1.0, 21.0)[:, None, None] * np.ones((2, 9)))
    found[:, 1, 0] -= np.arange(1.0, 21.0)
    np.testing.assert_allclose(found[:, 1, 0], [0.0] * 5 + [1.0] * 10 + [0.0] * 5, atol=1e-12)
    assert found[:3, 1, 3].tolist() == [1.0, 1.0, 3.0]
    assert same(found[:, 0], np.arange(1.0, 21.0)[:, None] * np.ones(9))


def test_a_gap_across_starts_and_ends():
    faults = [
        Fault("bias", "gyroscope", "x", 1.0, start=1.0, duration=1.0),
        Fault("drift", "gyroscope", "y", 1.0, start=2.5),
        Fault("total", "gyroscope", "z", start=3.2),
    ]
    for gap, expected in ((0.4, [1.0, 0.0]), (1.5, [0.0, 0.05]), (2.5, [0.0, 1.05])):
        stage = staged(*faults)
        feed(stage, np.zeros((10, 9)))
        stage.skip(gap)
        found = feed(stage, np.zeros((1, 9)))[0]
        np.testing.assert_allclose(found[:2], expected, atol=1e-12)
        assert np.isnan(found[2]) == (gap == 2.5)


def test_what_comes_by_chance_comes_in_gaps_as_well():
    # A gap as long as so many captures: the windows are where they would have been.
    fault = Fault("total", duration=0.7, mtbf=0.9)
    through, gaps = staged(fault, batch=(4,)), staged(fault, batch=(4,))
    expected = np.isnan(feed(through, np.zeros((500, 4, 9)), dt=0.0625))
    for k in range(0, 500, 50):
        found = np.isnan(feed(gaps, np.zeros((10, 4, 9)), dt=0.0625))
        assert np.array_equal(found, expected[k : k + 10])
        gaps.skip(2.5)


def test_clear_ends_what_acts_and_leaves_what_is_to_come():
    faults = [
        Fault("total", "gyroscope"),
        Fault("total", "accelerometer", start=2.0, duration=0.5),
        Fault("total", "magnetometer", duration=1e3, mtbf=0.001),
    ]
    stage = staged(*faults)
    assert (
        np.isnan(feed(stage, np.zeros((10, 9)))[-1]).tolist()
        == [True] * 3 + [False] * 3 + [True] * 3
    )
    stage.clear()
    assert not stage.active.any()
    found = np.isnan(feed(stage, np.zeros((40, 9))))
    assert not found[:, :3].any()
    assert np.flatnonzero(found[:, 3]).tolist() == [10, 11, 12, 13, 14]
    assert found[1:, 6].all()
    stage.reset()
    assert np.isnan(feed(stage, np.zeros((1, 9)))[0, :3]).all()


def test_clear_lets_a_stuck_sensor_go_at_once_and_ends_an_offset_there():
    stage = staged(Fault("stuck", "gyroscope"), Fault("bias", "accelerometer", magnitude=1.0))
    feed(stage, np.zeros((5, 9)))
    stage.clear()
    assert same(feed(stage, np.full((2, 9), 3.0)), np.full((2, 9), 3.0))


def test_active_and_dead_are_about_the_last_capture():
    stage = staged(Fault("total", "gyroscope", start=0.1, duration=0.1), MANY[1], batch=(2,))
    seen = []
    for _ in range(4):
        feed(stage, np.zeros((1, 2, 9)))
        assert stage.dead.shape == (2, 3)
        assert not stage.dead[:, 1:].any()
        seen.append((stage.active[0].tolist(), stage.dead[:, 0].tolist()))
    assert seen == [([n, n], [n, n]) for n in (False, True, False, False)]


def test_with_nothing_to_do_nothing_is_touched():
    stage = staged(Fault("noise", magnitude=2.0, start=1e6), Fault("stuck", start=1e6))
    block = np.full((3, 9), -0.0)
    assert stage.apply(block, 0.1, None) is block
    assert same(block, np.full((3, 9), -0.0))
    assert staged().apply(block, 0.1, None) is block


def test_nothing_grows():
    stage = staged(*MANY)
    feed(stage, *signal(100))
    size = len(json.dumps(stage.state()))
    feed(stage, *signal(2000))
    assert len(json.dumps(stage.state())) < 1.3 * size


def test_times_between_faults_are_exponential():
    # 40 members, 500 windows each, n = 20000 gaps of mean m. Twice their sum over m is chi-square
    # with 2n degrees of freedom; their mean square is 2 m^2 with deviation sqrt(20/n) m^2; one
    # is above m with probability 1/e; neighbours have correlation 0 with deviation 1/sqrt(n).
    fault = Fault("total", start=7.0, duration=0.25, mtbf=2.0)
    calendar = Calendar((fault,), (40,), Streams(2))
    calendar.reset(0.0, None)
    begins = [[] for _ in range(40)]
    for begin, end in calendar.windows(0, 1400.0):
        assert (end[np.isfinite(end)] == begin[np.isfinite(end)] + 0.25).all()
        for row, time in zip(begins, begin.tolist(), strict=True):
            row.extend([time] if np.isfinite(time) else [])
    times = np.array([row[:500] for row in begins])
    gaps = np.diff(times, axis=1, prepend=7.0 - 0.25) - 0.25
    n = gaps.size
    assert n == 20000
    assert gaps.min() > 0.0
    low, high = chi_square_limits(2 * n)
    assert low < 2.0 * gaps.sum() / 2.0 < high
    assert abs(np.mean(gaps**2) - 8.0) < Z * (20.0 / n) ** 0.5 * 4.0
    p = np.exp(-1.0)
    assert abs(np.mean(gaps > 2.0) - p) < Z * (p * (1.0 - p) / n) ** 0.5
    ahead, behind = gaps[:, 1:].ravel() / 2.0 - 1.0, gaps[:, :-1].ravel() / 2.0 - 1.0
    assert abs(np.mean(ahead * behind)) < Z / ahead.size**0.5
    ahead, behind = gaps[1:].ravel() / 2.0 - 1.0, gaps[:-1].ravel() / 2.0 - 1.0
    assert abs(np.mean(ahead * behind)) < Z / ahead.size**0.5


def test_the_time_in_fault_is_duration_over_duration_and_mtbf():
    # Alternating renewal: the variance of the time in fault over t is t d^2 m^2/(d + m)^3, as gaps
    # vary by m and durations not at all. 64 members, t = 1000 s: 64000 s.
    d, m, dt = 0.5, 1.5, 0.05
    stage = staged(Fault("total", duration=d, mtbf=m), batch=(64,))
    lost = np.isnan(feed(stage, np.zeros((20000, 64, 9)), dt=dt, most=2000)[..., 0])
    deviation = (d**2 * m**2 / (d + m) ** 3 / 64000.0) ** 0.5
    # The first gap comes before the first fault: less than m d/(d + m)/t too few.
    assert abs(lost.mean() - d / (d + m)) < Z * deviation + m * d / (d + m) / 1000.0


@pytest.mark.parametrize("fraction", [0.0, 0.02, 0.5, 1.0])
def test_intermittent_loses_its_fraction_independently(fraction):
    # Binomial, n = 20 members x 10000 captures; products of neighbours in time and of neighbouring
    # members have deviation p(1-p)/sqrt(n).
    stage = staged(Fault("intermittent", "all", "xz", fraction), batch=(20,))
    found = np.isnan(feed(stage, np.zeros((10000, 20, 9))))
    assert not found[..., [1, 4, 7]].any()
    lost = found[..., 0]
    assert all(np.array_equal(found[..., c], lost) for c in (2, 3, 5, 6, 8))
    n, spread = lost.size, (fraction * (1.0 - fraction)) ** 0.5
    assert abs(lost.mean() - fraction) <= Z * spread / n**0.5
    rest = lost - fraction
    for products in (rest[1:] * rest[:-1], rest[:, 1:] * rest[:, :-1]):
        assert abs(products.mean()) <= Z * spread**2 / products.size**0.5


def test_captures_lost_and_times_between_faults_are_drawn_apart():
    # One with an mtbf uses both rows; the first numbers of the two differ.
    calendar = Calendar(
        (Fault("intermittent", magnitude=0.5, mtbf=1.0, duration=1.0),), (), Streams(0)
    )
    calendar.reset(0.0, None)
    wait = 1.0 * -np.log1p(-calendar.uniform(0, np.arange(5)))
    assert not np.isclose(wait, calendar.next()).any()


def test_another_fault_changes_no_draw_of_one_with_a_name():
    named = [
        Fault("intermittent", "gyroscope", "x", 0.5, duration=0.5, mtbf=0.5, name="a"),
        Fault("intermittent", "gyroscope", "y", 0.5, duration=0.5, mtbf=0.5, name="b"),
    ]
    values = np.zeros((500, 9))
    both = np.isnan(feed(staged(*named), values))
    alone = np.isnan(feed(staged(named[1], Fault("total", "accelerometer")), values))
    assert np.array_equal(alone[:, 1], both[:, 1])
    assert not np.array_equal(both[:, 0], both[:, 1])


def test_faults_without_a_name_and_seeds_have_draws_of_their_own():
    faults = [Fault("intermittent", "gyroscope", axis, 0.5) for axis in "xyz"]
    found = [
        np.isnan(feed(staged(*faults, seed=seed), np.zeros((500, 9))))[:, column]
        for seed in (0, 1)
        for column in range(3)
    ]
    assert len({row.tobytes() for row in found}) == 6


def test_a_fault_draws_nothing_of_what_others_draw():
    streams, expected = Streams(4), Streams(4).generator("gyroscope/white").random(5)
    drive(Faults(MANY, SENSORS, (), streams))
    assert np.array_equal(streams.generator("gyroscope/white").random(5), expected)
    assert all(name.startswith(("faults/", "gyroscope/white")) for name in streams.state())


def test_the_numbers_are_those_of_splitmix64():
    # Its first outputs from 0, as published.
    outputs = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    found = _uniform(np.uint64(0), np.arange(3))
    assert found.tolist() == [((output >> 12) + 0.5) * 2.0**-52 for output in outputs]


def test_a_fault_of_a_sensor_that_there_is_not_is_refused():
    with pytest.raises(ParameterError, match="target = 'magnetometer': must be one of gyroscope"):
        staged(Fault("total", "magnetometer"), sensors=SENSORS[:2])


def test_all_are_those_that_there_are():
    stage = staged(Fault("total"), sensors=SENSORS[:2])
    block = stage.apply(np.zeros((1, 6)), 0.1, None)
    assert np.isnan(block).all()
    assert stage.dead.shape == (2,)


def test_a_gap_of_decades_is_passed_at_once_and_leaves_the_law():
    # A fault is there half the time. Of 20000 sensors so many have it but for 3.1 %, 6 sigma.
    stage = staged(
        Fault("bias", "gyroscope", magnitude=1.0, mtbf=1.0, duration=1.0), batch=(20_000,)
    )
    stage.skip(1e9)
    block = stage.apply(np.zeros((1, 20_000, 9)), 1e-3, None)
    for share in (stage.active.mean(), block[0, :, 0].mean()):
        assert abs(share - 0.5) < 6.0 * 0.5 / 20_000**0.5


def test_a_fault_that_comes_once_comes_after_any_gap():
    stage = staged(Fault("total", start=5.0))
    stage.skip(1e9)
    assert np.isnan(stage.apply(np.zeros((1, 9)), 0.1, None)).all()
