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

"""Several IMUs in one node: whose parameters are whose. No rclpy here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..model.spec import SENSORS, ImuSpec
from ..schema import Parameter, parameters
from .settings import Settings, catalogue, defaults, settings

_COMMON = ("instances", "truth_source", "queue_depth")
"""Parameters that the IMUs of a node cannot have each for itself."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

Values = dict[str, Any]

_FIGURES = frozenset(
    name for name in catalogue() if name.split(".")[0] in SENSORS or name in parameters(ImuSpec)
)
"""What a profile may say."""


def instance_names(text: Any) -> tuple[str, ...]:
    """Return the names in `instances`: a list, or a text with commas; none is one IMU without.

    Raises
    ------
    ParameterError
        A name that cannot be part of a topic, one of a parameter, or one that stands twice.
    """
    parts = text.split(",") if isinstance(text, str) else text
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise ParameterError("instances", text, "must be names, as a list or with commas")
    names = tuple(part.strip() for part in parts if part.strip())
    taken = {name.split(".")[0] for name in catalogue()}
    for name in names:
        if not _NAME.fullmatch(name) or name in taken or names.count(name) > 1:
            allowed = (
                "must be different names of letters, digits and underscores, that begin with a "
                "letter and are not those of parameters"
            )
            raise ParameterError("instances", name, allowed)
    return names


def instance_catalogue(names: tuple[str, ...]) -> dict[str, Parameter]:
    """Return the parameters of the IMUs of these names, by ROS name."""
    own = {name: facts for name, facts in catalogue().items() if name not in _COMMON}
    return {f"{instance}.{name}": facts for instance in names for name, facts in own.items()}


def settings_by_instance(names: tuple[str, ...], values: Mapping[str, Any]) -> dict[str, Settings]:
    """Return the settings of each IMU; of one without a name that of the node, under "".

    An IMU has the node's parameters but for those of its own that are not None. Its own profile
    wins over the node's figures.

    Parameters
    ----------
    names : tuple of str
    values : mapping
        All parameters by ROS name.

    Raises
    ------
    ImuNoiseError
        A value is not allowed; the key is its ROS name.
    """
    common = {name: values[name] for name in catalogue() if name in values}
    if not names:
        return {"": settings(common)}
    return {name: _settings_of(name, common, values) for name in names}


def _settings_of(instance: str, common: Values, values: Mapping[str, Any]) -> Settings:
    prefix = f"{instance}."
    own = {
        name.removeprefix(prefix): value
        for name, value in values.items()
        if name.startswith(prefix) and value is not None
    }
    mixed = dict(common)
    if "profile" in own:
        profile = defaults(own)
        mixed.update({name: profile[name] for name in profile if name in _FIGURES})
    mixed.update(own)
    try:
        found = settings(mixed)
    except ParameterError as error:
        key = prefix + error.key if error.key in own else error.key
        raise ParameterError(key, error.value, error.allowed, error.hint) from None
    return _told_apart(instance, own, found)


def _told_apart(instance: str, own: Values, found: Settings) -> Settings:
    """Give an IMU a seed, a frame and a file of its own where it has not been given them."""
    node, checkpoint = found.node, found.checkpoint
    changes: Values = {}
    if "seed" not in own and node.seed >= 0:
        sequence = np.random.SeedSequence(node.seed, spawn_key=tuple(instance.encode()))
        changes["seed"] = int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))
    if "frame_id" not in own:
        changes["frame_id"] = f"{instance}_{node.frame_id}"
    if "checkpoint.path" not in own and checkpoint.path:
        path = Path(checkpoint.path)
        apart = path.with_name(f"{path.stem}_{instance}{path.suffix}")
        checkpoint = replace(checkpoint, path=str(apart))
    return replace(found, node=replace(node, **changes), checkpoint=checkpoint)
