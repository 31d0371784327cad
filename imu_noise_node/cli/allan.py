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

"""Measure noise, bias instability and random walk: Allan deviation of a recording at rest.

Reads a bag, a CSV or an npz of an IMU that nobody touched for hours, or the curves that
allan_variance_ros or imu_utils have made of one, or simulates a profile. Prints the white noise N,
bias instability B, random walk K and quantization Q of each axis with 95 % confidence, and writes
a picture, a profile and an imu.yaml for Kalibr.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path

from ..analysis.allan import AllanCurves, allan
from ..analysis.allan_files import is_curve, read_curves
from ..analysis.allan_terms import Array
from ..analysis.fit import fit, require_described
from ..errors import InputError
from ..model.spec import TriadSpec
from ..profiles.loader import Profile, read_profile
from ..simulation.at_rest import record_at_rest
from ._allan_files import prepare, write_results
from ._allan_text import allan_text, comparison_text
from ._progress import bar
from ._recording import add_arguments as add_recording
from ._recording import read_recording, refuse_arguments

_DURATION, _RATE = 36_000.0, 100.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_recording(parser, optional=True)
    parser.add_argument(
        "--profile", metavar="NAME", help="simulate this preset or profile instead of reading FILE"
    )
    parser.add_argument(
        "--duration",
        type=float,
        metavar="S",
        help=f"of the simulation (default: {_DURATION:g}), or of the record behind curves",
    )
    parser.add_argument(
        "--rate", type=float, metavar="HZ", help=f"of the simulation (default: {_RATE:g})"
    )
    parser.add_argument("--seed", type=int, help="of the simulation (default: 0)")
    parser.add_argument("--compare", metavar="NAME", help="preset or profile to compare with")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("imu_noise_allan"),
        metavar="DIR",
        help="folder for allan.png, profile.yaml and kalibr.yaml, which replace those of the run "
        "before (default: ./imu_noise_allan)",
    )


def run(args: argparse.Namespace) -> int:
    """Measure, print the tables, write the files; return the exit code.

    Raises
    ------
    ImuNoiseError
        What is asked for cannot be read, is not at rest, or cannot be written.
    """
    _check(args)
    simulated = None if args.profile is None else read_profile(args.profile)
    compared = None if args.compare is None else read_profile(args.compare)
    prepare(args.output, [args.file, *map(_path, (args.profile, args.compare))])
    curves = _curves(args, simulated)
    bands = _bands(simulated)
    fits = fit(curves, bands)
    require_described(curves, fits)
    print(allan_text(curves, fits))
    if compared is not None:
        print(f"\n{comparison_text(fits, compared)}")
    name, origin = _about(args, curves, simulated)
    lines, notes = write_results(args.output, curves, fits, bands, name, origin)
    print("\n" + "\n".join(lines))
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0


def _curves(args: argparse.Namespace, simulated: Profile | None) -> AllanCurves:
    """Return the curves of a simulation, of a recording, or those that a file holds."""
    if simulated is not None:
        refuse_arguments(args, "it is for a recording, and a profile is simulated")
        duration, rate = args.duration or _DURATION, args.rate or _RATE
        with bar("simulated") as progress:
            record = record_at_rest(simulated.spec, duration, rate, args.seed or 0, progress)
        record = replace(record, source=f"{simulated.name}, {record.source}")
    elif is_curve(args.file):
        refuse_arguments(args, "it is for a recording, and this file holds curves")
        return read_curves(args.file, args.duration)
    else:
        if args.duration is not None:
            allowed = "must be left out: this file is a recording, whose stamps say it"
            raise InputError("--duration", args.duration, allowed)
        record = read_recording(args)
    with bar("Allan deviation") as progress:
        return allan(record, progress)


def _bands(simulated: Profile | None) -> tuple[Array, Array]:
    """Return over which times B is flat: in a simulation it is known."""
    triads = (TriadSpec(), TriadSpec())
    if simulated is not None:
        triads = (simulated.spec.gyroscope, simulated.spec.accelerometer)
    return triads[0].bias_instability_band, triads[1].bias_instability_band


def _check(args: argparse.Namespace) -> None:
    """Refuse arguments that contradict each other, or numbers out of range."""
    if args.file is None and args.profile is None:
        raise InputError("FILE", None, "must be given, or else --profile")
    if args.file is not None and args.profile is not None:
        told = f"is simulated in place of a file: leave it out, or {args.file}"
        raise InputError("--profile", args.profile, told)
    meant_for = {"--rate": args.rate, "--seed": args.seed} if args.file is not None else {}
    for option, value in meant_for.items():
        if value is not None:
            raise InputError(option, value, "must be left out: it is for --profile")
    for option, value in (("--duration", args.duration), ("--rate", args.rate)):
        if value is not None and not (math.isfinite(value) and value > 0.0):
            raise InputError(option, value, "must be above 0")
    if args.seed is not None and not 0 <= args.seed < 2**63:
        raise InputError("--seed", args.seed, "must be a whole number from 0 to 2^63 - 1")


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _about(
    args: argparse.Namespace, curves: AllanCurves, simulated: Profile | None
) -> tuple[str, str]:
    """Return what the curves are of, in short for a title, and as where the figures come from."""
    seconds = curves.duration
    length = f"{seconds:.3g} s" if seconds < 600.0 else f"{seconds / 3600.0:.3g} h"
    if simulated is not None:
        return curves.source, f"simulated with the profile {simulated.name}, {length} at rest"
    # Of a bag, the topic stands behind.
    name = args.file.resolve().name + curves.source.removeprefix(str(args.file))
    if curves.assumed:
        return name, f"measured, from curves of a record that is assumed to be {length} long"
    return name, f"measured, {length} at rest"
