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

"""Convert figures of other tools into a profile, and a profile into theirs."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path

from ..errors import InputError
from ..files import replacing
from ..model.plausible import implausible
from ..profiles.documents import JSON_SUFFIXES, YAML_SUFFIXES, read_document
from ..profiles.formats import FORMATS, MEANINGS, Ask, Imported, find_format, import_document
from ..profiles.formats.kalibr_export import kalibr_text
from ..profiles.formats.sdf_export import sdf_text
from ..profiles.loader import read_profile
from ..profiles.writer import json_text, yaml_text
from ._files import refuse_input

OWN = "profile"
"""Name of our own format."""
OUTPUTS = ("yaml", "json", "kalibr", "sdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="a file with figures, or a preset's name")
    parser.add_argument(
        "--from",
        dest="source",
        choices=(OWN, *FORMATS),
        metavar="FORMAT",
        help=f"format of FILE: {', '.join((OWN, *FORMATS))} (default: found by the content)",
    )
    parser.add_argument(
        "--to", choices=OUTPUTS, default="yaml", help="what to write (default: yaml, a profile)"
    )
    parser.add_argument(
        "--rate",
        type=float,
        metavar="HZ",
        help="samples per second: of the figures in FILE where it does not say, and of what is "
        "written",
    )
    parser.add_argument(
        "--meaning",
        choices=MEANINGS,
        help="what the noise of FILE is, where the format leaves it open",
    )
    parser.add_argument("--name", help="which IMU of FILE, where it has several")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")


def run(args: argparse.Namespace) -> int:
    """Read the figures, write them, say on standard error what was lost; return the exit code.

    Raises
    ------
    ImuNoiseError
        FILE cannot be used, a rate is missing, or the output cannot be written.
    """
    if args.rate is not None and not (math.isfinite(args.rate) and args.rate > 0.0):
        raise InputError("--rate", args.rate, "must be above 0 [Hz]")
    writer = _writer(args.to, args.rate)
    imported = _read(args)
    text, notes = writer(imported)
    for note in [*imported.notes, *implausible(imported.spec), *notes]:
        print(f"note: {note}", file=sys.stderr)
    _write(text, args.output, Path(args.file).expanduser())
    return 0


def _read(args: argparse.Namespace) -> Imported:
    """Return the figures of the file, or of the preset of that name."""
    path = Path(args.file).expanduser()
    named = "/" not in args.file and path.suffix not in (*YAML_SUFFIXES, *JSON_SUFFIXES)
    if named and not path.exists():
        _refuse(args, "a preset")
        return _profile(args.file)
    document = read_document(path)
    source = args.source or find_format(document)
    if source == OWN or (source is None and _own(document)):
        _refuse(args, "a profile")
        # Resolved, so that it is not taken for a preset's name.
        return _profile(path.resolve())
    ask = Ask(str(path), args.rate, args.meaning, args.name)
    imported = import_document(document, ask, source)
    found = source or find_format(document) or ""
    about = {**imported.about, "description": f"{FORMATS[found].TITLE}: {path.name}"}
    return Imported(imported.spec, imported.notes, about)


def _refuse(args: argparse.Namespace, what: str) -> None:
    """Refuse the options that mean nothing where FILE is a profile of ours."""
    given = {"--name": args.name, "--meaning": args.meaning}
    if args.source != OWN:
        given["--from"] = args.source
    if args.to in ("yaml", "json"):
        given["--rate"] = args.rate
    for option, value in given.items():
        if value is not None:
            raise InputError(
                option, value, f"must be left out: {args.file} is {what}{_WHY[option]}"
            )


_WHY = {
    "--name": ", of one IMU",
    "--meaning": ", which says what its noise is",
    "--from": f", whose format is {OWN}",
    "--rate": " and becomes a profile, which holds at every rate",
}


def _profile(name: str | Path) -> Imported:
    """Return a profile of ours; the sources of its figures stay behind."""
    profile = read_profile(name)
    texts = {key: getattr(profile, key) for key in ("name", "description", "grade")}
    notes = ["the sources of the figures are not written"] if profile.sources else []
    return Imported(profile.spec, notes, {key: text for key, text in texts.items() if text})


def _own(document: object) -> bool:
    """Whether a document is a profile of ours, maybe a misspelt one."""
    return isinstance(document, dict) and not {
        "gyroscope",
        "accelerometer",
        "magnetometer",
    }.isdisjoint(document)


def _writer(to: str, rate: float | None) -> Callable[[Imported], tuple[str, list[str]]]:
    """Return what makes a text, and notes, of what was read."""
    if to == "yaml":
        return lambda found: (yaml_text(found.spec, found.about), [])
    if to == "json":
        return lambda found: (json_text(found.spec, found.about), [])
    if rate is None:
        raise InputError("--rate", None, f"must be given for {to}, which is written for one rate")
    write = kalibr_text if to == "kalibr" else sdf_text
    return lambda found: write(found.spec, rate)


def _write(text: str, output: Path | None, source: Path) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    refuse_input(output, [source], "--output")
    try:
        with replacing(output) as unfinished:
            unfinished.write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("--output", str(output), f"cannot be written: {reason}") from None
