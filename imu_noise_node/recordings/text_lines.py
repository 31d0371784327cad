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

"""Lines of text tables: where they come from, and how they fall into columns."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from pathlib import Path

from ..bags.files import open_plain, unreadable
from ..errors import InputError

_MARKS = "#%"
"""What a comment starts with; `rostopic echo -p` marks its header with the second."""

Line = tuple[int, str]
"""Number in the file, counted from 1, and text."""


def lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a text file, gzipped or not, that are not blank.

    Raises
    ------
    InputError
        The file cannot be read, or is not UTF-8 text.
    """
    try:
        with io.TextIOWrapper(open_plain(path), encoding="utf-8-sig") as file:
            for number, text in enumerate(file, start=1):
                if "\0" in text:
                    raise UnicodeError
                if text := text.strip():
                    yield number, text
    except UnicodeError:
        raise InputError("file", str(path), "is neither a bag nor npz nor UTF-8 text") from None
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from None


def is_comment(text: str) -> bool:
    """Return whether a line starts with a mark of comments."""
    return text[0] in _MARKS


def uncommented(text: str) -> str:
    """Return a line without marks of comments in front."""
    return text.lstrip(_MARKS).strip()


def separator(text: str) -> str | None:
    """Return what stands between the columns of a line; None is any white space."""
    return next((sign for sign in ";\t," if sign in text), None)


def cells(text: str, sign: str | None) -> list[str]:
    """Return the columns of a line."""
    return [cell.strip().strip('"') for cell in text.split(sign)]


def is_number(text: str) -> bool:
    """Return whether `text` is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
