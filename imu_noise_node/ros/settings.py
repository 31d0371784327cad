"""All parameters of the node as one frozen record, built whole from flat names; no rclpy here."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..errors import ParameterError, UnknownNameError
from ..model.origin import COVARIANCES
from ..model.spec import SENSORS, ImuSpec, TriadSpec, spell_out_unit
from ..motion.intervals import TimePolicy
from ..motion.kinematics import TWIST_FRAMES
from ..motion.mount import Mount
from ..profiles.loader import load_profile
from ..schema import AXES, Parameter, check_fields, parameter, parameters


@dataclass(frozen=True, eq=False)
class NodeSettings:
    """What the node does beside the sensor's figures, the time policy and the mount."""

    enabled: bool = parameter(True, "whether truth is turned into samples", kind=bool)
    truth_source: str = parameter(
        "odometry",
        "where the truth comes from: nav_msgs/Odometry on odom, or sensor_msgs/Imu on imu/ideal",
        kind=str,
        choices=("odometry", "imu"),
        live=False,
    )
    twist_frame: str = parameter(
        "body",
        "axes of the odometry's twist; pose ignores the twist and differentiates positions",
        kind=str,
        choices=TWIST_FRAMES,
    )
    gravity_included: bool = parameter(
        True,
        "whether Imu truth contains the reaction to gravity; if not, it is added",
        kind=bool,
    )
    frame_id: str = parameter("imu_link", "frame of the messages", kind=str, live=False)
    seed: int = parameter(
        0,
        "seed of all random numbers; -1 draws one and logs it",
        kind=int,
        lower=-1,
        upper=2**63 - 1,
        live=False,
    )
    profile: str = parameter(
        "", "preset name or path of a profile; empty is none", kind=str, live=False
    )
    gravity: float = parameter(9.80665, "acceleration of gravity", "m/s^2", lower=0.0)
    orientation: str = parameter(
        "none",
        "what imu/data says about orientation; none does not publish it",
        kind=str,
        choices=("none", "truth"),
        live=False,
    )
    orientation_stddev: Any = parameter(
        0.0, "reported in place of the orientation's sigma (REP-145)", "rad", shape=AXES, lower=0.0
    )
    angular_velocity_stddev: Any = parameter(
        0.0,
        "reported in place of the gyroscope's sigma (REP-145); 0 reports what holds",
        "rad/s",
        shape=AXES,
        lower=0.0,
    )
    linear_acceleration_stddev: Any = parameter(
        0.0,
        "reported in place of the accelerometer's sigma (REP-145); 0 reports what holds",
        "m/s^2",
        shape=AXES,
        lower=0.0,
    )
    covariance: str = parameter(
        "sample",
        "reported covariance: this sample's fresh noise, or the biases' present variance as well",
        kind=str,
        choices=COVARIANCES,
    )
    queue_depth: int = parameter(
        2000,
        "messages that wait for a slow subscriber",
        kind=int,
        lower=1,
        upper=1_000_000,
        live=False,
    )

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Settings:
    """Everything the node runs on."""

    node: NodeSettings = field(default_factory=NodeSettings)
    policy: TimePolicy = field(default_factory=TimePolicy)
    mount: Mount = field(default_factory=Mount)
    spec: ImuSpec = field(default_factory=ImuSpec)


_SECTIONS: tuple[tuple[str, type], ...] = (
    ("", NodeSettings),
    ("", TimePolicy),
    ("mount.", Mount),
    *((f"{sensor}.", TriadSpec) for sensor in SENSORS),
)
"""Prefix of the ROS names, and the record they fill."""


def catalogue() -> dict[str, Parameter]:
    """Return the record of every parameter by its ROS name."""
    return {
        prefix + name: facts
        for prefix, cls in _SECTIONS
        for name, facts in parameters(cls).items()
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
    values = {prefix + f.name: f.default for prefix, cls in _SECTIONS for f in fields(cls)}
    profile = given.get("profile", "")
    if not isinstance(profile, str):
        raise ParameterError("profile", profile, catalogue()["profile"].allowed)
    if profile:
        spec = load_profile(profile)
        for sensor, triad in spec.triads().items():
            for f in fields(TriadSpec):
                values[f"{sensor}.{f.name}"] = getattr(triad, f.name)
    for sensor in SENSORS:
        density, covariance = f"{sensor}.noise_density", f"{sensor}.noise_covariance"
        if given.get(density) is not None:
            values[covariance] = None
        elif given.get(covariance) is not None:
            values[density] = None
    return values


def settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings that flat `values` by ROS name describe, all of them checked.

    Raises
    ------
    ParameterError
        A value is not allowed; the key is its ROS name.
    """
    built = []
    for prefix, cls in _SECTIONS:
        chosen = {n: values[prefix + n] for n in parameters(cls) if prefix + n in values}
        try:
            built.append(cls(**chosen))
        except ParameterError as error:
            key = prefix + error.key
            allowed = spell_out_unit(error.allowed, key)
            raise ParameterError(key, error.value, allowed, error.hint) from None
    node, policy, mount, *triads = built
    return Settings(node, policy, mount, ImuSpec(**dict(zip(SENSORS, triads, strict=True))))


def unknown_names(given: Iterable[str]) -> list[str]:
    """Return the names in `given` that are nobody's.

    Raises
    ------
    UnknownNameError
        A name is close to one of ours, or under one of our prefixes: a misspelt parameter.
    """
    known = catalogue()
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
