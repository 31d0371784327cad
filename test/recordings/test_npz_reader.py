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

"""Archives are read a block at a time, and the arrays in them checked before that."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from imu_noise_node.errors import InputError, UnknownNameError
from imu_noise_node.recordings import npz_reader
from imu_noise_node.recordings.reading import read_imu, read_pressure

COUNT = 1000
STAMPS = 1_700_000_000_000_000_000 + 2_500_000 * np.arange(COUNT)
RATES, FORCES = np.random.default_rng(1).standard_normal((2, COUNT, 3))
OURS = {"stamps": STAMPS, "angular_velocity": RATES, "linear_acceleration": FORCES}


@pytest.fixture
def read(tmp_path):
    """Return a function that writes arrays into an npz and reads it."""

    def read(arrays, **options):
        path = tmp_path / "log.npz"
        np.savez(path, **arrays)
        return read_imu(path, **options)

    return read


def same(record) -> bool:
    values = np.vstack([RATES.T, FORCES.T])
    return np.array_equal(record.stamps, STAMPS) and np.array_equal(record.values, values)


@pytest.mark.parametrize("block", [1 << 16, 100, 7])
@pytest.mark.parametrize("order", ["C", "F"])
def test_our_own_layout_comes_back(monkeypatch, read, block, order):
    monkeypatch.setattr(npz_reader, "_BLOCK", block)
    record = read({name: np.asarray(array, order=order) for name, array in OURS.items()})
    assert same(record)
    assert all(axis.flags.c_contiguous for axis in record.values)


def test_it_may_be_compressed_and_called_anything(tmp_path):
    np.savez_compressed(tmp_path / "log.npz", **OURS)
    assert same(read_imu(tmp_path / "log.npz"))
    packed = tmp_path / "log.dat"
    packed.write_bytes(gzip.compress((tmp_path / "log.npz").read_bytes()))
    assert same(read_imu(packed))


@pytest.mark.parametrize("times", [STAMPS, STAMPS.astype(">i8"), STAMPS.astype(np.uint64)])
@pytest.mark.parametrize("name", ["stamps", "t", "t_ns", "timestamps"])
def test_names_and_types_of_stamps(read, name, times):
    assert same(read({name: times, "gyro": RATES, "accelerometer": FORCES}))


def test_our_stamps_at_1_khz_leave_no_question(read):
    """1e6 ns or 1e6 us apart: of the stamps of others it would have to be asked."""
    times = 1_000_000 * np.arange(COUNT)
    assert np.array_equal(read({"stamps": times, "gyro": RATES}).stamps, times)
    with pytest.raises(InputError, match="are these ns or us"):
        read({"t": times, "gyro": RATES})


def test_seconds_are_rounded_to_the_nanosecond(read):
    seconds = np.arange(COUNT) * 0.0025
    assert np.array_equal(read({"t": seconds, "gyro": RATES}).stamps, STAMPS - STAMPS[0])


def test_counts_with_a_rate_are_given_what_one_is_worth(read):
    counts = np.arange(3 * COUNT, dtype=np.int16).reshape(COUNT, 3)
    arrays = {"gyro_counts": counts, "rate_hz": 400.0}
    columns = {"angular_velocity": "gyro_counts"}
    record = read(arrays, columns=columns, gyroscope_unit="0.05 deg/s")
    assert np.array_equal(record.stamps, STAMPS - STAMPS[0])
    np.testing.assert_allclose(record.values[:3], counts.T * np.radians(0.05), rtol=1e-14)
    assert np.isnan(record.values[3:]).all()
    with pytest.raises(
        InputError, match=r"holds counts; what is one worth\? \(gyroscope_unit says"
    ):
        read(arrays, columns=columns)


WRONG = {
    "no sensor": ({"stamps": STAMPS, "a": RATES}, "no array for angular_velocity or linear_acc"),
    "no time": ({"gyro": RATES}, "no array for stamps or rate; it has: gyro"),
    "lengths": ({"stamps": STAMPS[1:], "gyro": RATES}, "several lengths: stamps 999, gyro 1000"),
    "turned": ({"stamps": STAMPS, "gyro": RATES.T}, r"has shape \(3, 1000\), not \(T, 3\)"),
    "one axis": ({"stamps": STAMPS, "gyro": RATES[:, 0]}, r"has shape \(1000,\), not \(T, 3\)"),
    "no readings": ({"stamps": STAMPS[:0], "gyro": RATES[:0]}, "has no readings"),
    "objects": ({"stamps": STAMPS, "gyro": np.array([{}])}, "holds no plain numbers in .*object"),
    "texts": ({"t": STAMPS.astype(str), "gyro": RATES}, "holds no plain numbers"),
    "two of a kind": ({"t": STAMPS, "gyro": RATES, "gyroscope": RATES}, "several columns for ang"),
    "rate 0": ({"rate": 0.0, "gyro": RATES}, r"must be a rate \[Hz\], and is 0"),
    "rate nan": ({"rate": np.nan, "gyro": RATES}, r"must be a rate \[Hz\], and is nan"),
    "infinite": (
        {"t": np.append(1e-3 * STAMPS[1:], np.inf), "gyro": RATES},
        "that are no numbers",
    ),
}


@pytest.mark.parametrize(("arrays", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_the_arrays_is_one_sentence(read, arrays, sentence):
    with pytest.raises(InputError, match=sentence):
        read(arrays)


def test_an_array_that_was_asked_for_must_be_there(read):
    with pytest.raises(InputError, match=r"'g': is not in .*; it has: stamps, angular_velocity"):
        read(OURS, columns={"angular_velocity": "g"})
    with pytest.raises(UnknownNameError, match="unknown column 'wx'"):
        read(OURS, columns={"wx": "angular_velocity"})


@pytest.mark.parametrize("length", [5, 100, 5000, -1])
def test_a_truncated_archive_is_one_sentence(tmp_path, length):
    path = tmp_path / "log.npz"
    np.savez(path, **OURS)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InputError, match="is a damaged npz"):
        read_imu(path)


def test_a_damaged_archive_is_one_sentence(tmp_path):
    path = tmp_path / "log.npz"
    np.savez(path, **OURS)
    content = bytearray(path.read_bytes())
    content[4000:4010] = b"0123456789"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is a damaged npz: Bad CRC-32"):
        read_imu(path)


def test_an_archive_has_no_pressure(tmp_path):
    np.savez(tmp_path / "log.npz", **OURS)
    assert read_pressure(tmp_path / "log.npz") is None
