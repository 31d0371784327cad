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

"""Allan curves that other tools have written."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .allan import AllanCurves
from .allan_terms import Array

ASSUMED_LENGTH = 9
"""How many of its longest averaging times a record was long, where nobody says."""

_DEGREE = np.pi / 180.0
_ROS_COLUMNS = 7
_IMU_UTILS = re.compile(r"(?P<stem>.*)_(gyr|acc)_[txyz]\.txt(\.gz)?")
_IMU_UTILS_UNITS = {"gyr": _DEGREE / 3600.0, "acc": 1.0}

_SPREAD = 0.2
"""How far from an octave, as a part of it, the nearest time of a file may be."""


def is_curve(path: Path) -> bool:
    """Return whether a file holds Allan curves and not readings.

    It does when imu_utils could have named it, or when it is seven columns of numbers without a
    heading, all above 0, which readings of a whole IMU at rest are not.
    """
    if not path.is_file():
        return False
    if _IMU_UTILS.fullmatch(path.name):
        return True
    if not path.name.lower().endswith((".csv", ".csv.gz", ".txt", ".txt.gz")):
        return False
    try:
        numbers = [_numbers(line) for line in _text(path).splitlines()[:64] if line.strip()]
    except ValueError:
        return False
    return len(numbers) > 1 and all(len(n) == _ROS_COLUMNS and min(n) > 0.0 for n in numbers)


def read_curves(path: Path, duration: float | None = None) -> AllanCurves:
    """Return the curves in a file of allan_variance_ros, or in those of imu_utils beside it.

    allan_variance_ros writes deviations, whatever the file is called: averaging time [s],
    accelerometer xyz [m/s^2], gyroscope xyz [deg/s]. imu_utils writes a file for each axis and for
    the times, PREFIX_gyr_t.txt, PREFIX_gyr_x.txt and so on, in deg/h and m/s^2.

    Parameters
    ----------
    path : Path
    duration : float, optional
        Length of the record behind the curves [s], which they do not tell; it decides how certain
        they are. Nine of the longest averaging times by default.

    Raises
    ------
    InputError
        A file is missing, has something else in it, or averaging times without octaves.
    """
    if match := _IMU_UTILS.fullmatch(path.name):
        taus, deviations = _read_imu_utils(path.with_name(match["stem"]))
    else:
        taus, deviations = _read_ros(path)
    _check(path, taus, deviations)
    octaves = _octaves(path, taus)
    assumed = duration is None
    if duration is None:
        duration = ASSUMED_LENGTH * float(taus[-1])
    elif duration < ASSUMED_LENGTH * float(taus[-1]) / 2.0:
        raise InputError(
            "duration", duration, f"must be longer for averaging times up to {taus[-1]:g} s"
        )
    dt = float(taus[0])
    count = round(duration / dt)
    return AllanCurves(str(path), taus, deviations, octaves, dt, count, assumed=assumed)


def _read_ros(path: Path) -> tuple[Array, Array]:
    rows = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = _numbers(line)
        except ValueError:
            row = []
        if len(row) != _ROS_COLUMNS:
            raise InputError(
                f"{path}, line {number}", line.strip(), f"must be {_ROS_COLUMNS} numbers"
            )
        rows.append(row)
    table = np.array(rows).reshape(-1, _ROS_COLUMNS).T
    return table[0], np.concatenate([table[4:7] * _DEGREE, table[1:4]])


def _read_imu_utils(stem: Path) -> tuple[Array, Array]:
    taus, rows = None, []
    for sensor, unit in _IMU_UTILS_UNITS.items():
        ours = [_column(stem, f"{sensor}_{name}") for name in "txyz"]
        if taus is not None and not np.array_equal(taus, ours[0]):
            raise InputError(
                f"{stem}_{sensor}_t.txt", "times", "must be those of the other sensor"
            )
        taus = ours[0]
        for name, column in zip("xyz", ours[1:], strict=True):
            if len(column) != len(taus):
                allowed = f"must be as many as there are times, {len(taus)}"
                raise InputError(f"{stem}_{sensor}_{name}.txt", f"{len(column)} numbers", allowed)
            rows.append(column * unit)
    assert taus is not None
    return taus, np.stack(rows)


def _column(stem: Path, name: str) -> Array:
    path = stem.with_name(f"{stem.name}_{name}.txt")
    if not path.is_file():
        packed = path.with_name(f"{path.name}.gz")
        path = packed if packed.is_file() else path
    words = _text(path).split()
    try:
        return np.array([float(word) for word in words])
    except ValueError as error:
        raise InputError(str(path), str(error), "must be one number a line") from None


def _check(path: Path, taus: Array, deviations: Array) -> None:
    if not len(taus):
        raise InputError("file", str(path), "is empty")
    if not (np.isfinite(taus).all() and (np.diff(taus, prepend=0.0) > 0.0).all()):
        raise InputError(str(path), "averaging times", "must be above 0 s and ascend")
    if not (np.isfinite(deviations).all() and (deviations >= 0.0).all()):
        raise InputError(str(path), "deviations", "must be numbers of 0 or more")


def _octaves(path: Path, taus: Array) -> NDArray[np.int64]:
    """Return where the times nearest to octaves of the first are."""
    wanted = np.arange(int(np.log2(taus[-1] / taus[0]) + _SPREAD) + 1)
    distance = np.abs(np.log2(taus / taus[0])[None, :] - wanted[:, None])
    if len(wanted) < 6 or distance.min(axis=1).max() > _SPREAD:
        raise InputError(
            str(path), "averaging times", "must go up by octaves or more densely, six at least"
        )
    nearest: NDArray[np.int64] = distance.argmin(axis=1)
    return nearest


def _numbers(line: str) -> list[float]:
    return [float(word) for word in line.replace(",", " ").split()]


def _text(path: Path) -> str:
    try:
        if path.suffix == ".gz":
            with gzip.open(path, "rt", encoding="utf-8") as file:
                return file.read()
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("file", str(path), "does not exist") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text, or broken off"
        raise InputError("file", str(path), f"cannot be read: {reason}") from None
