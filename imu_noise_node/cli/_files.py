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

"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from ..errors import InputError
from ..files import replacing


def refuse_input(target: Path, sources: Iterable[Path | None], option: str) -> None:
    """Refuse to write where something is read from.

    Raises
    ------
    InputError
        `target` is one of the `sources`, by whatever name.
    """
    for source in sources:
        if source is not None and source.exists() and target.exists() and target.samefile(source):
            raise InputError(option, str(target), "is the input, and would be lost")


def check_folder(folder: Path, names: Iterable[str], option: str) -> None:
    """Refuse a folder in which files of these names cannot be written, before any work is done.

    A folder that is not there yet is not made: there may be nothing to write in the end.

    Parameters
    ----------
    option : str
        The argument that names it, for messages.

    Raises
    ------
    InputError
        It cannot be made or written to, or one of the names is a folder's.
    """
    try:
        there = next(place for place in (folder, *folder.parents) if place.exists())
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        told = f"nothing can be written there: {error.strerror}"
        raise InputError(option, str(folder), told) from None
    for name in names:
        if (folder / name).is_dir():
            raise InputError(option, str(folder), f"holds a folder {name}")


def check_place(path: Path, option: str) -> None:
    """Refuse a path at which no file can be written, before any work is done.

    Parameters
    ----------
    option : str
        The argument that names it, for messages.

    Raises
    ------
    InputError
        It is a folder, or in one that is not there or cannot be written to.
    """
    if path.is_dir():
        raise InputError(option, str(path), "must be a file, not a folder")
    if not path.parent.is_dir():
        raise InputError(option, str(path), "must be in a folder that there is")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(option, str(path), "cannot be written: permission denied")


def write_file(path: Path, content: str, option: str) -> None:
    """Write a file, in place of one that may be there.

    Parameters
    ----------
    option : str
        The argument that names it, for messages.

    Raises
    ------
    InputError
        It cannot be written.
    """
    check_place(path, option)
    try:
        with replacing(path) as unfinished:
            unfinished.write_text(content, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(option, str(path), f"cannot be written: {reason}") from None


def write_files(folder: Path, contents: Mapping[str, bytes], option: str) -> None:
    """Write files by name into a folder, which is made where it is missing: all of them or none.

    Parameters
    ----------
    option : str
        The argument that names the folder, for messages.

    Raises
    ------
    InputError
        They cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # None of them gets its name before all are written.
        with ExitStack() as stack:
            for name, content in contents.items():
                if (folder / name).is_dir():
                    raise InputError(option, str(folder), f"holds a folder {name}")
                stack.enter_context(replacing(folder / name)).write_bytes(content)
    except OSError as error:
        place = error.filename or folder
        reason = error.strerror or str(error)
        raise InputError(option, str(folder), f"cannot be written: {place}: {reason}") from None
