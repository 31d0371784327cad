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

"""Say how far dead reckoning drifts with a sensor, by simulation and by theory.

The truth is a body at rest (--still SECONDS), or TRAJECTORY: a bag with odometry, poses or TF, or
a trajectory in a text file (EuRoC ground truth or TUM). Each profile is simulated many times, its
readings are integrated to attitude and position, and what these are off by is printed beside what
theory expects, and written as a table (CSV) and a picture with --output.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path

from ..analysis.drift import Drift, drift, longest_part
from ..errors import InputError
from ..model.spec import ImuSpec
from ..motion.intervals import TimePolicy
from ..profiles.loader import load_profile
from ..schema import Parameter, check, parameters
from ..simulation.scene import Scene
from ..simulation.tape import Tape
from ._drift_files import prepare, write_picture, write_table
from ._drift_text import drift_text, title
from ._drift_truth import Asked, read_stream
from ._processes import interruptible
from ._progress import bar

_RUNS = Parameter("", kind=int, lower=1, upper=10_000)
_SEED = Parameter("", kind=int, lower=0, upper=2**63 - 1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "trajectory", nargs="?", type=Path, metavar="TRAJECTORY", help="a bag or a trajectory"
    )
    parser.add_argument(
        "--still", metavar="SECONDS", help="a level body at rest for so long, in its place"
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="NAME",
        help="preset or file; may be given several times",
    )
    parser.add_argument(
        "--runs", default="100", metavar="N", help="simulated sensors of each (default: 100)"
    )
    parser.add_argument("--seed", default="0", metavar="N", help="of the first (default: 0)")
    parser.add_argument(
        "--rate",
        metavar="HZ",
        help="of the sensors; of a body at rest 100 by default, else that of the truth; a "
        "trajectory with fewer poses gets a spline through them, a bag is taken as it is",
    )
    parser.add_argument("--topic", help="of the truth in the bag")
    parser.add_argument(
        "--calibrated",
        action="store_true",
        help="leave the turn-on biases out, as if they had been measured and taken off",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="folder for drift.csv and drift.png, which replace those of the run before",
    )


def run(args: argparse.Namespace) -> int:
    """Simulate, print the table, write the files, and return the exit code.

    Raises
    ------
    ImuNoiseError
        An argument or the truth cannot be used.
    """
    specs = _specs(args.profile, args.calibrated)
    runs, seed = _whole("--runs", args.runs, _RUNS), _whole("--seed", args.seed, _SEED)
    asked, policy = _asked(args), _policy(args.rate)
    if args.output is not None:
        prepare(args.output, asked.path)
    with interruptible():
        tape, notes = _record(asked, policy)
        found = _drifts(tape, specs, runs, seed)
        print(drift_text(asked, tape, found, notes), flush=True)
        if args.output is not None:
            print()
            write_table(args.output, found)
            write_picture(args.output, title(asked, tape), found)
    return 0


def _whole(key: str, text: str, facts: Parameter) -> int:
    # Not by way of a float, which cannot hold every seed.
    value = int(text) if re.fullmatch(r"[-+]?\d{1,20}", text) else text
    return int(check(key, value, facts))


def _specs(names: list[str], calibrated: bool) -> dict[str, ImuSpec]:
    if not names:
        told = "must be given: a preset (`profile list` has them) or a file"
        raise InputError("--profile", None, told)
    found: dict[str, ImuSpec] = {}
    for name in names:
        path = Path(name)
        spec = load_profile(path.resolve() if path.is_file() else name)
        shown = path.stem if path.is_file() else name
        if shown in found:
            raise InputError("--profile", name, f"must be named once, but {shown} is twice")
        found[shown] = _without_turn_on(spec) if calibrated else spec
    return found


def _without_turn_on(spec: ImuSpec) -> ImuSpec:
    gyroscope, accelerometer = (
        replace(triad, turn_on_bias_stddev=0.0) for triad in (spec.gyroscope, spec.accelerometer)
    )
    return replace(spec, gyroscope=gyroscope, accelerometer=accelerometer)


def _asked(args: argparse.Namespace) -> Asked:
    if (args.trajectory is None) == (args.still is None):
        given = None if args.trajectory is None else str(args.trajectory)
        raise InputError("TRAJECTORY", given, "must be given, or --still SECONDS, and not both")
    return Asked.read(args.trajectory, args.still, args.topic, args.rate)


def _policy(rate: str | None) -> TimePolicy:
    if rate is None:
        return TimePolicy()
    return TimePolicy(rate=check("--rate", rate, parameters(TimePolicy)["rate"]))


def _record(asked: Asked, policy: TimePolicy) -> tuple[Tape, tuple[str, ...]]:
    """Return the motion, and what the user must know of it."""
    stream, notes = read_stream(asked, policy)
    with bar("motion") as progress:
        tape = Scene(policy=policy).record(stream, progress)
    whole = longest_part(tape)
    if tape.breaks:
        span = f"{float(whole.dt.sum()):.4g} of {float(tape.dt.sum()):.4g} s"
        notes = (*notes, f"the longest part without a gap or a jump: {span}")
    return whole, (*notes, *tape.warnings)


def _drifts(tape: Tape, specs: dict[str, ImuSpec], runs: int, seed: int) -> dict[str, Drift]:
    found = {}
    for name, spec in specs.items():
        with bar(name) as progress:
            found[name] = drift(tape, spec, runs, seed, progress=progress)
    return found
