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

"""The files that `allan` leaves, each replaced whole or not at all."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from ..analysis.allan import AllanCurves
from ..analysis.allan_profile import fitted_spec, provenance, seen_alone, source
from ..analysis.allan_terms import Array
from ..analysis.fit import AxisFit
from ..errors import InputError, MissingPackageError
from ..profiles.formats.kalibr_export import kalibr_text
from ..profiles.sourced import sourced_text
from ._files import check_folder, refuse_input, write_files

PICTURE, PROFILE, KALIBR = "allan.png", "profile.yaml", "kalibr.yaml"


def prepare(folder: Path, sources: Sequence[Path | None]) -> None:
    """Refuse a folder where nothing can be written, or a source would be.

    Raises
    ------
    InputError
    """
    for name in (PICTURE, PROFILE, KALIBR):
        refuse_input(folder / name, sources, "--output")
    check_folder(folder, (PICTURE, PROFILE, KALIBR), "--output")


def write_results(
    folder: Path,
    curves: AllanCurves,
    fits: Sequence[AxisFit | None],
    bands: tuple[Array, Array],
    name: str,
    origin: str,
) -> tuple[list[str], list[str]]:
    """Write profile, Kalibr's file and picture; return where they are, and what is to be noted.

    Parameters
    ----------
    name : str
        Of what was read, for the picture's title.
    origin : str
        What the curves are of, as "measured, 3 h at rest".

    Raises
    ------
    InputError
        One cannot be written.
    """
    spec = fitted_spec(fits, bands)
    about = {"name": "Fitted", "description": origin}
    sources = source(curves, origin, datetime.date.today())
    profile = sourced_text(spec, about, sources, provenance(fits))
    averaged, unseen = seen_alone(spec, fits)
    kalibr, notes = kalibr_text(averaged, 1.0 / curves.dt, unseen)
    contents = {PROFILE: profile.encode(), KALIBR: kalibr.encode()}
    write_files(folder, contents, "--output")
    lines = [
        f"Profile: {folder / PROFILE}",
        f"Kalibr:  {folder / KALIBR}",
        f"Picture: {_write_picture(folder / PICTURE, curves, fits, bands, name)}",
    ]
    return lines, [f"{KALIBR}: {note}" for note in notes]


def _write_picture(
    path: Path,
    curves: AllanCurves,
    fits: Sequence[AxisFit | None],
    bands: tuple[Array, Array],
    name: str,
) -> str:
    from ..analysis.allan_plot import plot_allan

    try:
        plot_allan(path, curves, fits, bands, f"Allan deviation: {name}")
    except MissingPackageError as missing:
        return f"none; {missing}"
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("--output", str(path), f"cannot be written: {reason}") from None
    return str(path)
