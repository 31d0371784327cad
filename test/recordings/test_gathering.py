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

"""Blocks of any length become one array of axes; long ones on a disk that nobody has to clean."""

from __future__ import annotations

import errno
import tempfile

import numpy as np
import pytest

from imu_noise_node.errors import InputError
from imu_noise_node.recordings import gathering
from imu_noise_node.recordings.gathering import gather


def blocks(*lengths: int):
    start = 0
    for length in lengths:
        rows = np.arange(start, start + length)
        yield rows * 1_000_000_007, rows[:, None] + np.array([0.0, 0.25, 0.5])
        start += length


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("limit", [1 << 24, 800, 1])
@pytest.mark.parametrize("lengths", [(1,), (5, 1, 100), (64, 64, 64)])
def test_the_rows_come_back_axis_by_axis(monkeypatch, folder, lengths, limit):
    monkeypatch.setattr(gathering, "IN_MEMORY", limit)
    stamps, values = gather(blocks(*lengths), 3)
    rows = np.arange(sum(lengths))
    assert stamps.dtype == np.int64
    assert np.array_equal(stamps, rows * 1_000_000_007)
    assert np.array_equal(values, rows + np.array([[0.0], [0.25], [0.5]]))
    assert all(axis.flags.c_contiguous for axis in values)
    assert isinstance(values, np.memmap) == (8 * len(rows) > limit)
    assert list(folder.iterdir()) == []


def test_a_disk_that_is_full_is_one_sentence(monkeypatch, folder):
    def full(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(gathering, "IN_MEMORY", 1)
    monkeypatch.setattr(gathering.shutil, "copyfileobj", full)
    with pytest.raises(InputError, match="has no room left") as caught:
        gather(blocks(100), 3)
    assert caught.value.value == str(folder)
    assert "TMPDIR" in caught.value.hint


def test_what_goes_wrong_in_the_file_that_is_read_stays_what_it_is():
    def broken():
        yield from blocks(3)
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="Input/output"):
        gather(broken(), 3)
