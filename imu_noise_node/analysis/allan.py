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

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingPackageError
from ..recordings.gathering import let_go
from ..recordings.record import ImuRecord
from .allan_readings import ABSURDLY_LARGE, readings
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


ABSURDLY_SMALL = 1e-30
"""As deviation of a sensor [u]. Much below, squares are no numbers any more."""


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
    assumed : bool
        Whether the length of the record is a guess, as it is where curves are all that is known.
    """

    source: str
    taus: Array
    deviations: Array
    octaves: NDArray[np.int64]
    dt: float
    count: int
    notes: tuple[str, ...] = ()
    assumed: bool = False

    def __post_init__(self) -> None:
        """Refuse what no sensor has.

        Raises
        ------
        InputError
            No axis has noise, or one has more than any sensor.
        """
        largest = float(self.deviations[~np.isnan(self.deviations)].max(initial=0.0))
        if not ABSURDLY_SMALL < largest < ABSURDLY_LARGE:
            told = "there is no noise to measure" if largest < 1.0 else "that is no sensor's noise"
            raise InputError(self.source, "deviations", f"are {largest:.3g} at most: {told}")

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
    stretch. One axis is worked on at a time, so that the rest may lie on disk. Readings that only
    repeat the one before are left out, and a sensor of which that holds while the other runs on.

    Raises
    ------
    InputError
        The record is too short, not still, in other units by its looks, or has readings that are
        no numbers.
    MissingPackageError
        allantools is not installed.
    """
    used = readings(record, FEWEST)
    values, rate = used.values, used.rate
    count = values.shape[1]
    knocks = require_still(record.source, values, used.rows, rate)
    let_go(values)
    factors = averaging_factors(count, rate)
    deviations, means = np.full((6, len(factors)), np.nan), np.full(6, np.nan)
    for place, row in enumerate(used.rows):

        def show(done: int, place: int = place) -> None:
            if progress is not None:
                progress(place * len(factors) + done, len(used.rows) * len(factors))

        deviations[row] = overlapping(values[row], rate, factors, show)
        means[row] = float(np.mean(values[row]))
        let_go(values)
    odd = _units(record.source, means, deviations, factors / rate)
    return AllanCurves(
        source=record.source,
        taus=factors / rate,
        deviations=deviations,
        octaves=octaves_of(factors),
        dt=1.0 / rate,
        count=count,
        notes=(*used.notes, *knocks, *odd),
    )


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
