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

"""Turn a recorded truth into what an IMU would have measured.

INPUT is a bag (rosbag2 mcap or db3, or a ROS 1 bag), or a trajectory in a text file (EuRoC ground
truth or TUM), each also gzipped. From a bag comes a bag: all its messages as they are, and Imu
messages with the stamps of the truth. From a trajectory comes a bag with the truth as odometry and
the Imu. Samples are those that the live node would have published, to the bit.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..simulation.monte_carlo import check_answers, run_many
from ..simulation.run import measure
from ._processes import interruptible
from ._progress import bar
from ._simulate_files import Sinks, check_places, check_room
from ._simulate_options import Options, add_node_arguments, read_options
from ._simulate_source import opened
from ._simulate_text import report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("input", metavar="INPUT", type=Path, help="a bag or a trajectory")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="OUT",
        help="folder for the bag (mcap), which must not exist; of several runs, for their bags",
    )
    parser.add_argument(
        "--npz",
        type=Path,
        metavar="FILE",
        help="write the samples as arrays: seeds (R), stamps (T) [ns], dt (T), values and bias "
        "(R, T, 6), and of the truth truth (T, 6), orientation (T, 4), sigma (T, 6)",
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="preset or file; without one the sensor is perfect"
    )
    parser.add_argument(
        "--topic",
        help="of the truth in the bag: Odometry, PoseStamped, PoseWithCovarianceStamped, "
        "TransformStamped, Imu or TF; of a trajectory the topic on which it is written "
        "(default /odom)",
    )
    parser.add_argument("--imu-topic", default="/imu/data_raw", help="default: %(default)s")
    parser.add_argument("--frame-id", default="imu_link", help="default: %(default)s")
    parser.add_argument(
        "--seed",
        default="0",
        metavar="N",
        help="the node's seed; -1 draws one (default: %(default)s)",
    )
    parser.add_argument(
        "--runs",
        default="1",
        metavar="N",
        help="so many runs, with the seeds from --seed upwards (default: %(default)s)",
    )
    parser.add_argument(
        "--scheduler",
        default="serial",
        metavar="WHERE",
        help="where the runs are made: serial, dask (a cluster on this machine), or the address "
        "of a Dask scheduler such as tcp://127.0.0.1:8786; no bit depends on it",
    )
    add_node_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Simulate, print what came of it, write it, and return the exit code.

    Raises
    ------
    ImuNoiseError
        The input, an option or the place of the output cannot be used.
    """
    options = read_options(args)
    check_places(options)
    with interruptible():
        check_answers(options.scheduler)
        _simulate(options)
    return 0


def _simulate(options: Options) -> None:
    with opened(options) as source:
        with bar("motion") as progress:
            tape = options.scene.record(source.stream, progress)
        first = measure(tape, options.spec, options.seeds[0], options.covariance)
        told = report(options, source, first)
        check_room(options, len(first.stamps))
        print(told, end="\n\n", flush=True)
        many = len(options.seeds) > 1
        with Sinks(options, source, first) as sinks:
            with bar("runs" if many else "bag") as progress:
                for outcome in run_many(
                    tape,
                    options.spec,
                    options.seeds,
                    options.scheduler,
                    with_bias=options.npz is not None,
                    progress=progress if many else None,
                ):
                    sinks.take(outcome, None if many else progress)
            for line in sinks.finish():
                print(line)
