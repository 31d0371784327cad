"""The white noise of an IMU from a few seconds at rest: a floor of N, and not N itself.

An increment over T = 50 ms has the variance N^2 T, so that n of them give N with a relative
uncertainty of 1/sqrt(2 (n - 1)). It is a floor: filters inside the sensor take away what is
faster, bias that moves more slowly is not in it yet, and the window is the quietest of many. An
Allan deviation of some hours has N.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from ..errors import InputError, ParameterError
from ..model.spec import INERTIAL
from ..recordings.record import ImuRecord
from ..recordings.timing import Timing, examine
from ..samples import Array
from .still_blocks import BLOCK, FEWEST, Window, cut, quietest
from .still_checks import ROWS, check_readings, check_rest, resolution, wander
from .still_floor import SensorFloor, StillFloor
from .still_units import check_units

WINDOW = 10.0
"""Default length of the window [s]."""

SURE = 5.0
"""Length of a window [s] over which the even tremor of a hand is found."""

_NANOSECONDS = 1_000_000_000


def find_still(
    record: ImuRecord,
    *,
    window: float = WINDOW,
    start: float | None = None,
    end: float | None = None,
) -> StillFloor:
    """Return the noise floor of an IMU from the quietest window of a recording.

    Parameters
    ----------
    record : ImuRecord
    window : float, optional
        Length of the window [s]; of a shorter recording, all of it is taken.
    start, end : float, optional
        The part of the recording to search [s], from its first reading.

    Raises
    ------
    InputError
        It is not still, too short, or its readings are not what they seem; the sentence says how.
    ParameterError
        An argument that is not allowed.
    MissingPackageError
        scipy is not installed.
    """
    if not (math.isfinite(window) and window > 0.0):
        raise ParameterError("window", window, "must be above 0 [s]")
    origin = int(record.stamps[int(examine(record.stamps).wrong_first)])
    part, timing = _part(record, origin, start, end)
    rows, _ = _axes(record)
    blocks = cut(record.values[rows], _runs(part.start, timing), timing.rate)
    block = blocks.per_block / timing.rate
    wanted = min(round(window / block), blocks.first.size)
    if wanted < FEWEST:
        raise _short(record.source, block, blocks.first.size, window)
    found = quietest(blocks, record.stamps, timing.rate, wanted, record.source)
    return _floor(record, origin, found, timing)


def _part(
    record: ImuRecord, origin: int, start: float | None, end: float | None
) -> tuple[slice, Timing]:
    """Return the readings between two times behind `origin`, and what their stamps say."""
    if start is None and end is None:
        return slice(0, len(record.stamps)), examine(record.stamps)
    inside = record.stamps >= origin + (start or 0.0) * _NANOSECONDS
    if end is not None:
        inside &= record.stamps < origin + end * _NANOSECONDS
    places = np.flatnonzero(inside)
    if len(places) < 3:
        length = (int(record.stamps.max()) - origin) / _NANOSECONDS
        raise ParameterError(
            "start and end",
            (start, end),
            f"must leave some of {record.source}, {length:.4g} s long",
        )
    part = slice(int(places[0]), int(places[-1]) + 1)
    return part, examine(record.stamps[part])


def _runs(start: int, timing: Timing) -> list[slice]:
    """Return the regular runs of a part that begins with the reading `start`."""
    # As in `examine`: in a burst, stamps repeat as a matter of course.
    repeated = timing.repeated[:0] if timing.bursts.size else timing.repeated
    breaks = np.concatenate([timing.gaps, timing.backward, repeated, [0] * timing.wrong_first])
    edges = start + np.concatenate([[0], np.unique(breaks).astype(int) + 1, [timing.count]])
    return [slice(a, b) for a, b in itertools.pairwise(edges.tolist())]


def _axes(record: ImuRecord) -> tuple[slice, tuple[str, ...]]:
    """Return the rows of the sensors that there are, and their names."""
    there = [record.has_gyroscope, record.has_accelerometer]
    names = tuple(name for name, found in zip(INERTIAL, there, strict=True) if found)
    if not names:
        raise InputError("recording", record.source, "has no reading that is a number")
    return slice(0 if there[0] else 3, 6 if there[1] else 3), names


def _floor(record: ImuRecord, origin: int, window: Window, timing: Timing) -> StillFloor:
    """Return what the readings of a window say, once they are found to be of a sensor at rest."""
    _, names = _axes(record)
    values = record.values[:, window.readings]
    stamps = record.stamps[window.readings]
    start = (int(stamps[0]) - origin) / _NANOSECONDS
    block = max(1, round(BLOCK * timing.rate)) / timing.rate
    length = window.blocks * block
    notes = [] if timing.is_regular else timing.sentences()[1:]
    notes += check_readings(values, names, timing.rate, record.source)
    axes = [f"{name}'s {axis}" for name in names for axis in "xyz"]
    check_rest(window, axes, record.source, f"in the {length:.3g} s from {start:.4g} s")
    cells = dict(zip(names, np.split(window.cells, len(names)), strict=True))
    sensors = tuple(
        _sensor(name, values[ROWS[name]], cells[name], timing.rate, block) for name in names
    )
    notes += check_units(sensors, record.source)
    if length < SURE:
        notes.append(
            f"{length:.3g} s are few: a hand that trembles evenly may pass, too, as it does not "
            f"over {SURE:g} s."
        )
    return StillFloor(
        *(record.source, timing.rate, start, length, (int(stamps[0]), int(stamps[-1]))),
        *(window.blocks, block, sensors, tuple(notes)),
    )


def _sensor(name: str, readings: Array, cells: Array, rate: float, block: float) -> SensorFloor:
    """Return what one sensor reads: shapes (3, n) and (3, C, blocks of a cell)."""
    return SensorFloor(
        sensor=name,
        floor=cells.reshape(3, -1).std(axis=1, ddof=1) / math.sqrt(block),
        per_reading=readings.std(axis=1, ddof=1) / math.sqrt(rate),
        mean=readings.mean(axis=1),
        step=resolution(readings),
        wander=wander(cells),
    )


def _short(source: str, block: float, blocks: int, window: float) -> InputError:
    needed = f"{FEWEST} blocks of {block:.3g} s, {FEWEST * block:.3g} s in all"
    if blocks >= FEWEST:
        return InputError("window", window, f"is too short: it must have {needed}")
    return InputError(
        "recording",
        source,
        f"is too short: a window must have {needed}, and there are {blocks * block:.3g} s",
    )
