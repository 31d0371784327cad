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

"""Readings that are only the one before once more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..samples import Array

_MANY = 0.1
"""Part of the readings; fewer change no figure of noise by much."""

_BY_CHANCE = 0.01
"""How often new readings may be equal by chance before none can be told from an old one."""


def repeats(values: Array, rows: Sequence[int]) -> NDArray[np.bool_]:
    """Return which readings repeat the one before, where a driver reads faster than its sensor.

    They are equal to it on all axes. New readings of a coarse sensor are now and then, too. How
    often, each axis tells where another has changed; unless that is hardly ever, nothing is taken
    for a repetition.

    Parameters
    ----------
    values : ndarray, shape (6, T)
        Numbers; one axis at a time is in memory.
    rows : sequence of int
        The axes that hang together.

    Returns
    -------
    ndarray of bool, shape (T,)
        All False where they are fewer than a tenth.
    """
    none = np.zeros(values.shape[1], dtype=np.bool_)
    same = np.ones(values.shape[1] - 1, dtype=np.bool_)
    alike = []
    for row in rows:
        still = values[row, 1:] == values[row, :-1]
        alike.append(np.count_nonzero(still))
        same &= still
    repeated = np.count_nonzero(same)
    if not _MANY * len(none) <= repeated < len(same):
        return none
    by_chance = np.prod([(count - repeated) / (len(same) - repeated) for count in alike])
    return np.append(False, same) if by_chance < _BY_CHANCE else none
