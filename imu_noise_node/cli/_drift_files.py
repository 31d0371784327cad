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

"""The table and the picture that `drift` leaves, each replaced whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..analysis.drift import Drift
from ..analysis.drift_theory import ATTITUDE, POSITION, VELOCITY
from ..errors import InputError, MissingPackageError
from ._files import check_folder, write_files

TABLE, PICTURE = "drift.csv", "drift.png"

_PARTS = {
    "attitude": (ATTITUDE, "rad"),
    "velocity": (VELOCITY, "m/s"),
    "position": (POSITION, "m"),
}


def prepare(folder: Path, source: Path | None) -> None:
    """Refuse a folder in which the files could not be written, or should not be.

    Raises
    ------
    InputError
        It cannot be made or written to, it is in the bag `source`, or a name is a folder's.
    """
    place = folder.resolve()
    if source is not None and source.is_dir() and source.resolve() in (place, *place.parents):
        raise InputError("--output", str(folder), f"must not be inside the input, {source}")
    check_folder(folder, (TABLE, PICTURE), "--output")


def write_table(folder: Path, drifts: Mapping[str, Drift]) -> None:
    """Write the errors over time as CSV, in SI units, and say where they are."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = [
        f"{name}_{what}[{unit}]"
        for name, (_, unit) in _PARTS.items()
        for what in ("rms", "theory", "theory_stddev")
    ]
    writer.writerow(["profile", "runs", "time[s]", *columns])
    for name, drift in drifts.items():
        figures = np.column_stack(
            [
                column(part)
                for part, _ in _PARTS.values()
                for column in (drift.measured, drift.expected, drift.spread)
            ]
        )
        for time, row in zip(drift.times, figures, strict=True):
            cells = (f"{value:.6g}" if np.isfinite(value) else "" for value in row)
            writer.writerow([name, drift.errors.shape[1], f"{time:.9g}", *cells])
    write_files(folder, {TABLE: text.getvalue().encode()}, "--output")
    print(f"{'Table:':9}{folder / TABLE}")


def write_picture(folder: Path, title: str, drifts: Mapping[str, Drift]) -> None:
    """Draw the drifts, and say where the picture is or why there is none."""
    from ..analysis.drift_plot import plot_drift

    try:
        plot_drift(folder / PICTURE, title, drifts)
    except MissingPackageError as missing:
        print(f"{'Picture:':9}none; {missing}")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("--output", str(folder), f"cannot be written: {reason}") from None
    else:
        print(f"{'Picture:':9}{folder / PICTURE}")
