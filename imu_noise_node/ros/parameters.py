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

"""The node's ROS parameters: declared from the schema, checked whole, applied whole."""

from __future__ import annotations

import array
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import InvalidParameterValueException, ParameterNotDeclaredException
from rclpy.node import Node
from rclpy.parameter import Parameter as RosParameter

from ..errors import ImuNoiseError, ParameterError, UnknownNameError
from ..schema import Parameter
from .instances import instance_catalogue, instance_names, settings_by_instance
from .settings import (
    Settings,
    allowed_of,
    catalogue,
    defaults,
    unit_of,
    unknown_names,
)

_ROS_OWN = ("use_sim_time", "start_type_description_service", "qos_overrides.")

_QOS_VALUES = {"reliability": ("reliable", "best_effort"), "history": ("keep_last", "keep_all")}
"""What a policy that a publisher or subscription lets override may be."""


_OPTIONAL = frozenset(name for name, value in defaults({}).items() if value is None)
"""The parameters that may be left out, which is not the same as any value."""


class NodeParameters:
    """Declares every parameter of the catalogue on a node and follows their changes.

    Parameters
    ----------
    node : Node

    Attributes
    ----------
    settings : dict of str to Settings
        What holds now, by the name of the IMU; "" where there is but one.
    given : dict
        What was set from outside at the start, by name.

    Raises
    ------
    ImuNoiseError
        A parameter given at the start is unknown or not allowed.
    """

    def __init__(self, node: Node) -> None:
        # rclpy has no public way to see an override before its parameter is declared.
        overrides = node._parameter_overrides
        named = overrides.get("instances")
        self._instances = instance_names("" if named is None else named.value)
        self._own = instance_catalogue(self._instances)
        self._catalogue = {**catalogue(), **self._own}
        ours = (name for name in overrides if not name.startswith(_ROS_OWN))
        for name in unknown_names(ours, self._own):
            node.get_logger().warning(f"parameter '{name}' is not one of this node: ignored")
        for name, override in overrides.items():
            _check_qos_override(name, override.value)
        self.given = self._ours(overrides.values())
        common = {name: v for name, v in self.given.items() if name not in self._own}
        self._values = self._declare(node, {**defaults(common), **dict.fromkeys(self._own)})
        self.settings = self._settings(self._values)

    def follow(self, node: Node, apply: Callable[[dict[str, Settings]], None]) -> None:
        """From now on check every change, and call `apply` with the new settings after it."""
        self._apply = apply
        if hasattr(node, "add_pre_set_parameters_callback"):
            node.add_pre_set_parameters_callback(partial(_recognise, node))
        node.add_on_set_parameters_callback(self._check)
        if hasattr(node, "add_post_set_parameters_callback"):
            node.add_post_set_parameters_callback(self._adopt)
            self._adopts_in_check = False
        else:  # ROS 2 Humble
            self._adopts_in_check = True

    def _declare(self, node: Node, values: dict[str, Any]) -> dict[str, Any]:
        declared = {}
        for name, facts in self._catalogue.items():
            try:
                found = node.declare_parameter(
                    name, _ros_value(values[name]), self._descriptor(name, facts)
                )
            except InvalidParameterValueException:
                allowed = allowed_of(name, facts)
                raise ParameterError(name, self.given.get(name), allowed) from None
            declared[name] = self._value_of(found, facts)
        return declared

    def _descriptor(self, name: str, facts: Parameter) -> ParameterDescriptor:
        if name not in self._own:
            return descriptor(name, facts)
        described = descriptor(name.partition(".")[2], facts)
        described.additional_constraints += "; empty is that of the node"
        return described

    def _value_of(self, ros_parameter: RosParameter, facts: Parameter) -> Any:
        """Return the value of a ROS parameter; None is that of the node, for an IMU's own."""
        if ros_parameter.name in self._own and ros_parameter.value in ("", None):
            return None
        return value_of(ros_parameter, facts)

    def _settings(self, values: dict[str, Any]) -> dict[str, Settings]:
        return settings_by_instance(self._instances, values)

    def _check(self, changes: list[RosParameter]) -> SetParametersResult:
        """Say whether the settings would be right with all `changes` made."""
        for change in changes:
            if change.type_ is RosParameter.Type.NOT_SET and change.name in self._catalogue:
                return SetParametersResult(
                    successful=False, reason=f"{change.name} cannot be deleted, only set"
                )
        try:
            self._settings(self._changed(changes))
        except ImuNoiseError as error:
            return SetParametersResult(successful=False, reason=str(error))
        if self._adopts_in_check:
            self._adopt(changes)
        return SetParametersResult(successful=True)

    def _adopt(self, changes: list[RosParameter]) -> None:
        changed = self._changed(changes)
        if changed != self._values:
            self._values = changed
            self.settings = self._settings(changed)
            self._apply(self.settings)

    def _changed(self, changes: list[RosParameter]) -> dict[str, Any]:
        return {**self._values, **self._ours(changes)}

    def _ours(self, ros_parameters: Iterable[RosParameter]) -> dict[str, Any]:
        known = self._catalogue
        return {
            p.name: self._value_of(p, known[p.name]) for p in ros_parameters if p.name in known
        }


