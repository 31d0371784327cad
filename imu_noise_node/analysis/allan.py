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

"""Overlapping Allan deviations of a recording."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingPackageError
from ..recordings.record import ImuRecord
from ..recordings.timing import examine
from ..recordings.values import AXES, Findings, examine_values
from .allan_terms import Array
from .still_units import check_gravity, check_rate_noise
from .stillness import require_still

Progress = Callable[[int, int], None]
"""Takes how much is done and how much there is to do."""

LONGEST = 9
"""The longest averaging time is the record over this.

There the error of an Allan deviation is 1/sqrt(2 (9 - 1)), a quarter (IEEE Std 952, annex C); what
longer ones would add to the fit is less than rounding.
"""

FEWEST = 32 * LONGEST
"""Readings below which there are not enough octaves to fit four terms to."""

_PER_OCTAVE = 2


@dataclass(frozen=True, eq=False)
class AllanCurves:
    """Allan deviations of the six axes.

    Attributes
    ----------
    source : str
        What was read.
    taus : ndarray, shape (n,)
        Averaging times [s], ascending.
    deviations : ndarray, shape (6, n)
        Gyroscope xyz [rad/s], accelerometer xyz [m/s^2]; NaN where there is no such sensor.
    octaves : ndarray of int, shape (m,)
        Where in `taus` the times are that are 1, 2, 4, ... times the shortest.
    dt : float
        The shortest averaging time [s]: the interval between readings, where they are known.
    count : int
        How many intervals of `dt` the record is long.
    notes : tuple of str
        What was odd of the record, a sentence for each.
    """

    source: str
    taus: Array
    deviations: Array
    octaves: NDArray[np.int64]
    dt: float
    count: int
    notes: tuple[str, ...] = ()

    @property
    def octave_factors(self) -> tuple[int, ...]:
        """The octaves in units of the shortest time."""
        return tuple(2**k for k in range(len(self.octaves)))

    def at(self, tau: float) -> Array:
        """Return the deviations at an averaging time [s], shape (6,), between two others if so."""
        if not self.taus[0] <= tau <= self.taus[-1]:
            return np.full(6, np.nan)
        with np.errstate(divide="ignore"):
            logs = np.log(self.deviations)
        return np.exp([np.interp(np.log(tau), np.log(self.taus), row) for row in logs])

    @property
    def duration(self) -> float:
        """Length of the record [s]."""
        return self.count * self.dt


def allan(record: ImuRecord, progress: Progress | None = None) -> AllanCurves:
    """Return the overlapping Allan deviations of the longest regular stretch of a record.

    Averaging times go up in half octaves, each a whole number of intervals, to a ninth of the
    stretch. One axis is worked on at a time, so that the rest may lie on disk.

    Raises
    ------
    InputError
        The record is too short, not still, in other units by its looks, or has readings that are
        no numbers.
    MissingPackageError
        allantools is not installed.
    """
    timing = examine(record.stamps)
    stretch = record.values[:, timing.good]
    count = stretch.shape[1]
    if count < FEWEST:
        raise InputError(
            record.source, f"{count} regular readings", f"at least {FEWEST} are needed for a fit"
        )
    findings = examine_values(stretch)
    rows = _usable(record.source, findings)
    knocks = require_still(record.source, stretch, rows, timing.rate)
    _let_go(stretch)
    factors = averaging_factors(count, timing.rate)
    deviations, means = np.full((6, len(factors)), np.nan), np.full(6, np.nan)
    for place, row in enumerate(rows):

        def show(done: int, place: int = place) -> None:
            if progress is not None:
                progress(place * len(factors) + done, len(rows) * len(factors))

        deviations[row] = overlapping(stretch[row], timing.rate, factors, show)
        means[row] = float(np.mean(stretch[row]))
        _let_go(stretch)
    odd = _units(record.source, means, deviations, factors / timing.rate)
    return AllanCurves(
        source=record.source,
        taus=factors / timing.rate,
        deviations=deviations,
        octaves=octaves_of(factors),
        dt=1.0 / timing.rate,
        count=count,
        notes=(
            *timing.sentences(),
            *_used(record, timing.good),
            *findings.sentences(),
            *knocks,
            *odd,
        ),
    )


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


def _units(source: str, means: Array, deviations: Array, taus: Array) -> list[str]:
    """Refuse gravity that is not in m/s^2; return a sentence on what else is odd."""
    told: list[str] = []
    if np.isfinite(means[3:6]).all():
        told += check_gravity(means[3:6], source)
    # What the deviation at about a second would be of white noise alone.
    near = int(np.argmin(np.abs(np.log(taus))))
    noise = deviations[:, near] * np.sqrt(taus[near])
    if np.isfinite(noise[0:3]).all():
        told += check_rate_noise(float(noise[0:3].max()), None, source)
    return told


def averaging_factors(count: int, rate: float) -> NDArray[np.int64]:
    """Return averaging times in intervals for `count` readings at `rate` [Hz].

    Among them is one second, where a white noise density is quoted.
    """
    highest = _PER_OCTAVE * int(np.log2(count // LONGEST))
    halves = np.arange(highest + 1) / _PER_OCTAVE
    factors = np.append(np.round(2.0**halves), min(max(1, round(rate)), count // LONGEST))
    return np.unique(factors.astype(np.int64))


def octaves_of(factors: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where the powers of two are."""
    return np.flatnonzero(factors & (factors - 1) == 0)


def overlapping(
    values: Array,
    rate: float,
    factors: NDArray[np.int64],
    progress: Callable[[int], None] | None = None,
) -> Array:
    """Return the overlapping Allan deviation [u] of one axis, shape (n,).

    allantools is given the integral, which has one more element than there are readings, and one
    averaging time after the other: in memory are then the integral, its copy and two differences.

    Parameters
    ----------
    values : ndarray, shape (T,)
    rate : float
        [Hz]
    factors : ndarray of int, shape (n,)
        Averaging times in intervals.
    """
    try:
        from allantools import oadev
    except ImportError:
        remedy = "pip install allantools"
        raise MissingPackageError("allantools", "an Allan deviation", remedy) from None
    integral = np.zeros(len(values) + 1)
    # Without the mean, whose integral would take digits from what matters.
    np.subtract(values, np.mean(values), out=integral[1:])
    np.cumsum(integral, out=integral)
    integral /= rate
    found = np.empty(len(factors))
    for k, factor in enumerate(factors):
        found[k] = oadev(integral, rate, "phase", np.array([factor / rate]))[1][0]
        if progress is not None:
            progress(k + 1)
    return found


def _let_go(values: Array) -> None:
    """Give back the memory that the pages of a mapped file take; they are read again when needed.

    Twenty hours at 400 Hz would otherwise stay in memory whole, one axis after the other.
    """
    base: object = values
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)


def _used(record: ImuRecord, good: slice) -> list[str]:
    """Return a sentence on what part of the record was used, unless it was all."""
    used = good.stop - good.start
    if used == len(record.stamps):
        return []
    part = used / len(record.stamps)
    return [f"used: the longest stretch without a gap, {used} readings, {part:.1%} of the record"]
