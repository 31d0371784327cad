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

"""Which files are bags, and whether they are whole; needs no rosbags."""

from __future__ import annotations

import gzip
import os
import shutil
import zlib
from pathlib import Path
from typing import BinaryIO, cast

from ..errors import InputError

_MCAP = b"\x89MCAP0\r\n"
_SQLITE = b"SQLite format 3\x00"
_MAGIC = {_MCAP: ".mcap", _SQLITE: ".db3", b"#ROSBAG V": ".bag"}
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"

SUFFIXES = tuple(_MAGIC.values())


def start_of(path: Path, size: int = 16) -> bytes:
    """Return the first bytes of a file, of a gzipped one those of what is in it.

    Raises
    ------
    InputError
        There is no such file, it is of no ordinary kind, empty, packed otherwise, or unreadable.
    """
    if not path.is_file():
        problem = "is not a file" if path.exists() else "does not exist"
        raise InputError("file", str(path), problem)
    try:
        with open_plain(path) as file:
            start = file.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from None
    if not start:
        raise InputError("file", str(path), "is empty")
    if start.startswith(_ZSTD):
        hint = "rosbag2 packs its files so, and unpacks them by their metadata"
        raise InputError("file", str(path), "is packed with zstd; name the bag's folder", hint)
    return start


def open_plain(path: Path) -> BinaryIO:
    """Open a file for reading bytes; one that is gzipped, whatever its name, is unpacked."""
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")


def unreadable(path: Path, error: Exception) -> InputError:
    """Return the error to raise where opening or unpacking `path` failed with `error`."""
    if isinstance(error, EOFError):
        return InputError("file", str(path), "is truncated: its gzip data end too early")
    if isinstance(error, gzip.BadGzipFile | zlib.error):
        return InputError("file", str(path), "is damaged: its gzip data are not valid")
    reason = getattr(error, "strerror", None) or str(error)
    return InputError("file", str(path), f"cannot be read: {reason}")


def bag_suffix(path: Path) -> str:
    """Return `.mcap`, `.db3` or `.bag`, as the first bytes of a bag in one file say.

    Of any other file it is an empty string.

    Raises
    ------
    InputError
        As for `start_of`.
    """
    start = start_of(path)
    return next((suffix for magic, suffix in _MAGIC.items() if start.startswith(magic)), "")


def openable(path: Path, scratch: Path) -> Path:
    """Return where rosbags can open the bag at `path`.

    That is the folder itself where it has metadata. A single file gets a name in the folder
    `scratch` by which rosbags knows what it is, as does a folder that is called like a bag of
    ROS 1; a file that is gzipped is unpacked there.

    Raises
    ------
    InputError
        There is no bag, or it is truncated.
    """
    if not path.is_dir():
        return _file_of(path, scratch)
    files = sorted(part for part in path.iterdir() if part.suffix in SUFFIXES and part.is_file())
    if (path / "metadata.yaml").is_file():
        for part in files:
            _check_whole(part, part.suffix, part)
        return _linked(path, scratch / "bag") if path.suffix == ".bag" else path
    if len(files) == 1:
        return _file_of(files[0], scratch)
    if not files:
        raise InputError("folder", str(path), "is no bag: it has neither metadata.yaml nor data")
    names = ", ".join(part.name for part in files)
    raise InputError("folder", str(path), f"has no metadata.yaml; name one of its files: {names}")


def _file_of(path: Path, scratch: Path) -> Path:
    suffix = bag_suffix(path)
    if not suffix:
        raise InputError("file", str(path), "is no bag: neither mcap nor db3 nor of ROS 1")
    file = scratch / f"bag{suffix}"
    try:
        with open_plain(path) as content:
            if isinstance(content, gzip.GzipFile):
                with file.open("wb") as plain:
                    shutil.copyfileobj(content, plain, 1 << 20)
            else:
                _linked(path, file)
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from None
    _check_whole(file, suffix, path)
    return file


def _linked(path: Path, name: Path) -> Path:
    name.symlink_to(path.resolve())
    return name


def _check_whole(file: Path, suffix: str, path: Path) -> None:
    """Raise InputError about `path` where `file` is evidently shorter than it was to be."""
    size = file.stat().st_size
    with file.open("rb") as content:
        if suffix == ".mcap":
            content.seek(-min(size, len(_MCAP)), os.SEEK_END)
            if size < 2 * len(_MCAP) or content.read() != _MCAP:
                raise InputError(
                    "file", str(path), "is truncated: it lacks an mcap's end", "try `mcap recover`"
                )
        elif suffix == ".db3" and size < _database_size(content.read(100)):
            raise InputError("file", str(path), "is truncated: it lacks pages of its database")
        elif suffix == ".bag" and not 0 < _index_position(content.read(4096)) <= size:
            hint = "try `rosbag reindex`"
            raise InputError(
                "file", str(path), "is truncated, or still written to: no index", hint
            )


def _database_size(header: bytes) -> int:
    """Size [bytes] by the header of an SQLite file (its file format, section 1.3)."""
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    return max((65536 if page == 1 else page) * pages, 100)


def _index_position(start: bytes) -> int:
    """Where a bag of ROS 1 has its index, by its first record (format 2.0); 0 if nowhere yet."""
    key = b"index_pos="
    place = start.find(key) + len(key)
    return int.from_bytes(start[place : place + 8], "little")
