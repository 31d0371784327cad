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

"""Recordings in text: EuRoC's, those of phones, anybody's that have a header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..samples import Array
from .columns import check_time, check_triads, find_columns
from .gathering import Block, gather
from .names import AXES, TIME
from .options import Options
from .record import ImuRecord
from .tables import blocks, open_table

_PASCAL = {"": 1.0, "pa": 1.0, "hpa": 100.0, "mbar": 100.0, "kpa": 1000.0}


def read_csv(path: Path, options: Options) -> ImuRecord:
    """Return the readings in a table of text; docs/recordings.md says which tables.

    Raises
    ------
    InputError, ParameterError, UnknownNameError
        The file is no such table, a column or a unit is not known, or a cell holds no number; the
        message names file, line and column.
    """
    table = open_table(path)
    columns = find_columns((TIME, *AXES), options.columns, table.header, table.row, path)
    check_time(columns, table.header, len(table.row), path)
    check_triads(columns, table.header, len(table.row), path)
    present = [axis for axis in AXES if axis in columns.places]
    scale = np.array([options.scale(axis, columns.units.get(axis)) for axis in present])
    unit = options.stamp_unit or columns.units.get(TIME)
    read = blocks(table, columns.places, present, unit)
    stamps, values = gather(_spread(read, present, scale), len(AXES))
    return ImuRecord(str(path), stamps, values)


def read_pressure_csv(path: Path) -> Block | None:
    """Return stamps [ns] and pressures [Pa], each of shape (T,), or None without such a column.

    Raises
    ------
    InputError
        As for `read_csv`.
    """
    table = open_table(path)
    columns = find_columns((TIME, "pressure"), {}, table.header, table.row, path)
    if "pressure" not in columns.places:
        return None
    check_time(columns, table.header, len(table.row), path)
    unit = columns.units.get("pressure", "")
    if unit.lower() not in _PASCAL:
        raise InputError("file", str(path), f"has pressures in {unit}, not in Pa, hPa or kPa")
    read = blocks(table, columns.places, ["pressure"], columns.units.get(TIME))
    stamps, values = gather(read, 1)
    return stamps, values[0] * _PASCAL[unit.lower()]


def _spread(read: Iterable[Block], present: Sequence[str], scale: Array) -> Iterator[Block]:
    """Put the columns that are there, scaled, where they belong among the six."""
    places = [AXES.index(axis) for axis in present]
    for stamps, numbers in read:
        values = np.full((len(stamps), len(AXES)), np.nan)
        values[:, places] = numbers * scale
        yield stamps, values
