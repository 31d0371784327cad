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

from imu_noise_node.analysis.allan import FEWEST, allan, averaging_factors, overlapping
from imu_noise_node.analysis.fit import fit
from imu_noise_node.errors import InputError
from imu_noise_node.recordings.reading import read_imu
from imu_noise_node.recordings.record import ImuRecord

pytest.importorskip("allantools", reason="needs allantools")
pytest.importorskip("scipy", reason="needs scipy")


def record(count=4000, rate=100.0, seed=0) -> ImuRecord:
    stamps = (np.arange(count) * (1e9 / rate)).astype(np.int64)
    return ImuRecord("made", stamps, np.random.default_rng(seed).standard_normal((6, count)))


def test_the_deviation_is_that_of_the_definition():
    values = np.random.default_rng(5).standard_normal(500) + 9.8
    for m in (1, 3, 40):
        means = np.convolve(values, np.full(m, 1.0 / m), mode="valid")
        expected = np.sqrt(np.mean((means[m:] - means[:-m]) ** 2) / 2.0)
        assert overlapping(values, 50.0, np.array([m]))[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("count", "rate"), [(288, 100.0), (4000, 7.3), (100_000, 400.0)])
def test_times_are_whole_and_no_longer_than_a_ninth(count, rate):
    factors = averaging_factors(count, rate)
    assert factors[0] == 1
    assert (np.diff(factors) > 0).all()
    assert factors[-1] <= count // 9
    powers = 2 ** np.arange(int(np.log2(count // 9)) + 1)
    assert np.isin(powers, factors).all()


def test_one_second_is_among_the_times():
    curves = allan(record(rate=100.0))
    assert 1.0 in curves.taus
    measured = curves.deviations[:, list(curves.taus).index(1.0)]
    np.testing.assert_allclose(curves.at(1.0), measured, rtol=1e-12)


def test_white_noise_falls_as_it_must():
    # 40 s at 100 Hz of sigma 1: N = 0.1; the deviation at one interval has a sigma of about 1.2 %
    # (edf 2/3 of 4000), and 6 % are 5 of them.
    curves = allan(record())
    assert curves.dt == pytest.approx(0.01)
    np.testing.assert_allclose(curves.deviations[:, 0], 1.0, rtol=0.06)


def test_the_longest_regular_stretch_is_used_and_said():
    made = record(6000)
    made.stamps[2000:] += 3_000_000_000
    curves = allan(made)
    assert curves.count == 4000
    assert any("longest stretch" in note for note in curves.notes)
    reference = allan(ImuRecord("", made.stamps[2000:], made.values[:, 2000:]))
    np.testing.assert_array_equal(curves.deviations, reference.deviations)


def test_a_wrong_first_stamp_is_told():
    made = record()
    made.stamps[1:] += 1_600_000_000_000_000_000
    curves = allan(made)
    assert curves.count == 3999
    assert any("first" in note.lower() for note in curves.notes)


def test_a_sensor_that_is_not_there_is_left_out():
    made = record()
    made.values[0:3] = np.nan
    curves = allan(made)
    assert np.isnan(curves.deviations[0:3]).all()
    assert [found is None for found in fit(curves)] == [True] * 3 + [False] * 3


@pytest.mark.parametrize("stamped", ["each", "twice"])
def test_readings_that_were_sent_twice_count_once(stamped):
    once = record()
    stamps = np.arange(8000) * 5_000_000 if stamped == "each" else np.repeat(once.stamps, 2)
    curves = allan(ImuRecord("twice", stamps, np.repeat(once.values, 2, axis=1)))
    assert 1.0 / curves.dt == pytest.approx(100.0, rel=1e-3)
    np.testing.assert_allclose(curves.deviations, allan(once).deviations, rtol=1e-9)
    (told,) = (note for note in curves.notes if "left out" in note)
    assert told.startswith("left out: 50.0% of these readings, which only repeat")
    assert not any("equal to the one before" in note for note in curves.notes)


def test_too_few_new_readings_are_refused():
    once = record(FEWEST - 1)
    stamps = np.arange(2 * FEWEST - 2) * 5_000_000
    with pytest.raises(InputError, match=f"{FEWEST - 1} regular readings"):
        allan(ImuRecord("twice", stamps, np.repeat(once.values, 2, axis=1)))


def test_a_sensor_that_is_slower_than_the_other_is_left_out():
    made = record()
    made.values[3:] = np.repeat(made.values[3:, ::2], 2, axis=1)
    curves = allan(made)
    assert np.isnan(curves.deviations[3:]).all()
    np.testing.assert_array_equal(curves.deviations[:3], allan(record()).deviations[:3])
    assert any("left out: the accelerometer, which" in note for note in curves.notes)
    made.values[:3, 1:] = np.repeat(made.values[:3, ::2], 2, axis=1)[:, :-1]
    with pytest.raises(InputError, match="repeat the ones before them, of both sensors by turns"):
        allan(made)


def test_progress_reaches_its_end():
    told = []
    allan(record(), lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == len(told)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda r: r.values.__setitem__((1, 50), np.nan), "NaN"),
        (lambda r: r.values.__setitem__(slice(None), 1.0), "never change"),
        (lambda r: r.values.__setitem__((2, 7), -1e200), "has a reading of 1e.200, and must have"),
        (lambda r: r.values.__imul__(1e-200), "are 0 at most: there is no noise to measure"),
        (lambda r: r.values.__imul__(1.0 + 20.0 * (np.arange(4000) % 2000 < 500)), "at rest"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_cannot_be_used_is_refused(spoil, said):
    made = record()
    spoil(made)
    with pytest.raises(InputError, match=said):
        allan(made)


def test_a_short_record_is_refused():
    with pytest.raises(InputError, match=f"at least {FEWEST}"):
        allan(record(FEWEST - 1))
    assert allan(record(FEWEST)).octave_factors[-1] == 32


def test_a_coarse_sensor_at_rest_is_not_taken_for_one_that_moves():
    made = record()
    made.values[:] = np.round(made.values / 4.5)
    allan(made)


def test_a_real_adis16405(shared_data):
    """data/README.md gives the Allan deviations at 1 s, read off by another program."""
    found = allan(
        read_imu(
            shared_data / "recordings" / "adis16405_static_100hz.npz",
            columns={
                "rate": "rate_hz",
                "angular_velocity": "gyro_counts_0p05dps",
                "linear_acceleration": "accel_counts_0p00333g",
            },
            gyroscope_unit="0.05 deg/s",
            accelerometer_unit="0.00333 g",
        )
    ).at(1.0)
    np.testing.assert_allclose(found[:3], [7.19e-4, 7.50e-4, 6.70e-4], rtol=0.03)
    np.testing.assert_allclose(found[3:], [7.08e-3, 4.96e-3, 6.20e-3], rtol=0.03)


@pytest.mark.parametrize("name", ["phidgets_imu_upside_down.bag", "euroc_V1_01_imu0_data.csv.gz"])
def test_real_motion_is_refused(shared_data, name):
    pytest.importorskip("rosbags", reason="needs rosbags")
    with pytest.raises(InputError, match="at rest"):
        allan(read_imu(shared_data / "recordings" / name))
