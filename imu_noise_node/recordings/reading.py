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

"""Recordings of IMUs, from whatever file they are in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..bags.files import SUFFIXES, bag_suffix, start_of
from ..errors import InputError
from .csv_reader import read_csv, read_pressure_csv
from .gathering import Block, gather
from .names import AXES
from .npz_reader import read_npz
from .options import Options
from .record import ImuRecord

_ZIP = b"PK\x03\x04"


def read_imu(
    path: Path,
    topic: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    stamp_unit: str | None = None,
    gyroscope_unit: str | None = None,
    accelerometer_unit: str | None = None,
) -> ImuRecord:
    """Return the readings of an IMU.

    What the file is, its first bytes say, and not its name; docs/recordings.md has the list.

    Parameters
    ----------
    path : Path
        A bag of ROS 2 or ROS 1, a table of text, or an npz; each may be gzipped.
    topic : str or None
        Of type sensor_msgs/Imu; needed where a bag has several.
    columns : mapping of str to str or None
        For text, by `t`, `wx`, `wy`, `wz`, `ax`, `ay`, `az` the name of a column, or its number
        counted from 1; for an npz, by `t`, `rate`, `angular_velocity`, `linear_acceleration` the
        name of an array. What is not named is looked for.
    stamp_unit : str or None
        ns, us, ms or s; where it is not given, the file must tell.
    gyroscope_unit, accelerometer_unit : str or None
        Unit of the numbers where they are not in rad/s and m/s^2, as `deg/s` or `g`; of counts
        what one is worth, as `0.05 deg/s`.

    Raises
    ------
    InputError, ParameterError, UnknownNameError
        One sentence that says what is wrong with which part of the file, or with what was asked.
    MissingPackageError
        A bag, and rosbags is not installed.
    """
    path = Path(path)
    options = Options(columns or {}, stamp_unit, gyroscope_unit, accelerometer_unit)
    if _is_bag(path):
        asked = {f"column {key}": text for key, text in options.columns.items()}
        for key, text in {**asked, "stamp_unit": stamp_unit}.items():
            if text is not None:
                raise InputError(key, text, f"is not for a bag, as {path} is one")
        return _read_bag(path, topic, options)
    if topic is not None:
        raise InputError("topic", topic, f"only bags have topics, and {path} is none")
    return read_npz(path, options) if start_of(path).startswith(_ZIP) else read_csv(path, options)


def read_pressure(path: Path, topic: str | None = None) -> Block | None:
    """Return the readings of a barometer: stamps [ns] and pressures [Pa], each of shape (T,).

    Parameters
    ----------
    path : Path
        A bag of ROS 2 or ROS 1, or a table of text with a column `pressure`.
    topic : str or None
        Of type sensor_msgs/FluidPressure; needed where a bag has several.

    Returns
    -------
    tuple of ndarray or None
        None where the file has no such topic or column, and none was asked for.

    Raises
    ------
    InputError, MissingPackageError
        As for `read_imu`.
    """
    path = Path(path)
    if _is_bag(path):
        return _read_pressure_bag(path, topic)
    if topic is not None:
        raise InputError("topic", topic, f"only bags have topics, and {path} is none")
    return None if start_of(path).startswith(_ZIP) else read_pressure_csv(path)


def _is_bag(path: Path) -> bool:
    return path.is_dir() or path.suffix in SUFFIXES or bool(bag_suffix(path))


def _read_bag(path: Path, topic: str | None, options: Options) -> ImuRecord:
    # rosbags is needed for bags alone.
    from ..bags.numbers import IMU, blocks
    from ..bags.reading import open_bag

    scale = np.array([options.scale(axis) for axis in AXES])
    with open_bag(path) as bag:
        chosen = bag.choose(IMU.message_type, topic)
        read = ((stamps, values * scale) for stamps, values in blocks(bag, chosen, IMU))
        stamps, values = gather(read, len(AXES))
    return ImuRecord(f"{path}: {chosen.name}", _stamped(stamps, path, chosen.name), values)


def _read_pressure_bag(path: Path, topic: str | None) -> Block | None:
    from ..bags.numbers import PRESSURE, blocks
    from ..bags.reading import open_bag

    with open_bag(path) as bag:
        kinds = {known.message_type for known in bag.topics if known.count}
        if topic is None and PRESSURE.message_type not in kinds:
            return None
        chosen = bag.choose(PRESSURE.message_type, topic)
        stamps, values = gather(blocks(bag, chosen, PRESSURE), 1)
    return _stamped(stamps, path, chosen.name), values[0]


def _stamped(stamps: NDArray[np.int64], path: Path, topic: str) -> NDArray[np.int64]:
    """Return the stamps, if anybody has set them."""
    if not stamps.any():
        raise InputError("topic", topic, f"all stamps in the headers of {path} are 0")
    return stamps
