"""What the user asks of `simulate`, checked before anything is read."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..model.origin import COVARIANCES
from ..model.spec import ImuSpec
from ..motion.intervals import TimePolicy
from ..motion.mount import Mount
from ..profiles.loader import load_profile
from ..samples import Vector
from ..schema import AXES, Parameter, check, parameters
from ..simulation.monte_carlo import checked_scheduler
from ..simulation.scene import Scene

_LARGEST = 2**63 - 1
_SEED = Parameter("", kind=int, lower=0, upper=_LARGEST)
_RUNS = Parameter("", kind=int, lower=1, upper=1_000_000)
_STDDEV = Parameter("", "rad", shape=AXES, lower=0.0)

_ORIENTATIONS = ("none", "truth", "noisy")

_SCENE = {**parameters(Scene), **parameters(TimePolicy)}
"""Options that are those of the node, by its names."""

_DEFAULTS = {f.name: f.default for cls in (Scene, TimePolicy) for f in fields(cls)}


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


def add_motion_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the node has parameters for, by their names."""
    group = parser.add_argument_group("as the node's parameters of these names")
    for name, facts in _SCENE.items():
        unit = f" [{facts.unit}]" if facts.unit else ""
        group.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="X",
            help=f"{facts.meaning}{unit} (default: {_DEFAULTS[name]})",
        )
    group.add_argument(
        "--mount",
        nargs="+",
        metavar="X",
        help="where the sensor sits on the body: x y z [m], and maybe roll pitch yaw [rad]",
    )
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
    seed, runs = _checked(args.seed, "--seed", _SEED), _checked(args.runs, "--runs", _RUNS)
    if seed + runs - 1 > _LARGEST:
        raise InputError("--runs", args.runs, f"must keep the last seed at {_LARGEST} or below")
    stddev = np.broadcast_to(_checked(args.orientation_stddev, "--orientation-stddev", _STDDEV), 3)
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
        scene=_scene(args),
        frames=(args.world_frame, args.body_frame),
        covariance=args.covariance,
        orientation=args.orientation,
        orientation_stddev=(x, y, z),
    )


def _scene(args: argparse.Namespace) -> Scene:
    given = {
        name: _checked(text, f"--{name.replace('_', '-')}", facts)
        for name, facts in _SCENE.items()
        if (text := getattr(args, name)) is not None
    }
    policy = {name: given.pop(name) for name in parameters(TimePolicy) if name in given}
    return Scene(**given, policy=TimePolicy(**policy), mount=_mount(args.mount))


def _mount(given: list[str] | None) -> Mount:
    if given is None:
        return Mount()
    if len(given) not in (3, 6):
        raise InputError("--mount", " ".join(given), "must be x y z [m], or x y z roll pitch yaw")
    facts = parameters(Mount)
    place, angles = given[:3], given[3:] or ["0", "0", "0"]
    return Mount(
        _checked(place, "--mount", facts["translation"]), _checked(angles, "--mount", facts["rpy"])
    )


def _checked(value: Any, key: str, facts: Parameter) -> Any:
    """Return what an option's text says."""
    if value is None:
        return 0.0
    if facts.kind is bool:
        value = {"true": True, "false": False}.get(value, value)
    elif facts.kind is int and re.fullmatch(r"[-+]?\d{1,20}", value):
        # Not by way of a float, which cannot hold every seed.
        value = int(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return check(key, value, facts)


def _spec(name: str) -> ImuSpec:
    """Return the figures of a preset or a file."""
    path = Path(name)
    return load_profile(path.resolve() if path.is_file() else name)


def _topic(name: str | None, key: str) -> str | None:
    if name is not None and (not name.strip("/") or any(c.isspace() for c in name)):
        raise InputError(key, name, "must be the name of a topic")
    return None if name is None else f"/{name.lstrip('/')}"
