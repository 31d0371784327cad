"""A table in a text file, read row by row: header, separator and numbers found by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

import numpy as np

from ..errors import InputError
from .gathering import Block
from .names import TIME, understood
from .stamps import stamp_unit, to_nanoseconds
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
    columns = [places[key] for key in keys]
    while some := list(islice(rows, _BLOCK)):
        texts, numbers = _read(table, some, places[TIME], columns)
        if unit is None:
            unit = stamp_unit([float(text) for text in texts[:1000]], table.path)
        stamps = [to_nanoseconds(text, unit) for text in texts]
        yield np.array(stamps, dtype=np.int64), np.array(numbers, dtype=np.float64)


def _read(
    table: Table, some: Sequence[Line], time: int, columns: Sequence[int]
) -> tuple[list[str], list[list[float]]]:
    texts: list[str] = []
    numbers: list[list[float]] = []
    for number, text in some:
        row = text.replace('"', "").split(table.sign)
        try:
            float(row[time])
            numbers.append([float(row[column]) for column in columns])
        except (ValueError, IndexError):
            raise _complaint(table, number, row, (time, *columns)) from None
        texts.append(row[time])
    return texts, numbers


def _complaint(
    table: Table, number: int, row: Sequence[str], columns: Sequence[int]
) -> InputError:
    place = f"line {number} of {table.path}"
    for column in columns:
        if column >= len(row):
            problem = f"has only {len(row)} columns where {max(columns) + 1} are needed"
            return InputError(place, table.sign and table.sign.join(row), problem)
        if not is_number(row[column]):
            name = table.header[column] if column < len(table.header) else ""
            where = f"{place}, column {column + 1}" + (f" ({name})" if name else "")
            return InputError(where, row[column].strip(), "must be a number")
    return InputError(place, "", "is no row of numbers")


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
