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

"""Trajectories from text: EuRoC ground truth and TUM.

EuRoC (ASL dataset format): commas; stamp in ns, position, quaternion w x y z, and what follows,
velocity and biases, which is not used. A stamp with a decimal point is in seconds.
TUM (RGB-D benchmark): spaces; stamp in seconds, position, quaternion x y z w.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

import numpy as np

from ..bags.files import open_plain, unreadable
from ..errors import InputError
from ..motion.intervals import NANOSECONDS
from ..motion.station import NORM_TOLERANCE
from .trajectory import Trajectory

_COLUMNS = 8


def read_trajectory(path: Path) -> Trajectory:
    """Return the poses in a file.

    Raises
    ------
    InputError
        The file cannot be read, a line is no pose, or stamps do not rise; the sentence names the
        line.
    """
    stamps: list[int] = []
    poses: list[list[float]] = []
    for number, line in enumerate(_lines(path), start=1):
        text = line.strip()
        if not text or text.startswith("#") or (not poses and _is_title(text)):
            _check_order(text, path)
            continue
        stamp, pose = _pose(text, number, path)
        if stamps and stamp <= stamps[-1]:
            raise _refusal(path, number, text, "must have a later stamp than the line before")
        stamps.append(stamp)
        poses.append(pose)
    if not poses:
        raise InputError("file", str(path), "has no poses")
    table = np.array(poses)
    return Trajectory(str(path), np.array(stamps, dtype=np.int64), table[:, 0:3], table[:, 3:7])


def _lines(path: Path) -> Iterator[str]:
    try:
        with open_plain(path) as content:
            for line in content:
                yield line.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("file", str(path), "is neither a bag nor text") from None
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable(path, error) from None


def _pose(text: str, number: int, path: Path) -> tuple[int, list[float]]:
    """Return stamp [ns], and position and quaternion x, y, z, w."""
    commas = "," in text
    parts = [part.strip() for part in text.split(",")] if commas else text.split()
    if len(parts) < _COLUMNS or (not commas and len(parts) > _COLUMNS):
        allowed = "at least 8 with commas (EuRoC), or 8 with spaces (TUM)"
        raise _refusal(path, number, text, f"has {len(parts)} columns, but must have {allowed}")
    stamp = _stamp(parts[0], commas and "." not in parts[0])
    values = [_number(part) for part in parts[1:_COLUMNS]]
    for column, value in enumerate((stamp, *values), start=1):
        if value is None:
            told = f"column {column} must be a finite number"
            raise _refusal(path, number, parts[column - 1], told)
    x, y, z, *q = (value for value in values if value is not None)
    if commas:
        q = [*q[1:], q[0]]
    length = math.hypot(*q)
    if abs(length - 1.0) > NORM_TOLERANCE:
        told = f"must have a quaternion of length 1, not {length:.4g}"
        raise _refusal(path, number, text, told)
    assert stamp is not None
    return stamp, [x, y, z, *q]


def _stamp(text: str, in_nanoseconds: bool) -> int | None:
    """Return nanoseconds, exactly; None of what is no time that a message can have."""
    unit = 1 if in_nanoseconds else NANOSECONDS
    try:
        given = Decimal(text)
        # Before it becomes a whole number, which of 1e999999999 would take minutes.
        if not 0 <= given < Decimal(2**31 * NANOSECONDS) / unit:
            return None
    except InvalidOperation:
        return None
    return int(given * unit)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _is_title(text: str) -> bool:
    """Whether a first line names columns: it has letters where numbers would be."""
    return text.lstrip(", \t")[:1].isalpha()


def _check_order(title: str, path: Path) -> None:
    """Refuse a title of columns that has w elsewhere than EuRoC has it."""
    names = [name.strip().lower() for name in title.lstrip("#").split(",")]
    if len(names) >= _COLUMNS and "w" not in names[4]:
        last = next((k for k, name in enumerate(names[:_COLUMNS]) if "qw" in name), None)
        if last is not None:
            raise InputError(
                "file", str(path), f"has {names[last]} in column {last + 1}; EuRoC has it in 5"
            )


def _refusal(path: Path, number: int, value: str, allowed: str) -> InputError:
    return InputError(f"{path}, line {number}", value, allowed)
