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

"""Which column of a table is what: by number, by name, or by the names that people use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError, UnknownNameError
from .names import AXES, TIME, Name, understood

SENSORSTREAM = {"t": 0, **{axis: k for k, axis in zip((6, 7, 8, 2, 3, 4), AXES, strict=True)}}
"""The app "Sensorstream IMU+GPS": time, then for each sensor its number (3 accelerometer, 4
gyroscope, 5 magnetometer) and three values; no header."""


@dataclass(frozen=True)
class Columns:
    """Where things are in a row.

    Attributes
    ----------
    places : mapping of str to int
        By what it is, the number of the column, counted from 0.
    units : mapping of str to str
        By what it is, the unit that the column's name states.
    """

    places: Mapping[str, int]
    units: Mapping[str, str]


def find_columns(
    wanted: Sequence[str],
    given: Mapping[str, str],
    header: Sequence[str],
    row: Sequence[str],
    path: Path,
) -> Columns:
    """Return which columns to read.

    Parameters
    ----------
    wanted : sequence of str
        What may be there, such as `t` and `AXES`.
    given : mapping of str to str
        What the user says: by what it is, a column's name or its number counted from 1.
    header : sequence of str
        Names of the columns; empty where the file has none.
    row : sequence of str
        The first row of numbers.
    path : Path
        For messages.

    Raises
    ------
    InputError, UnknownNameError
        A column that was named is not there, or several could be meant.
    """
    for key in given:
        if key not in wanted:
            raise UnknownNameError("column", key, wanted)
    names = [understood(text) for text in header]
    places = {key: _given(key, text, header, len(row), path) for key, text in given.items()}
    if not header and not given and _is_sensorstream(row):
        places = {key: SENSORSTREAM[key] for key in wanted if key in SENSORSTREAM}
    for key in wanted:
        if key not in places and (found := _found(key, names, header, path)) is not None:
            places[key] = found
    # Rows may have more columns than the header has names.
    units = {key: names[k].unit for key, k in places.items() if k < len(names) and names[k].unit}
    return Columns(places, units)


def check_time(columns: Columns, header: Sequence[str], count: int, path: Path) -> None:
    """Raise InputError unless there is a time; the arguments are those of `check_triads`."""
    if TIME not in columns.places:
        raise _unnamed("t, the time", header, count, path)


def check_triads(columns: Columns, header: Sequence[str], count: int, path: Path) -> None:
    """Raise InputError unless a whole sensor is there, and none in part.

    Parameters
    ----------
    columns : Columns
        What was found.
    header : sequence of str
        Names of the columns; empty where the file has none.
    count : int
        Number of columns.
    path : Path
        For messages.
    """
    found = [axis for axis in AXES if axis in columns.places]
    if not found:
        raise _unnamed("of a gyroscope or an accelerometer", header, count, path)
    for triad, sensor in ((AXES[:3], "gyroscope"), (AXES[3:], "accelerometer")):
        missing = [axis for axis in triad if axis not in found]
        if missing and len(missing) < 3:
            raise _unnamed(f"{missing[0]}, {sensor} {missing[0][-1]}", header, count, path)


def _given(key: str, text: str, header: Sequence[str], count: int, path: Path) -> int:
    if text in header:
        return list(header).index(text)
    # Python refuses to read a number of more than 4300 digits.
    if text.isdecimal() and len(text) < 10 and 1 <= int(text) <= count:
        return int(text) - 1
    there = f"it has: {', '.join(header)}" if header else f"it has {count} columns and no names"
    raise InputError(f"column {key}", text, f"is not in {path}; {there}")


def _found(key: str, names: Sequence[Name], header: Sequence[str], path: Path) -> int | None:
    fitting = [k for k, name in enumerate(names) if name.key == key]
    if not fitting:
        return None
    best = min(names[k].rank for k in fitting)
    leading = [k for k in fitting if names[k].rank == best]
    if len(leading) > 1:
        could = ", ".join(header[k] for k in leading)
        raise InputError("file", str(path), f"has several columns for {key}: {could}; name one")
    return leading[0]


def _is_sensorstream(row: Sequence[str]) -> bool:
    return len(row) >= 9 and (row[1], row[5]) == ("3", "4")


def _unnamed(what: str, header: Sequence[str], count: int, path: Path) -> InputError:
    has = f"it has: {', '.join(header)}" if header else f"it has {count} columns and no names"
    return InputError("file", str(path), f"does not say which column is {what}; {has}")
