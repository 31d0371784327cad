"""The node's ROS parameters: declared from the schema, checked whole, applied whole."""

from __future__ import annotations

import array
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rcl_interfaces.msg import (
    FloatingPointRange,
    IntegerRange,
    ParameterDescriptor,
    SetParametersResult,
)
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter as RosParameter

from ..errors import ImuNoiseError, InputError
from ..schema import Parameter
from .settings import Settings, catalogue, defaults, settings, unit_of, unknown_names

_ROS_OWN = ("use_sim_time", "start_type_description_service", "qos_overrides.")


class NodeParameters:
    """Declares every parameter of the catalogue on a node and follows their changes.

    Parameters
    ----------
    node : Node

    Attributes
    ----------
    settings : Settings
        What holds now.
    given : dict
        What was set from outside at the start, by name.

    Raises
    ------
    ImuNoiseError
        A parameter given at the start is unknown or not allowed.
    """

    def __init__(self, node: Node) -> None:
        self._catalogue = catalogue()
        # rclpy has no public way to see an override before its parameter is declared.
        overrides = {name: value_of(p) for name, p in node._parameter_overrides.items()}
        named = {k: v for k, v in overrides.items() if not k.startswith(_ROS_OWN)}
        for name in unknown_names(named):
            node.get_logger().warning(f"parameter '{name}' is not one of this node: ignored")
        self.given = {name: value for name, value in named.items() if name in self._catalogue}
        self._values = self._declare(node, defaults(self.given))
        self.settings = settings(self._values)

    def follow(self, node: Node, apply: Callable[[Settings], None]) -> None:
        """From now on check every change, and call `apply` with the new settings after it."""
        self._apply = apply
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
                    name, _ros_value(values[name]), descriptor(name, facts)
                )
            except InvalidParameterValueException as error:
                raise InputError(name, self.given.get(name), facts.allowed, str(error)) from None
            declared[name] = value_of(found)
        return declared

    def _check(self, changes: list[RosParameter]) -> SetParametersResult:
        """Say whether the settings would be right with all `changes` made."""
        try:
            settings(self._changed(changes))
        except ImuNoiseError as error:
            return SetParametersResult(successful=False, reason=str(error))
        if self._adopts_in_check:
            self._adopt(changes)
        return SetParametersResult(successful=True)

    def _adopt(self, changes: list[RosParameter]) -> None:
        changed = self._changed(changes)
        if changed != self._values:
            self._values = changed
            self.settings = settings(changed)
            self._apply(self.settings)

    def _changed(self, changes: list[RosParameter]) -> dict[str, Any]:
        ours = {p.name: value_of(p) for p in changes if p.name in self._catalogue}
        return {**self._values, **ours}


def descriptor(name: str, facts: Parameter) -> ParameterDescriptor:
    """Return what `ros2 param describe` and rqt_reconfigure show of a parameter."""
    unit = unit_of(name, facts)
    described = ParameterDescriptor(
        description=f"{facts.meaning} [{unit}]" if unit else facts.meaning,
        additional_constraints=facts.allowed,
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


def value_of(ros_parameter: Any) -> Any:
    """Return the value of a ROS parameter with its arrays as lists."""
    value = ros_parameter.value
    return list(value) if isinstance(value, array.array | np.ndarray | tuple) else value


def _ros_value(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [float(v) for v in value.ravel()]
    return list(value) if isinstance(value, tuple) else value
