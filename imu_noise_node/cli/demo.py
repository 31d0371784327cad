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

"""Run the node on a real ROS graph, and check its noise at two rates.

A truth publisher, four nodes and a recorder, each a process of its own, talk over DDS in a domain
that nobody else uses. The truth is a parked body; two nodes have their noise given as a density,
two as a sigma per sample, and one of each is read at 100 Hz, the other at 400 Hz. What they
published is measured and printed beside what theory expects. The exit code is 1 where a figure is
out of its statistical bounds or a message was lost.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from ..errors import InputError, MissingPackageError
from ._processes import Failed, interruptible
from ._progress import bar
from ._rate_demo import RateDemo, require_ros, run_rate_demo
from ._rate_files import prepare, write_bag, write_picture
from ._rate_text import rate_text

FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("imu_noise_demo"),
        metavar="DIR",
        help="folder for a bag and a picture, which replace those of the run before "
        "(default: ./imu_noise_demo)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of all four nodes (default: 0)")


def run(args: argparse.Namespace) -> int:
    """Run the demo, print the table, write the files; return the exit code."""
    if not 0 <= args.seed < 2**63:
        raise InputError("--seed", args.seed, "must be a whole number from 0 to 2^63 - 1")
    require_ros()
    prepare(args.output)
    with interruptible():
        try:
            with bar("messages over DDS") as progress:
                demo = run_rate_demo(args.seed, progress)
        except Failed as failure:
            print(f"The demo could not run: {failure}", file=sys.stderr)
            return FAILED
        print(rate_text(demo.table, demo.seconds), end="\n\n", flush=True)
        _leave("Picture", write_picture, args.output, demo)
        _leave("Bag", write_bag, args.output, demo, "(for ros2 bag play, Foxglove, PlotJuggler)")
    return FAILED if demo.table.complaints() else 0


def _leave(
    what: str, write: Callable[[Path, RateDemo], Path], folder: Path, demo: RateDemo, use: str = ""
) -> None:
    """Write one of the files and say where it is, or why there is none."""
    try:
        print(f"{what + ':':9}{write(folder, demo)} {use}".rstrip())
    except MissingPackageError as missing:
        print(f"{what + ':':9}none; {missing}")
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("--output", str(folder), f"cannot be written: {reason}") from None
