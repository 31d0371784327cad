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

"""The arguments that say which recording to read, and how."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..recordings.reading import read_imu
from ..recordings.record import ImuRecord


def add_arguments(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """Declare them; the file may be left out where it is `optional`."""
    parser.add_argument(
        "file",
        type=Path,
        nargs="?" if optional else None,
        metavar="FILE",
        help="a bag of ROS 2 or ROS 1, a table of text (EuRoC, CSV), or an npz; also gzipped",
    )
    parser.add_argument("--topic", help="of type sensor_msgs/Imu, where a bag has several")
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="NAME=COLUMN",
        help="where something is in a table: t, wx, wy, wz, ax, ay, az = name or number of a "
        "column; in an npz: t, rate, angular_velocity, linear_acceleration = name of an array",
    )
    parser.add_argument(
        "--stamp-unit", metavar="UNIT", help="ns, us, ms or s, where the file does not tell"
    )
    parser.add_argument(
        "--gyroscope-unit", metavar="UNIT", help="as 'deg/s'; of counts what one is: '0.05 deg/s'"
    )
    parser.add_argument("--accelerometer-unit", metavar="UNIT", help="as 'g', or '3.33 mg'")


def refuse_arguments(args: argparse.Namespace, reason: str) -> None:
    """Refuse those of the arguments that say how to read a recording, where none is read.

    Raises
    ------
    InputError
        One is given.
    """
    for name in ("topic", "column", "stamp_unit", "gyroscope_unit", "accelerometer_unit"):
        value = getattr(args, name)
        if value:
            raise InputError(f"--{name.replace('_', '-')}", value, f"must be left out: {reason}")


def read_recording(args: argparse.Namespace) -> ImuRecord:
    """Return what the arguments ask for.

    Raises
    ------
    ImuNoiseError
        It cannot be read.
    """
    return read_imu(
        args.file,
        args.topic,
        columns=_columns(args.column),
        stamp_unit=args.stamp_unit,
        gyroscope_unit=args.gyroscope_unit,
        accelerometer_unit=args.accelerometer_unit,
    )


def _columns(texts: Sequence[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for text in texts:
        name, column = _column(text)
        if name in columns:
            raise InputError("--column", text, f"must name {name} once, but it is named twice")
        columns[name] = column
    return columns


def _column(text: str) -> tuple[str, str]:
    name, equals, column = text.partition("=")
    if not (name and equals and column):
        raise InputError("--column", text, "must be NAME=COLUMN, as wx=gyro_x")
    return name, column
