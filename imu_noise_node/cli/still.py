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

"""Find where an IMU is at rest, and report the floor of its white noise.

For a first look at a sensor, from ten seconds in which nobody touches it. No threshold is given:
the quietest window must be as noisy at its end as at its beginning, and its mean must not wander.
The exit code is 2 where the sensor moves, its units look wrong, or its readings repeat.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np

from ..analysis.still import WINDOW, find_still
from ..analysis.still_floor import SensorFloor, StillFloor
from ..analysis.still_pressure import pressure_noise
from ..errors import InputError
from ..model.spec import INERTIAL, ImuSpec, TriadSpec
from ..profiles.writer import yaml_text
from ..recordings.reading import read_pressure
from . import _recording
from ._files import check_place, refuse_input, write_file
from ._still_text import still_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    _recording.add_arguments(parser)
    parser.add_argument(
        "--pressure-topic", help="of type sensor_msgs/FluidPressure, where a bag has several"
    )
    parser.add_argument(
        "--window",
        type=float,
        default=WINDOW,
        metavar="S",
        help="how long it must be at rest (default: %(default)g, or all of a shorter recording)",
    )
    parser.add_argument(
        "--start", type=float, metavar="S", help="look from this time on, since the first reading"
    )
    parser.add_argument("--end", type=float, metavar="S", help="look no further than this time")
    parser.add_argument(
        "--save-profile", type=Path, metavar="FILE", help="write the floors as a profile"
    )


def run(args: argparse.Namespace) -> int:
    """Find the window, print what was read there; return the exit code.

    Raises
    ------
    ImuNoiseError
        There is no such window, or a file cannot be read or written.
    """
    for option in ("window", "start", "end"):
        value = getattr(args, option)
        if value is not None and not math.isfinite(value):
            raise InputError(f"--{option}", value, "must be a time [s]")
    if args.save_profile is not None:
        refuse_input(args.save_profile, [args.file], "--save-profile")
        check_place(args.save_profile, "--save-profile")
    record = _recording.read_recording(args)
    found = find_still(record, window=args.window, start=args.start, end=args.end)
    pressures = read_pressure(args.file, args.pressure_topic)
    noise = None if pressures is None else pressure_noise(*pressures, found.stamps)
    print(still_text(found, noise))
    if args.save_profile is not None:
        write_file(args.save_profile, profile_text(found), "--save-profile")
    return 0


def profile_text(found: StillFloor) -> str:
    """Return the floors, to four digits, as a profile."""
    triads = {name: _triad(found.sensor(name)) for name in INERTIAL}
    about = (
        f"floor of the white noise, not N, of {found.source}: {found.length:.4g} s at rest from "
        f"{found.start:.6g} s on, each ± {found.uncertainty:.1%}"
    )
    spec = ImuSpec(gyroscope=triads["gyroscope"], accelerometer=triads["accelerometer"])
    return yaml_text(spec, {"description": about})


def _triad(sensor: SensorFloor | None) -> TriadSpec:
    if sensor is None:
        return TriadSpec()
    return TriadSpec(noise_density=np.array([float(f"{value:.3e}") for value in sensor.floor]))
