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

"""Stamps in files that do not say their unit, made whole nanoseconds without rounding."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .options import STAMP_UNITS

_SPACINGS = (1.2e-4, 2.0)
"""[s] between readings of an IMU: from 8 kHz down to one in two seconds."""

_EPOCH = (1.0e9, 4.1e9)
"""[s] since 1970: from 2001 to 2099."""

_EPOCH_SPACINGS = (1e-5, 100.0)
_LARGEST = 2**63 - 1


def to_nanoseconds(text: str, unit: str) -> int:
    """Return the stamp that a text means, exactly.

    Raises
    ------
    ValueError
        It is no number, or none that 64 bits hold.
    """
    try:
        stamp = round(Decimal(text).scaleb(STAMP_UNITS[unit]))
    except ArithmeticError:
        raise ValueError(text) from None
    if abs(stamp) > _LARGEST:
        raise ValueError(text)
    return stamp


def is_stamp(text: str) -> bool:
    """Return whether a text is a number that can be a stamp in some unit."""
    try:
        to_nanoseconds(text, "ns")
    except ValueError:
        return False
    return True


def stamp_unit(numbers: Sequence[float] | NDArray[np.float64], path: Path) -> str:
    """Return the unit in which the first stamps of a file are.

    It is one by which they are dates of this century, or else the only one by which readings
    follow each other as those of an IMU do.

    Raises
    ------
    InputError
        Several units are possible, or none; the message is the question that the file leaves open.
        Or no stamp is later than the one before it, which tells nothing.
    """
    start, step = float(np.median(numbers)), _spacing(np.asarray(numbers, dtype=np.float64))
    seconds = {unit: 10.0 ** (power - 9) for unit, power in STAMP_UNITS.items()}
    dates = [
        unit
        for unit, scale in seconds.items()
        if _EPOCH[0] < start * scale < _EPOCH[1]
        and (not step or _EPOCH_SPACINGS[0] < step * scale < _EPOCH_SPACINGS[1])
    ]
    near = [u for u, scale in seconds.items() if _SPACINGS[0] < step * scale < _SPACINGS[1]]
    if len(dates) == 1 or len(near) == 1:
        return (dates or near)[0]
    if not step:
        raise InputError("file", str(path), _no_spacing(numbers))
    could = " or ".join(near) or "ns, us, ms or s"
    problem = f"has stamps {step:g} apart: are these {could}?"
    raise InputError("file", str(path), problem, "stamp_unit says it")


def _spacing(numbers: NDArray[np.float64]) -> float:
    steps = np.diff(numbers)
    forward = steps[steps > 0.0]
    return float(np.median(forward)) if len(forward) else 0.0


def _no_spacing(numbers: Sequence[float] | NDArray[np.float64]) -> str:
    if len(numbers) == 1:
        return "has only one reading"
    return f"has stamps that {'go backward' if numbers[-1] < numbers[0] else 'never advance'}"
