"""Measure noise, bias instability and random walk: Allan deviation of a recording at rest.

Reads a bag, a CSV or an npz of an IMU that nobody touched for hours, or the curves that
allan_variance_ros or imu_utils have made of one, or simulates a profile. Prints the white noise N,
bias instability B, random walk K and quantization Q of each axis with 95 % confidence, and writes
a picture, a profile and an imu.yaml for Kalibr.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..model.spec import INERTIAL, TriadSpec
from ..profiles.loader import Profile, read_profile
from ._progress import bar

_DURATION, _RATE = 36_000.0, 100.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="recording, or Allan curves of one"
    )
    parser.add_argument("--topic", help="of a bag, where it has several of an IMU")
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
    # Read by the tool alone when it runs.
    from ..analysis.fit import fit
    from ._allan_files import prepare, write_files
    from ._allan_text import allan_text, comparison_text

    curves = _curves(args, simulated, prepare)
    bands = _bands(simulated)
    fits = fit(curves, bands)
    if not any(fits):
        raise InputError(curves.source, "readings", "must not all be the same")
    print(allan_text(curves, fits))
    if compared is not None:
        print(f"\n{comparison_text(fits, compared)}")
    prepare(args.output)
    lines, notes = write_files(args.output, curves, fits, bands)
    print("\n" + "\n".join(lines))
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0
