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

"""Whether a long record is of a sensor at rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..recordings.values import AXES
from .allan_terms import Array

_WINDOW = 1.0
"""Shortest window [s] in which readings are compared."""

_READINGS = 50
"""Fewest readings in it: the sigma of fewer scatters too much."""

_MOST_WINDOWS = 2000

_LOUD = 5.0
"""Ratio of the loudest window to the middle one above which it is worth a note."""

_MOVING = 3.0
"""Ratio of busy to quiet windows above which a record is one of motion.

The sigmas of 50 normal numbers scatter by a tenth, so that the ratio is 1.3 at rest.
"""


def require_still(source: str, values: Array, rows: Sequence[int], rate: float) -> list[str]:
    """Refuse a record whose noise is not the same all along, as is one of motion.

    Returns a sentence on each axis that was disturbed for a moment: a knock or a wrong reading
    raises the white noise that is found.

    The sigmas within short windows are compared, of which nine in ten are below the one and one in
    ten below the other quantile. No threshold is absolute: a loud sensor at rest is as homogeneous
    as a quiet one.

    Parameters
    ----------
    values : ndarray, shape (6, T)
    rows : sequence of int
        The axes to look at.
    rate : float
        [Hz]

    Raises
    ------
    InputError
        It is not still.
    """
    length = min(max(_READINGS, int(_WINDOW * rate)), values.shape[1] // 4)
    count = values.shape[1] // length
    starts = range(0, count * length, length * max(1, count // _MOST_WINDOWS))
    notes = []
    for row in rows:
        windows = np.stack([values[row, start : start + length] for start in starts])
        sigmas = windows.std(axis=1)
        quiet, busy = np.quantile(sigmas, [0.1, 0.9])
        ratio = busy / max(quiet, _step(windows))
        if ratio > _MOVING:
            raise InputError(
                source,
                AXES[row],
                "must be of a sensor at rest: its busy seconds are "
                f"{ratio:.0f} times as loud as its quiet ones",
                "leave it alone on firm ground, and cut off where it was touched",
            )
        loudest, middle = int(np.argmax(sigmas)), max(float(np.median(sigmas)), _step(windows))
        if sigmas[loudest] > _LOUD * middle:
            notes.append(
                f"{AXES[row]}: {starts[loudest] / rate:.6g} s after the start it is "
                f"{sigmas[loudest] / middle:.0f} times as loud as in the middle: N is too high by "
                "that; cut it out"
            )
    return notes


def _step(windows: Array) -> float:
    """Return the smallest change between readings, or a number above 0 where nothing changes."""
    changes = np.abs(np.diff(windows, axis=1))
    return float(changes[changes > 0.0].min(initial=np.inf))
