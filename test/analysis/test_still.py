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

"""The floor of white noise at rest: its law, and what is refused.

White noise of density N read at a rate has sigma N sqrt(rate); n increments give N with a relative
standard deviation of 1/sqrt(2 (n - 1)). Bounds are five such deviations, 6e-7 two-sided.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from imu_noise_node.analysis.still import find_still
from imu_noise_node.analysis.still_blocks import Window
from imu_noise_node.analysis.still_checks import bartlett, motion
from imu_noise_node.errors import InputError, ParameterError
from imu_noise_node.recordings.reading import read_imu
from imu_noise_node.recordings.record import ImuRecord

DENSITY = np.array([2e-4, 3e-4, 1e-4, 2e-3, 1e-3, 4e-3])
MEAN = np.array([0.01, -0.02, 0.003, 0.1, -0.2, 9.8])


def at_rest(seconds=10.0, rate=100.0, seed=0, density=DENSITY):
    """A record of a sensor at rest whose noise is white."""
    count = round(seconds * rate)
    noise = np.random.default_rng(seed).standard_normal((6, count))
    values = MEAN[:, None] + density[:, None] * np.sqrt(rate) * noise
    return ImuRecord("made.csv", np.round(np.arange(count) * 1e9 / rate).astype(np.int64), values)


def changed(record, function):
    """The record with other values: `function(times [s], values)`."""
    times = 1e-9 * (record.stamps - record.stamps[0])
    return replace(record, values=function(times, record.values.copy()))


def floors(found):
    return np.concatenate([sensor.floor for sensor in found.sensors])


def refused(record, **arguments):
    with pytest.raises(InputError) as caught:
        find_still(record, **arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("rate", "blocks"),
    # 40 ms are as near to 50 ms as readings at 25 Hz allow.
    [(25.0, 250), (100.0, 200), (400.0, 200), (1000.0, 200)],
)
def test_the_floor_of_white_noise_is_its_density_at_every_rate(rate, blocks):
    # 40 records, 6 axes: the mean square has a relative deviation of sqrt(2/(240*199)) = 0.65 %.
    found = [find_still(at_rest(rate=rate, seed=seed)) for seed in range(40)]
    assert {f.blocks for f in found} == {blocks}
    assert all(f.length == pytest.approx(10.0, abs=1e-6) for f in found)
    ratios = np.array([floors(f) / DENSITY for f in found])
    assert np.mean(ratios**2) == pytest.approx(1.0, abs=5 * np.sqrt(2 / (240 * (blocks - 1))))
    # The spread of the ratios is what each says of itself, to 1/sqrt(2*240) = 4.6 %.
    assert np.std(ratios) == pytest.approx(found[0].uncertainty, rel=5 / np.sqrt(2 * 240))
    assert found[0].uncertainty == pytest.approx(1 / np.sqrt(2 * (blocks - 1)), rel=1e-12)
    per_reading = np.concatenate([sensor.per_reading for sensor in found[0].sensors])
    assert per_reading == pytest.approx(DENSITY, rel=5 / np.sqrt(2 * 10 * rate))


def test_slow_noise_and_filters_leave_the_floor_below_and_above_one_reading():
    # A first-order filter of 5 ms takes from a reading at 1 kHz what 50 ms hardly notice.
    def filtered(_, values):
        for row in values:
            noise, mean, last = row - row.mean(), row.mean(), 0.0
            for k, value in enumerate(noise):
                last += (value - last) / 5.0
                noise[k] = last
            row[:] = mean + noise
        return values

    found = find_still(changed(at_rest(rate=1000.0, seed=3), filtered))
    per_reading = np.concatenate([sensor.per_reading for sensor in found.sensors])
    # Of variance 1/(2*5 - 1) per reading; of a sum over 50, all but about a tenth.
    assert per_reading / DENSITY == pytest.approx(np.full(6, 1 / 3), rel=0.1)
    assert floors(found) / DENSITY == pytest.approx(np.full(6, 0.95), abs=0.25)


def test_bias_gravity_and_the_direction_up():
    found = find_still(at_rest())
    # A mean over 10 s has sigma N/sqrt(10).
    assert np.all(np.abs(found.bias - MEAN[:3]) < 5 * DENSITY[:3] / np.sqrt(10))
    assert found.gravity == pytest.approx(np.linalg.norm(MEAN[3:]), abs=0.01)
    assert found.up == pytest.approx(MEAN[3:] / np.linalg.norm(MEAN[3:]), abs=1e-3)
    assert found.notes == ()
    assert [sensor.worst for sensor in found.sensors] == [1, 2]


def test_the_quiet_part_of_a_moving_record_is_found():
    rng = np.random.default_rng(1)

    def moving(times, values):
        moved = (times < 31.0) | (times > 45.0)
        sizes = np.abs(np.sin(times)) * np.array([0.5, 0.5, 0.5, 2, 2, 2])[:, None]
        return values + moved * sizes * rng.standard_normal(values.shape)

    record = changed(at_rest(60.0), moving)
    found = find_still(record)
    assert 31.0 <= found.start < found.start + found.length <= 45.1
    assert floors(found) == pytest.approx(DENSITY, rel=0.3)
    assert found.stamps[0] == pytest.approx(found.start * 1e9, abs=1)
    later = find_still(record, start=33.0, end=44.5, window=5.0)
    assert 33.0 <= later.start < later.start + later.length <= 44.5
    assert "is not still" in refused(record, end=31.0)


def test_a_sensor_at_rest_is_never_refused():
    # At 1e-6 each, 600 records of three lengths are refused with a chance of 0.06 %.
    for seconds in (0.45, 1.5, 10.0):
        for seed in range(200):
            found = find_still(at_rest(seconds, rate=100.0, seed=1000 + seed))
            assert found.blocks >= 9


@pytest.mark.parametrize("count", [3, 10])
def test_averages_of_cells_may_wander_as_far_as_one_in_a_million(count):
    """In cells of three with equal variances, and averages of which two are off by as much.

    Within a cell the variance is 1. Averages of a, -a and else 0 have 2 a^2/(count - 1), so that
    F is three times that, of count - 1 and 2 count degrees of freedom; never less than 30.
    """
    stats = pytest.importorskip("scipy.stats")
    bound = max(30.0, stats.f.isf(1e-6, count - 1, 2 * count))
    for share, moves in ((0.99, False), (1.01, True)):
        means = np.zeros(count)
        means[:2] = np.array([1.0, -1.0]) * np.sqrt(share * bound * (count - 1) / 6.0)
        cells = means[:, None] + np.array([-1.0, 0.0, 1.0])
        said = motion(Window(cells[None], slice(0, 3 * count)), ["gyroscope's x"])
        assert ("wanders" in said) == moves, said


@pytest.mark.parametrize(("count", "size"), [(3, 3), (10, 4), (10, 20)])
def test_bartletts_statistic_is_chi_square(count, size):
    # Mean C - 1 and variance 2 (C - 1); of 40,000, the mean is known to sqrt(2 (C - 1)/40,000).
    draws = np.random.default_rng(5).standard_normal((40_000, count, size))
    statistic = bartlett(draws.var(axis=2, ddof=1), size)
    bound = 5 * np.sqrt(2 * (count - 1) / 40_000)
    # The correction is of first order: groups of three leave 1 %.
    assert statistic.mean() == pytest.approx(count - 1, abs=bound + 0.01 * (count - 1))


@pytest.mark.parametrize(
    ("motion", "axis"),
    [
        # Shaken for a second of ten; leaning by a degree; a slow swing of the gyroscope.
        (lambda t: (3, 0.05 * np.sin(40.0 * t) * ((t > 4.0) & (t < 5.0))), "accelerometer's x"),
        (lambda t: (4, 0.17 * t / 10.0), "accelerometer's y"),
        (lambda t: (2, 5e-3 * np.sin(0.6 * t)), "gyroscope's z"),
    ],
)
def test_motion_is_refused(motion, axis):
    def moved(times, values):
        row, added = motion(times)
        values[row] += added
        return values

    said = refused(changed(at_rest(), moved))
    assert "is not still: even in the 10 s from 0 s" in said
    assert axis in said


def test_an_axis_that_hangs_for_a_second_is_refused():
    def hanging(times, values):
        values[2, (times >= 4.0) & (times < 5.0)] = 0.0
        return values

    assert "gyroscope's z axis changes only now and then" in refused(changed(at_rest(), hanging))


def test_units_that_are_not_si_are_refused():
    in_g = changed(at_rest(), lambda _, v: np.vstack([v[:3], v[3:] / 9.80665]))
    assert "looks like g: the accelerometer reads 0.9996 at rest" in refused(in_g)
    in_mg = changed(at_rest(), lambda _, v: np.vstack([v[:3], v[3:] * 1000 / 9.80665]))
    assert "looks like mg or cm/s^2" in refused(in_mg)
    in_degrees = changed(at_rest(), lambda _, v: np.vstack([np.degrees(v[:3]), v[3:]]))
    assert "looks like deg/s" in refused(in_degrees)


def test_what_may_be_right_is_noted():
    def notes(function):
        return " ".join(find_still(changed(at_rest(), function)).notes)

    weightless = notes(lambda _, v: v - np.array([0, 0, 0, 0, 0, 9.8])[:, None])
    assert "0.2" in weightless
    assert "gravity in it?" in weightless
    turning = notes(lambda _, v: v + np.array([0, 0, 0.5, 0, 0, 0])[:, None])
    assert "does it turn" in turning
    noisy = replace(
        at_rest(), values=np.vstack([10 * at_rest().values[:3], np.full((3, 1000), np.nan)])
    )
    assert "are the rates in rad/s?" in " ".join(find_still(noisy).notes)


def test_readings_that_repeat_are_refused():
    slow = at_rest(20.0)
    for factor, share, update in ((2, "50%", "200 Hz"), (10, "90%", "40 Hz")):
        values = np.repeat(slow.values[:, : 8000 // factor], factor, axis=1)[:, :8000]
        stamps = np.arange(values.shape[1]) * 2_500_000
        said = refused(ImuRecord("made.csv", stamps, values))
        assert f"repeats {share} of the gyroscope's readings" in said
        assert f"about {update}" in said
    few = slow.values.copy()
    few[:3, 1::10] = few[:3, 0::10]
    assert "10% of the readings repeat" in " ".join(find_still(replace(slow, values=few)).notes)


def test_steps_as_large_as_the_noise_are_noted_and_larger_ones_refused():
    def rounded(step):
        return changed(at_rest(), lambda _, v: np.vstack([v[:3], np.round(v[3:] / step) * step]))

    # One reading of the y axis has sigma 0.01.
    found = find_still(rounded(0.01))
    assert "accelerometer: its readings come in steps of 0.01 (y)" in found.notes[0]
    assert find_still(rounded(0.002)).notes == ()
    assert "accelerometer" in refused(rounded(0.2))
    constant = changed(at_rest(), lambda _, v: np.vstack([v[:5], np.full((1, 1000), 9.8)]))
    assert "accelerometer z never changes" in refused(constant)


def test_a_step_that_flips_now_and_then_is_refused():
    def flipping(_, values):
        values[0] = 0.0
        values[0, ::97] = 1e-3
        return values

    assert "hides the gyroscope's noise" in refused(changed(at_rest(), flipping))


def test_gaps_are_left_out_and_one_sensor_is_enough():
    record = at_rest(30.0)
    kept = np.ones(3000, dtype=bool)
    kept[::170] = False
    kept[1500:1800] = False
    gappy = ImuRecord("gappy.csv", record.stamps[kept], record.values[:, kept])
    found = find_still(gappy)
    assert found.blocks == 200
    assert floors(found) == pytest.approx(DENSITY, rel=0.3)
    assert "gaps" in found.notes[0]
    ends = [1e-9 * stamp for stamp in found.stamps]
    assert ends[1] < 15.0 or ends[0] > 18.0
    lost = changed(record, lambda _, v: np.vstack([v[:3], np.full((3, 3000), np.nan)]))
    alone = find_still(lost)
    assert [sensor.sensor for sensor in alone.sensors] == ["gyroscope"]
    assert (alone.gravity, alone.up) == (None, None)
    forces = changed(record, lambda _, v: np.vstack([np.full((3, 3000), np.nan), v[3:]]))
    assert find_still(forces).bias is None


@pytest.mark.parametrize("step", [30_000_000, -20_000_000, 0])
def test_no_increment_reaches_over_a_break(step):
    # Two runs of 69 readings have 13 blocks each, of which 25 make five cells; one of 138 has 27.
    record = at_rest(1.38)
    stamps = record.stamps.copy()
    stamps[69:] += step - 10_000_000
    assert find_still(record).blocks == 27
    assert find_still(replace(record, stamps=stamps)).blocks == 25


def test_no_window_reaches_over_a_long_gap():
    record = at_rest(16.0)
    stamps = record.stamps + (record.stamps >= 8 * 10**9) * 100 * 10**9
    gappy = replace(record, stamps=stamps)
    assert "has gaps" in refused(gappy)
    found = find_still(gappy, window=5.0)
    assert found.stamps[1] - found.stamps[0] < 6 * 10**9


def test_numbers_that_are_missing_are_not_in_the_window():
    record = changed(at_rest(30.0), lambda t, v: np.where((t > 9.0) & (t < 12.0), np.nan, v))
    assert find_still(record).start >= 12.0
    everywhere = changed(at_rest(), lambda t, v: np.where(np.arange(1000) % 5 == 1, np.nan, v))
    assert "missing numbers" in refused(everywhere)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("factor", [np.inf, 1e300])
def test_readings_without_a_variance_are_not_in_the_window(factor):
    record = changed(at_rest(30.0), lambda t, v: np.where((t > 9.0) & (t < 12.0), v * factor, v))
    assert find_still(record).start >= 12.0


def test_arguments_and_lengths_that_will_not_do():
    assert "9 blocks of 0.05 s, 0.45 s in all, and there are 0.4 s" in refused(at_rest(0.44))
    assert "9 blocks" in refused(at_rest(), window=0.4)
    for arguments in (
        {"window": 0.0},
        {"window": np.nan},
        {"start": 11.0},
        {"start": 3, "end": 2},
    ):
        with pytest.raises(ParameterError):
            find_still(at_rest(), **arguments)
    assert "1 s are few" in find_still(at_rest(), window=1.0).notes[0]


@pytest.fixture(scope="module")
def recordings(shared_data):
    return shared_data / "recordings"


def test_the_adis16405(recordings):
    record = read_imu(
        recordings / "adis16405_static_100hz.npz",
        columns={
            "angular_velocity": "gyro_counts_0p05dps",
            "linear_acceleration": "accel_counts_0p00333g",
            "rate": "rate_hz",
        },
        gyroscope_unit="0.05 deg/s",
        accelerometer_unit="3.33 mg",
    )
    found = find_still(record)
    # Medians over windows of ten seconds, of sigma of a reading times sqrt(dt); of its filters the
    # gyroscope's z axis reads less over 50 ms, the accelerometer more.
    ten_seconds = np.array([6.10, 6.43, 7.50, 39.6, 31.9, 40.1]) * 1e-4
    per_reading = np.concatenate([sensor.per_reading for sensor in found.sensors])
    assert per_reading == pytest.approx(ten_seconds, rel=0.1)
    worst = [sensor.floor.max() for sensor in found.sensors]
    assert worst == pytest.approx([7.50e-4, 40.1e-4], rel=0.1)
    # A floor: the Allan deviation at 1 s is above it, by more than the uncertainty in most axes.
    allan = np.array([7.19, 7.50, 6.70, 70.8, 49.6, 62.0]) * 1e-4
    assert np.all(floors(found) < allan)
    assert np.all(floors(found) > 0.5 * allan)


def test_the_phone(recordings):
    found = find_still(read_imu(recordings / "glopes_phone_static.csv"))
    per_reading = np.concatenate([sensor.per_reading for sensor in found.sensors])
    expected = np.array([1.47, 1.10, 1.06, 2.1, 5.0, 5.6]) * 1e-4
    assert per_reading == pytest.approx(expected, rel=0.02)
    assert "steps of 0.001" in found.notes[0]
    assert "rounding is part of the floor" in found.notes[0]


def test_the_phidgets_is_still_for_a_second_and_a_half(recordings):
    pytest.importorskip("rosbags", reason="rosbags is not installed")
    record = read_imu(recordings / "phidgets_imu_upside_down.bag")
    found = find_still(record, end=1.5)
    per_reading = np.concatenate([sensor.per_reading for sensor in found.sensors])
    expected = np.array([1.6, 1.6, 1.3, 2.4, 2.7, 2.1]) * 1e-4
    assert per_reading == pytest.approx(expected, rel=0.1)
    assert found.up == pytest.approx([0, 0, -1], abs=0.03)
    # Of the whole recording the same second and a half is found; none of ten seconds is still.
    assert find_still(record, window=1.25).start < 0.5
    for arguments in ({}, {"start": 1.5}, {"start": 1.5, "window": 5.0}):
        assert "is not still" in refused(record, **arguments)
    assert "if it rested in the 1.25 s from 0.4" in refused(record)


def test_a_flight_is_refused(recordings):
    record = read_imu(recordings / "euroc_V1_01_imu0_data.csv.gz")
    for window in (2.0, 5.0, 10.0):
        assert "is not still" in refused(record, window=window)
    assert "a hand that trembles" in find_still(record, window=1.0).notes[-1]
