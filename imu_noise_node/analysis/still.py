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

"""The white noise of an IMU from a few seconds at rest: a floor of N, and not N itself.

An increment over T = 50 ms has the variance N^2 T, so that n of them give N with a relative
uncertainty of 1/sqrt(2 (n - 1)). It is a floor: filters inside the sensor take away what is
faster, bias that moves more slowly is not in it yet, and the window is the quietest of many. An
Allan deviation of some hours has N.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..errors import InputError, ParameterError
from ..recordings.record import ImuRecord
from ..samples import Array
from .still_blocks import FEWEST, Window
from .still_checks import ROWS, check_readings, resolution, wander
from .still_floor import SensorFloor, StillFloor
from .still_search import Search, open_search
from .still_units import check_units

WINDOW = 10.0
"""Default length of the window [s]."""

SURE = 5.0
"""Length of a window [s] over which the even tremor of a hand is found."""


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
    search = open_search(record, start, end)
    there = search.blocks.first.size
    wanted = round(min(window / search.block, there))
    if wanted < FEWEST:
        raise _short(search, window)
    found = search.quietest(wanted)
    values, rate = record.values[:, found.readings], search.timing.rate
    notes = [] if search.timing.is_regular else search.timing.sentences()[1:]
    notes += check_readings(values, search.names, rate, record.source)
    notes += _lost(search)
    if window > (there + 1) * search.block:
        notes.append(f"the window is all that there is, and shorter than {window:g} s.")
    if moves := search.motion(found):
        raise _moving(search, found, moves)
    return _floor(search, found, notes)


def _lost(search: Search) -> Iterator[str]:
    """Yield how many readings of the recording are no numbers, if any."""
    values = search.record.values
    lost = np.zeros(values.shape[1], dtype=np.bool_)
    for name in search.names:
        # An axis at a time: a long one lies on disk.
        for row in values[ROWS[name]]:
            lost |= ~np.isfinite(row)
    if lost.any():
        yield (
            f"{np.count_nonzero(lost)} of {len(lost)} readings are NaN or infinite: the window "
            "has none of them."
        )


def _moving(search: Search, found: Window, how: str) -> InputError:
    """Return the refusal, and the longest shorter window that would pass."""
    hint = "record it at rest, and away from motors"
    for blocks in (found.blocks // 2, found.blocks // 4, found.blocks // 8):
        if blocks >= FEWEST and not search.motion(shorter := search.quietest(blocks)):
            length = blocks * search.block
            hint += (
                f"; if it rested in {search.where(shorter)}, a window of {length:.3g} s will do"
            )
            break
    said = f"is not still: even in {search.where(found)}, where it is quietest, {how}"
    return InputError("recording", search.record.source, said, hint)


def _floor(search: Search, window: Window, notes: list[str]) -> StillFloor:
    """Return what the readings of a window say."""
    record, rate, names = search.record, search.timing.rate, search.names
    values, stamps = record.values[:, window.readings], record.stamps[window.readings]
    length = window.blocks * search.block
    cells = dict(zip(names, np.split(window.cells, len(names)), strict=True))
    sensors = tuple(
        _sensor(name, values[ROWS[name]], cells[name], rate, search.block) for name in names
    )
    notes += check_units(sensors, record.source)
    if length < SURE:
        notes.append(
            f"{length:.3g} s are few: a hand that trembles evenly may pass, too, as it does not "
            f"over {SURE:g} s."
        )
    return StillFloor(
        *(record.source, rate, search.start(window), length, (int(stamps[0]), int(stamps[-1]))),
        *(window.blocks, search.block, sensors, tuple(notes)),
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


def _short(search: Search, window: float) -> InputError:
    block, there = search.block, search.blocks.first.size
    needed = f"{FEWEST} blocks of {block:.3g} s, {FEWEST * block:.3g} s in all"
    if there >= FEWEST:
        return InputError("window", window, f"is too short: it must have {needed}")
    return InputError(
        "recording",
        search.record.source,
        f"is too short: a window must have {needed}, and there are {there * block:.3g} s",
    )
