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

"""What the readings themselves say against a sensor: stuck, repeated, or no numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..samples import Array
from .record import is_missing

AXES = tuple(f"{sensor} {axis}" for sensor in ("gyroscope", "accelerometer") for axis in "xyz")
"""Names of the rows."""

_TRIADS = {"gyroscope": slice(0, 3), "accelerometer": slice(3, 6)}


@dataclass(frozen=True, eq=False)
class Findings:
    """What is odd about readings; counts are of single values, by axis in the order of `AXES`.

    Attributes
    ----------
    count : int
        Readings.
    missing : tuple of str
        Sensors that are not there.
    not_finite : ndarray of int64, shape (6,)
        Values that are NaN or infinite; of a missing sensor none is counted.
    constant : ndarray of bool, shape (6,)
        Axes that never change.
    zero : ndarray of bool, shape (6,)
        Axes that are always 0.
    repeated : dict of str to int
        By sensor, readings equal to the one before on all three axes.
    by_chance : dict of str to float
        How many of these are to be expected, were the axes independent: coarse ones repeat, too.
    """

    count: int
    missing: tuple[str, ...]
    not_finite: NDArray[np.int64]
    constant: NDArray[np.bool_]
    zero: NDArray[np.bool_]
    repeated: dict[str, int]
    by_chance: dict[str, float]

    def is_repeating(self, sensor: str) -> bool:
        """Whether one reading of a sensor in a hundred repeats beyond what chance explains.

        Fewer change no figure of noise, and axes that are not quite independent explain them.
        """
        chance = self.by_chance[sensor]
        excess = self.repeated[sensor] - chance
        return bool(excess > 6.0 * math.sqrt(chance) and excess > 0.01 * self.count)

    def sentences(self) -> list[str]:
        """Return a sentence for each oddity; none where there is nothing to say."""
        told = [f"There is no {sensor}." for sensor in self.missing]
        for axis, lost, constant, zero in zip(
            AXES, self.not_finite, self.constant, self.zero, strict=True
        ):
            if lost:
                told.append(f"{lost} of {self.count} readings of {axis} are NaN or infinite.")
            if constant:
                told.append(f"{axis} is always 0." if zero else f"{axis} never changes.")
        return told + [self._repeating(sensor) for sensor in _TRIADS if self.is_repeating(sensor)]

    def _repeating(self, sensor: str) -> str:
        repeated = self.repeated[sensor]
        share = 100.0 * repeated / (self.count - 1)
        return (
            f"{repeated} readings of the {sensor} ({share:.3g} %) are equal to the one before on"
            " all axes: it was read faster than it measures, or messages were sent twice."
        )


def examine_values(values: Array) -> Findings:
    """Return what is odd about readings.

    Parameters
    ----------
    values : ndarray, shape (6, T)
        As in `ImuRecord`; T is at least 1. One axis at a time is in memory.
    """
    count = values.shape[1]
    missing = tuple(sensor for sensor, rows in _TRIADS.items() if is_missing(values[rows]))
    not_finite = np.zeros(len(AXES), dtype=np.int64)
    constant, zero = np.zeros((2, len(AXES)), dtype=np.bool_)
    repeated, by_chance = dict.fromkeys(_TRIADS, 0), dict.fromkeys(_TRIADS, 0.0)
    for sensor in _TRIADS.keys() - set(missing):
        all_same, chance = np.ones(count - 1, dtype=np.bool_), 1.0
        for axis in range(len(AXES))[_TRIADS[sensor]]:
            line = values[axis]
            not_finite[axis] = count - np.count_nonzero(np.isfinite(line))
            same = line[1:] == line[:-1]
            constant[axis] = count > 1 and same.all()
            zero[axis] = constant[axis] and line[0] == 0.0
            all_same &= same
            chance *= np.count_nonzero(same) / max(count - 1, 1)
        repeated[sensor] = int(np.count_nonzero(all_same))
        by_chance[sensor] = chance * (count - 1)
    return Findings(count, missing, not_finite, constant, zero, repeated, by_chance)
