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

"""Which readings of a record an Allan deviation is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..recordings.gathering import let_go
from ..recordings.record import ImuRecord
from ..recordings.repeats import repeats
from ..recordings.timing import examine
from ..recordings.values import AXES, Findings, examine_values
from .allan_terms import Array

ABSURDLY_LARGE = 1e30
"""As reading or deviation of a sensor [u]. Much above, squares are no numbers any more."""


@dataclass(frozen=True, eq=False)
class Readings:
    """What is used.

    Attributes
    ----------
    values : ndarray, shape (6, T)
        As in `ImuRecord`, at regular times.
    rate : float
        [Hz]
    rows : list of int
        The axes that can be used.
    notes : list of str
        What was odd of the record, or is left out, a sentence for each.
    """

    values: Array
    rate: float
    rows: list[int]
    notes: list[str]


def readings(record: ImuRecord, fewest: int) -> Readings:
    """Return the longest regular stretch of a record, each reading of the sensor once.

    Raises
    ------
    InputError
        There are fewer than `fewest`, or some are no numbers or absurdly large, or none ever
        changes.
    """
    timing = examine(record.stamps, record.source)
    values, rate = record.values[:, timing.good], timing.rate
    notes = [*timing.sentences(), *_used(record, timing.good)]
    _require(fewest, record.source, values)
    findings = examine_values(values)
    rows = _usable(record.source, findings)
    _check_size(record.source, values, rows)
    old = repeats(values, rows)
    if old.any():
        values, rate = _without(values, old), rate * float(np.mean(~old))
        notes.append(
            f"left out: {np.mean(old):.1%} of these readings, which only repeat the one before on "
            f"all axes; new ones come at {rate:.6g} Hz"
        )
        _require(fewest, record.source, values)
        findings = examine_values(values)
    rows, slower = _running(record.source, values, rows)
    return Readings(values, rate, rows, [*notes, *findings.sentences(), *slower])


def _without(values: Array, old: NDArray[np.bool_]) -> Array:
    """Return the other readings, one axis of the file in memory at a time."""
    kept = np.empty((len(values), np.count_nonzero(~old)))
    for row, line in enumerate(values):
        kept[row] = line[~old]
        let_go(values)
    return kept


def _require(fewest: int, source: str, values: Array) -> None:
    count = values.shape[1]
    if count < fewest:
        told = f"at least {fewest} are needed for a fit"
        raise InputError(source, f"{count} regular readings", told)


def _used(record: ImuRecord, good: slice) -> list[str]:
    """Return a sentence on what part of the record was used, unless it was all."""
    used = good.stop - good.start
    if used == len(record.stamps):
        return []
    part = used / len(record.stamps)
    return [f"used: the longest stretch without a gap, {used} readings, {part:.1%} of the record"]


def _usable(source: str, findings: Findings) -> list[int]:
    """Return the axes whose readings change, once all are numbers."""
    for axis, lost in zip(AXES, findings.not_finite, strict=True):
        if lost:
            raise InputError(source, axis, f"has {lost} readings that are NaN or infinite")
    rows = [
        row
        for row, axis in enumerate(AXES)
        if axis.split()[0] not in findings.missing and not findings.constant[row]
    ]
    if not rows:
        raise InputError(source, "readings", "never change: there is no noise to measure")
    return rows


def _check_size(source: str, values: Array, rows: Sequence[int]) -> None:
    for row in rows:
        largest = float(max(values[row].max(), -values[row].min()))
        if largest > ABSURDLY_LARGE:
            told = f"has a reading of {largest:.3g}, and must have at most {ABSURDLY_LARGE:g}"
            raise InputError(source, AXES[row], told)


def _running(source: str, values: Array, rows: Sequence[int]) -> tuple[list[int], list[str]]:
    """Return the axes of sensors that are as fast as they are read, and a sentence on others.

    Where one sensor repeats, the other may not: no reading can be left out for both. And of held
    readings N would come out some per cent too low.
    """
    running: list[int] = []
    told: list[str] = []
    for sensor, axes in (("gyroscope", range(3)), ("accelerometer", range(3, 6))):
        ours = [row for row in rows if row in axes]
        if repeats(values, ours).any():
            told.append(f"left out: the {sensor}, which is slower; record it at its own rate")
        else:
            running += ours
    if not running:
        raise InputError(
            source, "readings", "repeat the ones before them, of both sensors by turns"
        )
    return running, told
