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

"""Arrays of an npz, a block of rows at a time: numpy.load reads each as a whole."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..bags.files import open_plain, unreadable
from ..errors import ImuNoiseError, InputError

_SUFFIX = ".npy"


class Archive:
    """An open npz; `open_archive` makes them.

    Attributes
    ----------
    path : Path
        The file.
    names : list of str
        Of the arrays.
    """

    def __init__(self, path: Path, content: zipfile.ZipFile) -> None:
        self.path = path
        self.names = [
            name.removesuffix(_SUFFIX) for name in content.namelist() if name.endswith(_SUFFIX)
        ]
        self._content = content

    def shape(self, name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
        """Return shape and type of an array; a single number is one row.

        Raises
        ------
        InputError
            It is no array of numbers.
        """
        with self._content.open(name + _SUFFIX) as member:
            shape, _, dtype = self._header(member, name)
        return shape, dtype

    def blocks(self, name: str, rows: int) -> Iterator[NDArray[Any]]:
        """Yield an array, so many rows at a time.

        Raises
        ------
        InputError
            It is no array of numbers, or shorter than it says.
        """
        with self._content.open(name + _SUFFIX) as member:
            shape, columns_first, dtype = self._header(member, name)
            if columns_first and len(shape) > 1:
                # Its rows are all over the file.
                whole = np.frombuffer(member.read(), dtype).reshape(shape, order="F")
                yield from (whole[k : k + rows] for k in range(0, shape[0], rows))
                return
            width = dtype.itemsize * int(np.prod(shape[1:], dtype=np.int64))
            for start in range(0, shape[0], rows):
                count = min(rows, shape[0] - start)
                block = np.frombuffer(member.read(count * width), dtype)
                yield block.reshape(count, *shape[1:])

    def _header(self, member: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
        # NumPy's own functions for this have no types.
        npy: Any = np.lib.format
        version = npy.read_magic(member)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, columns_first, dtype = read(member)
        if dtype.kind not in "fiu":
            raise InputError("array", name, f"holds no plain numbers in {self.path}, but {dtype}")
        return shape or (1,), columns_first, dtype


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open an npz; what goes wrong while it is open becomes an InputError about it."""
    try:
        with open_plain(path) as file, zipfile.ZipFile(file) as content:
            yield Archive(path, content)
    except ImuNoiseError:
        raise
    # Among what zipfile and NumPy raise on damaged files are these, and subclasses of ValueError.
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, ValueError) as error:
        raise InputError("file", str(path), f"is a damaged npz: {error}") from None
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from None
