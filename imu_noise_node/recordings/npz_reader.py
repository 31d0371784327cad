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

"""Recordings as NumPy archives: stamps, or a rate, and an array of three columns per sensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..samples import Array
from .archives import Archive, open_archive
from .columns import find_columns
from .gathering import Block, gather
from .names import AXES, RATE, TIME, understood
from .options import NANOSECONDS, STAMP_UNITS, Options
from .record import ImuRecord
from .stamps import stamp_unit

_BLOCK = 1 << 16
"""Rows."""

_FIRST_AXIS = {"angular_velocity": "wx", "linear_acceleration": "ax"}
"""Arrays of three columns, each with the axis that its first column is."""

_OURS = "stamps"
"""The name of stamps that are whole nanoseconds."""


def read_npz(path: Path, options: Options) -> ImuRecord:
    """Return the readings in an npz; docs/recordings.md says under which names.

    Raises
    ------
    InputError, ParameterError, UnknownNameError
        An array is not there, has another shape, or holds counts of unknown worth.
    """
    with open_archive(path) as archive:
        arrays = _find(archive, options.columns)
        count = _count(archive, arrays)
        scales = {key: _scale(archive, key, arrays, options) for key in _FIRST_AXIS}
        stamps = _stamps(archive, arrays, count, options)
        triads = [_triad(archive, arrays.get(key), scale) for key, scale in scales.items()]
        gathered = gather(_joined(stamps, triads), len(AXES))
    return ImuRecord(str(path), *gathered)


def _find(archive: Archive, given: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the arrays to read, by what they are."""
    wanted = (TIME, RATE, *_FIRST_AXIS)
    columns = find_columns(wanted, given, archive.names, (), archive.path)
    arrays = {key: archive.names[place] for key, place in columns.places.items()}
    if not arrays.keys() & _FIRST_AXIS.keys():
        raise _lacking(archive, " or ".join(_FIRST_AXIS))
    if not arrays.keys() & {TIME, RATE}:
        raise _lacking(archive, "stamps or rate")
    return arrays


def _count(archive: Archive, arrays: Mapping[str, str]) -> int:
    """Return the number of readings, once all arrays agree on it."""
    shapes = {key: archive.shape(name)[0] for key, name in arrays.items() if key != RATE}
    for key, shape in shapes.items():
        if len(shape) != (2 if key in _FIRST_AXIS else 1) or shape[1:] not in ((), (3,)):
            fitting = "(T, 3)" if key in _FIRST_AXIS else "(T,)"
            raise _wrong(archive, arrays[key], f"has shape {shape}, not {fitting}")
    counts = {arrays[key]: shape[0] for key, shape in shapes.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise InputError("file", str(archive.path), f"has arrays of several lengths: {told}")
    count = next(iter(counts.values()))
    if not count:
        raise InputError("file", str(archive.path), "has no readings")
    return count


def _scale(archive: Archive, key: str, arrays: Mapping[str, str], options: Options) -> float:
    """Return what to multiply an array by; counts must be given a unit."""
    axis = _FIRST_AXIS[key]
    unit = options.unit(axis)
    if unit is None and key in arrays and archive.shape(arrays[key])[1].kind != "f":
        told = f"of {archive.path} holds counts; what is one worth?"
        hint = (
            "gyroscope_unit says it, as '0.05 deg/s'"
            if axis == "wx"
            else "accelerometer_unit says it, as '3 mg'"
        )
        raise InputError("array", arrays[key], told, hint)
    return options.scale(axis)


def _triad(archive: Archive, name: str | None, scale: float) -> Iterator[Array] | None:
    if name is None:
        return None
    return (block.astype(np.float64) * scale for block in archive.blocks(name, _BLOCK))


def _stamps(
    archive: Archive, arrays: Mapping[str, str], count: int, options: Options
) -> Iterator[NDArray[np.int64]]:
    """Yield stamps [ns] a block at a time, counted out by the rate where there are none."""
    if TIME in arrays:
        yield from _stated(archive, arrays[TIME], options.stamp_unit)
        return
    rate = float(next(archive.blocks(arrays[RATE], 1)).ravel()[0])
    if not 0.0 < rate < np.inf:
        raise _wrong(archive, arrays[RATE], f"must be a rate [Hz], and is {rate:g}")
    for start in range(0, count, _BLOCK):
        ticks = np.arange(start, min(start + _BLOCK, count))
        yield np.rint(ticks * (NANOSECONDS / rate)).astype(np.int64)


def _stated(archive: Archive, name: str, unit: str | None) -> Iterator[NDArray[np.int64]]:
    unit = unit or understood(name).unit or None
    for block in archive.blocks(name, _BLOCK):
        whole = block.dtype.kind != "f"
        if unit is None:
            ours = whole and name == _OURS
            unit = "ns" if ours else stamp_unit(block[:1000].astype(np.float64), archive.path)
        power = STAMP_UNITS[unit]
        if whole:
            yield block.astype(np.int64) * 10**power
        elif np.isfinite(block).all():
            yield np.rint(block * 10.0**power).astype(np.int64)
        else:
            raise _wrong(archive, name, "has stamps that are no numbers")


def _joined(
    stamps: Iterator[NDArray[np.int64]], triads: list[Iterator[Array] | None]
) -> Iterator[Block]:
    for times in stamps:
        missing = np.full((len(times), 3), np.nan)
        yield times, np.hstack([missing if triad is None else next(triad) for triad in triads])


def _lacking(archive: Archive, what: str) -> InputError:
    has = ", ".join(archive.names) or "no arrays"
    return InputError("file", str(archive.path), f"has no array for {what}; it has: {has}")


def _wrong(archive: Archive, name: str, problem: str) -> InputError:
    return InputError("array", name, f"{problem} (in {archive.path})")
