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

"""All parameters of the node as one frozen record, built whole from flat names; no rclpy here."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..calibration import CalibrationPolicy
from ..checkpoint import CheckpointPolicy
from ..delivery import DeliveryPolicy
from ..errors import ParameterError, UnknownNameError
from ..model.spec import SENSORS, UNITS, ImuSpec, TriadSpec, spell_out_unit
from ..motion.earth import Earth
from ..motion.intervals import TimePolicy
from ..motion.mount import Mount
from ..profiles.loader import load_profile
from ..schema import Parameter, check_texts, parameters
from .fault_settings import FaultSettings
from .node_settings import NodeSettings
from .tf_frames import MountSource, TfFrames


@dataclass(frozen=True)
class Settings:
    """Everything the node runs on."""

    node: NodeSettings = field(default_factory=NodeSettings)
    policy: TimePolicy = field(default_factory=TimePolicy)
    frames: TfFrames = field(default_factory=TfFrames)
    mount: Mount = field(default_factory=Mount)
    mount_source: MountSource = field(default_factory=MountSource)
    earth: Earth = field(default_factory=Earth)
    delivery: DeliveryPolicy = field(default_factory=DeliveryPolicy)
    calibration: CalibrationPolicy = field(default_factory=CalibrationPolicy)
    checkpoint: CheckpointPolicy = field(default_factory=CheckpointPolicy)
    fault: FaultSettings = field(default_factory=FaultSettings)
    spec: ImuSpec = field(default_factory=ImuSpec)


SECTIONS: tuple[tuple[str, type], ...] = (
    ("", NodeSettings),
    ("", TimePolicy),
    ("tf.", TfFrames),
    ("mount.", Mount),
    ("mount.", MountSource),
    ("", Earth),
    ("delivery.", DeliveryPolicy),
    ("calibration.", CalibrationPolicy),
    ("checkpoint.", CheckpointPolicy),
    ("fault.", FaultSettings),
    ("", ImuSpec),
    *((f"{sensor}.", TriadSpec) for sensor in SENSORS),
)
"""Prefix of the ROS names, and the record they fill."""


_RIVALS = (
    ("noise_density", "noise_covariance"),
    ("misalignment_stddev", "misalignment_covariance"),
    ("bandwidth", "integration_time"),
)
"""Figures of which a sensor has one at most."""


def catalogue() -> dict[str, Parameter]:
    """Return the record of every parameter by its ROS name."""
    return {
        prefix + name: facts
        for prefix, cls in SECTIONS
        for name, facts in parameters(cls).items()
        if not facts.sensors or prefix.removesuffix(".") in facts.sensors
    }


def unit_of(name: str, facts: Parameter) -> str:
    """Return the unit of the parameter `name` with `u` spelt out for its sensor."""
    return spell_out_unit(facts.unit, name)


def allowed_of(name: str, facts: Parameter) -> str:
    """Return which values the parameter `name` takes, with `u` spelt out for its sensor."""
    return spell_out_unit(facts.allowed, name)


def defaults(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the default of every parameter by its ROS name, under the profile in `given`.

    A figure in `given` also displaces those of the profile that would contradict it.

    Raises
    ------
    ImuNoiseError
        The profile cannot be loaded.
    """
    known = catalogue()
    values = {
        prefix + f.name: f.default
        for prefix, cls in SECTIONS
        for f in fields(cls)
        if prefix + f.name in known
    }
    profile = given.get("profile", "")
    if not isinstance(profile, str):
        raise ParameterError("profile", profile, catalogue()["profile"].allowed)
    if profile:
        spec = load_profile(profile)
        records = {"": spec, **{f"{sensor}.": triad for sensor, triad in spec.triads().items()}}
        for prefix, record in records.items():
            for name in parameters(type(record)):
                if prefix + name in known:
                    values[prefix + name] = getattr(record, name)
    for sensor in SENSORS:
        # How a profile's density was measured says nothing of another one.
        if given.get(f"{sensor}.noise_density") is not None:
            values[f"{sensor}.noise_type"] = TriadSpec.__dataclass_fields__["noise_type"].default
    for sensor, (first, second) in itertools.product(SENSORS, _RIVALS):
        one, other = f"{sensor}.{first}", f"{sensor}.{second}"
        if given.get(one) is not None:
            values[other] = TriadSpec.__dataclass_fields__[second].default
        elif given.get(other) is not None:
            values[one] = TriadSpec.__dataclass_fields__[first].default
    return values


def settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings that flat `values` by ROS name describe, all of them checked.

    Raises
    ------
    ParameterError
        A value is not allowed; the key is its ROS name.
    """
    chosen = [
        (prefix, cls, {n: values[prefix + n] for n in parameters(cls) if prefix + n in values})
        for prefix, cls in SECTIONS
        if cls is not ImuSpec
    ]
    node, policy, frames, mount, source, earth, *rest = (_built(*section) for section in chosen)
    delivery, calibration, checkpoint, fault, *triads = rest
    if earth.earth_rate and node.truth_source == "imu":
        raise ParameterError(
            "earth_rate", True, "must be false with truth_source imu, which knows no velocity"
        )
    if source.from_tf and not (mount.lever is None and mount.rotation is None):
        raise ParameterError(
            "mount.from_tf", True, "must be false where mount.translation or mount.rpy is given"
        )
    sensors = dict(zip(SENSORS, triads, strict=True))
    if node.magnetic_field is None:
        del sensors["magnetometer"]
    own = {n: values[n] for n in parameters(ImuSpec) if n in values}
    spec = ImuSpec(**sensors, **own)
    if fault.target not in (*sensors, "all"):
        there = f"must be one of {', '.join((*sensors, 'all'))}: there is no other sensor"
        raise ParameterError("fault.target", fault.target, there)
    return Settings(
        node,
        policy,
        frames,
        mount,
        source,
        earth,
        delivery,
        calibration,
        checkpoint,
        fault,
        spec,
    )


def _built(prefix: str, cls: type, values: dict[str, Any]) -> Any:
    values = check_texts(cls, values, UNITS.get(prefix.removesuffix("."), ""), prefix)
    try:
        return cls(**values)
    except ParameterError as error:
        key = prefix + error.key
        allowed = spell_out_unit(error.allowed, key)
        raise ParameterError(key, error.value, allowed, error.hint) from None


def unknown_names(given: Iterable[str], more: Iterable[str] = ()) -> list[str]:
    """Return the names in `given` that are nobody's; `more` are known beside the catalogue.

    Raises
    ------
    UnknownNameError
        A name is close to one of ours, or under one of our prefixes: a misspelt parameter.
    """
    known = {*catalogue(), *more}
    groups = {name.split(".")[0] for name in known if "." in name}
    foreign = []
    for name in given:
        if name in known:
            continue
        if name.split(".")[0] in groups or _misspelt(name, known):
            raise UnknownNameError("parameter", name, known)
        foreign.append(name)
    return foreign


def _misspelt(name: str, known: Iterable[str]) -> bool:
    """Whether `name` is one of `known` but for a slip.

    A short name with a word more, such as `odom_frame_id`, belongs to another node of a shared
    file; one under a wrong prefix, such as `gyro.noise_density`, can only be meant for us.
    """
    return any(
        "." in name or abs(len(name) - len(near)) <= 2
        for near in difflib.get_close_matches(name, known, 3, 0.75)
    )
