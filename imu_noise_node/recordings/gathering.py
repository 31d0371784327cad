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

"""Rows gathered into arrays of one axis each, on disk where there are too many for memory."""

from __future__ import annotations

import errno
import mmap
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..samples import Array

Block = tuple[NDArray[np.int64], Array]
"""Stamps [ns], shape (n,), and values, shape (n, k)."""

IN_MEMORY = 1 << 24
"""Bytes of an axis: two million rows. Twenty hours at 400 Hz have fourteen times as many."""


def gather(blocks: Iterable[Block], columns: int) -> tuple[NDArray[np.int64], Array]:
    """Return all rows of some blocks, an axis after the other.

    Long ones are memory maps of files that have no name and go with the last use of the arrays.

    Parameters
    ----------
    blocks : iterable of (stamps, values)
        Shapes (n,) and (n, columns), n as it comes.
    columns : int
        Number of values in a row.

    Returns
    -------
    stamps : ndarray of int64, shape (T,)
    values : ndarray, shape (columns, T)

    Raises
    ------
    InputError
        There is no room for temporary files.
    """
    count = 0
    with _room(), ExitStack() as stack:
        files = [stack.enter_context(_spool()) for _ in range(1 + columns)]
        for stamps, values in blocks:
            files[0].write(stamps.tobytes())
            for file, column in zip(files[1:], values.T, strict=True):
                file.write(column.tobytes())
            count += len(stamps)
        times = _stacked(files[:1], np.dtype(np.int64), count)
        return times[0], _stacked(files[1:], np.dtype(np.float64), count)


def let_go(values: Array) -> None:
    """Give back the memory that the pages of a mapped file take; they are read again when needed.

    Twenty hours at 400 Hz would otherwise stay in memory whole, one axis after the other.
    """
    base: object = values
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)


def _spool() -> Any:
    return tempfile.SpooledTemporaryFile(IN_MEMORY)


def _stacked(files: list[Any], dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Return the contents of some files as the rows of an array, shape (files, count)."""
    shape = (len(files), count)
    if count * dtype.itemsize <= IN_MEMORY:
        return np.frombuffer(bytearray(_joined(files)), dtype).reshape(shape)
    with tempfile.TemporaryFile() as whole:
        for file in files:
            _append(file, whole)
        whole.flush()
        return np.memmap(whole, dtype, "r", shape=shape)


def _joined(files: list[Any]) -> bytes:
    for file in files:
        file.seek(0)
    return b"".join(file.read() for file in files)


def _append(file: Any, whole: IO[bytes]) -> None:
    file.seek(0)
    shutil.copyfileobj(file, whole, 1 << 20)
    # So that no more than one axis is on the disk twice.
    file.close()


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        hint = "TMPDIR names another folder"
        raise InputError("folder", tempfile.gettempdir(), "has no room left", hint) from None
