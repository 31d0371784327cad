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

"""What the user asks of `simulate`, checked before anything is read."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..model.origin import COVARIANCES
from ..model.spec import ImuSpec
from ..model.streams import resolve_seed
from ..profiles.loader import load_profile
from ..samples import Vector
from ..schema import AXES, Parameter
from ..simulation.monte_carlo import checked_scheduler
from ..simulation.scene import Scene
from ._simulate_scene import add_scene_arguments, checked, read_scene

ODOMETRY_TOPIC = "/odom"
"""On which the truth of a trajectory is written, unless another is named."""

_LARGEST = 2**63 - 1
_SEED = Parameter("", kind=int, lower=-1, upper=_LARGEST)
_RUNS = Parameter("", kind=int, lower=1, upper=1_000_000)
_STDDEV = Parameter("", "rad", shape=AXES, lower=0.0)

_ORIENTATIONS = ("none", "truth", "noisy")


@dataclass(frozen=True)
class Options:
    """What to do.

    Attributes
    ----------
    source : Path
        The bag or trajectory.
    output, npz : Path or None
        Where the results go.
    profile : str
        What the sensor is called.
    spec : ImuSpec or None
    topic : str or None
        Of the truth.
    imu_topic, frame_id : str
    seeds : range
    scheduler : str
    scene : Scene
    frames : tuple of str
        Of TF: the world's, and the body's.
    covariance, orientation : str
        As the node's parameters.
    orientation_stddev : Vector
        [rad]
    """

    source: Path
    output: Path | None
    npz: Path | None
    profile: str
    spec: ImuSpec | None
    topic: str | None
    imu_topic: str
    frame_id: str
    seeds: range
    scheduler: str
    scene: Scene
    frames: tuple[str, str]
    covariance: str
    orientation: str
    orientation_stddev: Vector


def add_node_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the node has parameters for, by their names."""
    group = parser.add_argument_group("as the node's parameters of these names")
    add_scene_arguments(group)
    group.add_argument("--world-frame", default="odom", help="of TF (default: %(default)s)")
    group.add_argument("--body-frame", default="base_link", help="of TF (default: %(default)s)")
    group.add_argument("--covariance", choices=COVARIANCES, default="sample")
    group.add_argument(
        "--orientation",
        choices=_ORIENTATIONS,
        default="none",
        help="what the messages say about orientation",
    )
    group.add_argument(
        "--orientation-stddev", nargs="+", metavar="X", help="reported, of a noisy one true [rad]"
    )


def read_options(args: argparse.Namespace) -> Options:
    """Return what the arguments say.

    Raises
    ------
    ImuNoiseError
        One is not allowed; the sentence begins with its name.
    """
    if args.output is None and args.npz is None:
        raise InputError("--output", None, "must be given, or --npz: where the samples go")
    seed = resolve_seed(checked(args.seed, "--seed", _SEED))
    runs = checked(args.runs, "--runs", _RUNS)
    if seed + runs - 1 > _LARGEST:
        raise InputError("--runs", args.runs, f"must keep the last seed at {_LARGEST} or below")
    stddev = np.broadcast_to(checked(args.orientation_stddev, "--orientation-stddev", _STDDEV), 3)
    if args.orientation == "noisy" and not (stddev > 0.0).all():
        given = args.orientation_stddev
        raise InputError("--orientation-stddev", given, "must be above 0 [rad] with noisy")
    x, y, z = stddev.tolist()
    return Options(
        source=args.input.expanduser(),
        output=args.output and args.output.expanduser(),
        npz=args.npz and args.npz.expanduser(),
        profile=args.profile or "a perfect sensor",
        spec=None if args.profile is None else _spec(args.profile),
        topic=_topic(args.topic, "--topic"),
        imu_topic=_topic(args.imu_topic, "--imu-topic") or "",
        frame_id=args.frame_id,
        seeds=range(seed, seed + runs),
        scheduler=checked_scheduler(args.scheduler, "--scheduler"),
        scene=read_scene(args),
        frames=(args.world_frame, args.body_frame),
        covariance=args.covariance,
        orientation=args.orientation,
        orientation_stddev=(x, y, z),
    )


def _spec(name: str) -> ImuSpec:
    """Return the figures of a preset or a file."""
    path = Path(name)
    return load_profile(path.resolve() if path.is_file() else name)


def _topic(name: str | None, key: str) -> str | None:
    if name is not None and (not name.strip("/") or any(c.isspace() for c in name)):
        raise InputError(key, name, "must be the name of a topic")
    return None if name is None else f"/{name.lstrip('/')}"
