"""The files that `allan` leaves, each replaced whole or not at all."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..analysis.allan import AllanCurves
from ..analysis.allan_profile import fitted_spec, provenance, source
from ..analysis.allan_terms import Array
from ..analysis.fit import AxisFit
from ..errors import InputError, MissingPackageError
from ..profiles.formats.kalibr_export import kalibr_text
from ..profiles.sourced import sourced_text

PICTURE, PROFILE, KALIBR = "allan.png", "profile.yaml", "kalibr.yaml"


def prepare(folder: Path) -> None:
    """Make `folder`, and refuse one in which nothing could be written.

    Raises
    ------
    InputError
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            "--output", str(folder), f"nothing can be written there: {error.strerror}"
        ) from None


def write_files(
    folder: Path,
    curves: AllanCurves,
    fits: Sequence[AxisFit | None],
    bands: tuple[Array, Array],
) -> tuple[list[str], list[str]]:
    """Write picture, profile and Kalibr's file; return what was written and what is to be noted.

    Raises
    ------
    InputError
        One cannot be written.
    """
    try:
        picture = _write_picture(folder / PICTURE, curves, fits, bands)
        spec = fitted_spec(fits, bands)
        about = {"name": "Fitted", "description": f"measured, {curves.duration / 3600:.2g} h at rest"}
        sources = source(curves, datetime.date.today())
        profile = sourced_text(spec, about, sources, provenance(fits))
        kalibr, notes = kalibr_text(spec, 1.0 / curves.dt)
        _replace(folder / PROFILE, profile)
        _replace(folder / KALIBR, kalibr)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("--output", str(folder), f"cannot be written: {reason}") from None
    lines = [
        f"Picture: {picture}",
        f"Profile: {folder / PROFILE}",
        f"Kalibr:  {folder / KALIBR}",
    ]
    return lines, [f"{KALIBR}: {note}" for note in notes]


def _write_picture(
    path: Path, curves: AllanCurves, fits: Sequence[AxisFit | None], bands: tuple[Array, Array]
) -> str:
    from ..analysis.allan_plot import plot_allan

    try:
        plot_allan(path, curves, fits, bands, f"Allan deviation of {Path(curves.source).name}")
    except MissingPackageError as missing:
        return f"none; {missing}"
    return str(path)


def _replace(path: Path, text: str) -> None:
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)