class _NotDeclaredError(ParameterNotDeclaredException):
    """What rclpy turns into a refusal; its own message names no parameter."""

    def __init__(self, sentence: str) -> None:
        Exception.__init__(self, sentence)


def _recognise(node: Node, changes: list[RosParameter]) -> list[RosParameter]:
    """Return `changes` if the node has all these parameters."""
    for change in changes:
        if not node.has_parameter(change.name):
            raise _NotDeclaredError(str(UnknownNameError("parameter", change.name, catalogue())))
    return changes


def descriptor(name: str, facts: Parameter) -> ParameterDescriptor:
    """Return what `ros2 param describe` and rqt_reconfigure show of a parameter."""
    unit = unit_of(name, facts)
    empty = "; empty is not given" if name in _OPTIONAL else ""
    described = ParameterDescriptor(
        description=f"{facts.meaning} [{unit}]" if unit else facts.meaning,
        additional_constraints=allowed_of(name, facts) + empty,
        read_only=not facts.live,
        # A figure comes as an integer, a double, a list or a text; the schema decides.
        dynamic_typing=True,
    )
    if facts.kind is int and math.isfinite(facts.lower) and math.isfinite(facts.upper):
        described.integer_range = [
            IntegerRange(from_value=int(facts.lower), to_value=int(facts.upper), step=1)
        ]
    elif facts.kind is float and math.isfinite(facts.lower) and math.isfinite(facts.upper):
        described.floating_point_range = [
            FloatingPointRange(from_value=facts.lower, to_value=facts.upper)
        ]
    return described


def value_of(ros_parameter: RosParameter, facts: Parameter) -> Any:
    """Return the value of a ROS parameter, arrays as lists.

    Of a number that may be left out, an empty text is None. A text such as "[0, 4e-3, 1]", which
    `ros2 param set` makes of a list of integers and decimals, is that list.
    """
    value = ros_parameter.value
    if facts.kind is str and isinstance(value, list | tuple) and value:
        # A list of names.
        return ", ".join(map(str, value))
    if isinstance(value, array.array | np.ndarray | tuple):
        return list(value)
    if isinstance(value, str) and facts.kind is not str:
        text = value.strip()
        if text[:1] == "[" and text[-1:] == "]":
            return text[1:-1].split(",")
        if not text and ros_parameter.name in _OPTIONAL:
            return None
    return value


def _ros_value(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [float(v) for v in value.ravel()]
    # Not None: a parameter without a value hides all others from whoever asks for several at
    # once, as `ros2 param dump` and rqt_reconfigure do.
    if value is None:
        return ""
    return list(value) if isinstance(value, tuple) else value


def _check_qos_override(name: str, value: Any) -> None:
    """Refuse what rclpy would take for a fault of the node and not of its parameters."""
    policy = name.rsplit(".", 1)[-1]
    if not name.startswith("qos_overrides.") or policy not in _QOS_VALUES:
        return
    allowed = _QOS_VALUES[policy]
    if not isinstance(value, str) or value.lower() not in allowed:
        raise ParameterError(name, value, f"must be one of {', '.join(allowed)}")
