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

"""The options of `simulate` that the node has parameters for, by the names of these."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from typing import Any

from ..errors import InputError
from ..motion.intervals import TimePolicy
from ..motion.mount import Mount
from ..schema import Parameter, check, parameters
from ..simulation.scene import Scene

_SCENE = {**parameters(Scene), **parameters(TimePolicy)}
"""Options that are those of the node, by its names."""

_DEFAULTS = {f.name: f.default for cls in (Scene, TimePolicy) for f in fields(cls)}


def add_scene_arguments(parser: argparse._ArgumentGroup) -> None:
    """Declare the arguments."""
    for name, facts in _SCENE.items():
        unit = f" [{facts.unit}]" if facts.unit else ""
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="X",
            help=f"{facts.meaning}{unit} (default: {_DEFAULTS[name]})",
        )
    parser.add_argument(
        "--mount",
        nargs="+",
        metavar="X",
        help="where the sensor sits on the body: x y z [m], and maybe roll pitch yaw [rad]",
    )


def read_scene(args: argparse.Namespace) -> Scene:
    """Return what the arguments say.

    Raises
    ------
    ImuNoiseError
        One is not allowed.
    """
    given = {
        name: checked(text, f"--{name.replace('_', '-')}", facts)
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
        checked(place, "--mount", facts["translation"]), checked(angles, "--mount", facts["rpy"])
    )


def checked(value: Any, key: str, facts: Parameter) -> Any:
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
