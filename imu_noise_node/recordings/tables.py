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

"""A table in a text file, read row by row: header, separator and numbers found by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

import numpy as np

from ..errors import ImuNoiseError, InputError
from ..samples import Array
from .gathering import Block
from .names import TIME, understood
from .stamps import is_stamp, stamp_unit, to_nanoseconds
from .text_lines import Line, cells, is_comment, is_number, lines, separator, uncommented

_BLOCK = 16384
"""Rows."""

_HEADING = 100
"""Lines that may stand in front of the numbers."""


@dataclass
class Table:
    """A text file, open behind its first row.

    Attributes
    ----------
    path : Path
        The file.
    header : list of str
        Names of the columns; empty where there are none.
    first : Line
        The first row.
    sign : str or None
        What separates columns; None is white space.
    rest : iterator of Line
        What follows, comments included.
    """

    path: Path
    header: list[str]
    first: Line
    sign: str | None
    rest: Iterator[Line] = field(repr=False)

    @property
    def row(self) -> list[str]:
        """Columns of the first row."""
        return cells(self.first[1], self.sign)


def open_table(path: Path) -> Table:
    """Return the table in a text file.

    Raises
    ------
    InputError
        The file cannot be read, is no text, or has no row of numbers.
    """
    heading: list[str] = []
    rest = lines(path)
    for number, text in islice(rest, _HEADING):
        sign = separator(text)
        if not is_comment(text) and _is_row(cells(text, sign)):
            return Table(path, _header(heading, text, sign), (number, text), sign, rest)
        heading.append(text)
    raise InputError("file", str(path), "has no rows of numbers")


def blocks(
    table: Table, places: Mapping[str, int], keys: Sequence[str], unit: str | None
) -> Iterator[Block]:
    """Yield stamps [ns], shape (n,), and the columns that `keys` name, shape (n, len(keys)).

    Parameters
    ----------
    table : Table
        Freshly opened.
    places : mapping of str to int
        Column of the stamps, `t`, and of each of the keys.
    keys : sequence of str
        What to read.
    unit : str or None
        Of the stamps; None where they themselves must tell.

    Raises
    ------
    InputError
        A cell holds no number; the message names line and column.
    """
    rows = (line for line in chain([table.first], table.rest) if not is_comment(line[1]))
    columns, time = [places[key] for key in keys], places[TIME]
    while some := list(islice(rows, _BLOCK)):
        try:
            texts = [_cell(text, time, table.sign) for _, text in some]
            numbers = _numbers(some, columns, table.sign)
            if unit is None:
                unit = stamp_unit([float(text) for text in texts[:1000]], table.path)
            stamps = [to_nanoseconds(text, unit) for text in texts]
        except ImuNoiseError:
            raise
        except (ValueError, IndexError):
            raise _complaint(table, some, time, columns) from None
        yield np.array(stamps, dtype=np.int64), numbers


def _cell(text: str, column: int, sign: str | None) -> str:
    return text.split(sign, column + 1)[column].strip(' "')


def _numbers(some: Sequence[Line], columns: Sequence[int], sign: str | None) -> Array:
    return np.loadtxt(
        *([text for _, text in some], np.float64, None, sign),
        usecols=columns,
        ndmin=2,
        quotechar='"',
    )


def _complaint(
    table: Table, some: Sequence[Line], time: int, columns: Sequence[int]
) -> InputError:
    """Return the error to raise about the first of some lines that is not what it should be."""
    for number, text in some:
        place, row = f"line {number} of {table.path}", cells(text, table.sign)
        for column in (time, *columns):
            if column >= len(row):
                needed = max(time, *columns) + 1
                return InputError(place, text, f"has {len(row)} columns where {needed} are needed")
            if not is_number(row[column]) or (column == time and not is_stamp(row[column])):
                name = f" ({table.header[column]})" if column < len(table.header) else ""
                wanted = "must be a time in numbers" if column == time else "must be a number"
                return InputError(f"{place}, column {column + 1}{name}", row[column], wanted)
    return InputError("file", str(table.path), f"has no row of numbers at line {some[0][0]}")


def _is_row(row: Sequence[str]) -> bool:
    """Return whether a line is of numbers; among them may be texts, such as a frame_id."""
    return 2 * sum(map(is_number, row)) >= len(row)


def _header(heading: Sequence[str], first: str, sign: str | None) -> list[str]:
    """Return the names that a line above the first row gives its columns, or an empty list.

    It is the line with the most names that we know; where we know none, the last that has as many
    words as the row has columns.
    """
    best: tuple[int, list[str]] = (0, [])
    for text in heading:
        plain = uncommented(text)
        names = cells(plain, sign if sign is None or sign in plain else separator(plain))
        known = sum(bool(understood(name).key) for name in names)
        if known >= best[0] and (known or len(names) == len(cells(first, sign))):
            best = (known, names)
    return best[1]
