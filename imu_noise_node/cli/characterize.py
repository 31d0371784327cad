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

"""Settings of public filters, and the matrices for one of your own, from a profile.

A filter knows white noise and a random walk of the bias. What a sensor has beside them (bias
instability, Gauss-Markov drift) is told as the random walk with the same Allan deviation at a time
at which it begins to show beside the white noise. The figures are those of the sensor at rest:
docs/filters.md says by what to multiply them in a vehicle.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InputError
from ..filters import FILTERS, figures_of
from ..filters.equivalent import RATES
from ..filters.matrices import npz_bytes, yaml_text
from ..model.theory import Theory
from ..profiles.loader import presets, read_profile
from ._characterize_text import characterize_text
from ._files import write_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("profile", metavar="PROFILE", help="name of a preset, or path of a file")
    parser.add_argument(
        "--rate", type=float, required=True, metavar="HZ", help="at which the filter reads the IMU"
    )
    parser.add_argument(
        "--time-scale",
        type=float,
        metavar="S",
        help="averaging time at which the random walk stands for all slow terms (default: where "
        "they have a tenth of the white noise's Allan variance)",
    )
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="folder for the files: all of them, or none"
    )


def run(args: argparse.Namespace) -> int:
    """Print the figures, write the files; return the exit code.

    Raises
    ------
    ImuNoiseError
        The profile cannot be used, an argument is not allowed, or the files cannot be written.
    """
    if not RATES[0] <= args.rate <= RATES[1]:
        raise InputError("--rate", args.rate, f"must be from {RATES[0]:g} to {RATES[1]:g} [Hz]")
    known = args.profile in presets() or not Path(args.profile).is_file()
    profile = read_profile(args.profile if known else Path(args.profile).resolve())
    figures = figures_of(profile.spec, args.rate, args.time_scale)
    found = [(filter_.TITLE, filter_.settings(figures)) for filter_ in FILTERS]
    if args.output is not None:
        model = Theory.of(profile.spec).filter_model(1.0 / args.rate)
        files = {settings.file: settings.text.encode() for _, settings in found}
        files["matrices.npz"] = npz_bytes(model)
        files["matrices.yaml"] = yaml_text(model).encode()
        write_files(args.output, files, "--output")
    print(characterize_text(profile.name, figures, found, args.output))
    return 0
