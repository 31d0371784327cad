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

"""The launch descriptions; the files in launch/ only call these functions.

Apart from those files nothing else imports launch: what can be asked for and what it means is
in `launch_arguments`, `gazebo` and `demo`, what is recorded in `recording`; none of them needs it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction, Shutdown
from launch.events.process import ProcessExited
from launch.launch_context import LaunchContext
from launch.launch_description import LaunchDescription
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.logging import get_logger
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

from ..errors import InputError, MissingPackageError
from . import demo, gazebo, launch_arguments, recording
from .gazebo import BRIDGE, Bridge
from .launch_arguments import Argument, Setup, Texts, misspelt
from .recording import Recording

Start: TypeAlias = Callable[[LaunchContext, Texts], list[LaunchDescriptionEntity]]
"""Turns the texts given for the arguments into what is started."""


def simulation(share: Path) -> LaunchDescription:
    """Describe the node alone, on a truth that a simulator publishes.

    `share` is the folder that holds config/imu_noise.yaml.
    """
    return _description(launch_arguments.arguments(_parameters(share)), _simulate)


def gazebo_simulation(share: Path) -> LaunchDescription:
    """Describe the node and the bridge that brings it truth and time from Gazebo.

    `share` is the folder that holds config/imu_noise.yaml.
    """
    return _description(gazebo.arguments(_parameters(share)), _simulate_in_gazebo)


def demonstration(share: Path) -> LaunchDescription:
    """Describe the node and a truth that moves, for a first look.

    `share` is the folder that holds config/imu_noise.yaml.
    """
    return _description(demo.arguments(_parameters(share)), _demonstrate)


def imu_node(setup: Setup) -> Node:
    """Return the node; when it ends, the launch ends with it."""
    files = [] if setup.params_file is None else [str(setup.params_file)]
    # Namespace and name are always given: launch then keys these parameters by the full name,
    # over which a section for that very node in the parameter file does not win.
    return Node(
        package="imu_noise",
        executable="imu_noise_node",
        namespace=setup.namespace,
        name=setup.name,
        parameters=[*files, _typed(setup)] if setup.parameters else files,
        remappings=list(setup.remappings.items()),
        ros_arguments=["--log-level", setup.log_level] if setup.log_level else None,
        output="screen",
        on_exit=_end_with_node,
    )


def recorder(what: Recording, namespace: str, node: str) -> ExecuteProcess:
    """Return the recorder for a node of that (absolute) namespace and name."""
    if not _has_recorder():
        given = "true" if what.output is None else str(what.output)
        missing = "needs `ros2 bag`, which is not installed"
        raise InputError("record", given, missing, hint="the package ros2bag brings it")
    return ExecuteProcess(
        cmd=recording.command(what, namespace, node), name="record", output="screen"
    )


def bridge_node(bridge: Bridge, setup: Setup) -> Node:
    """Return the bridge to Gazebo for the node of `setup`; when it ends, the launch ends."""
    if not _is_installed(BRIDGE):
        distribution = os.environ.get("ROS_DISTRO", "jazzy")
        remedy = f"sudo apt install ros-{distribution}-ros-gz-bridge"
        raise MissingPackageError(BRIDGE, "truth from Gazebo", remedy)
    return Node(
        package=BRIDGE,
        executable="parameter_bridge",
        namespace=setup.namespace,
        name=f"{setup.name}_bridge",
        arguments=list(bridge.topics),
        parameters=[bridge.parameters],
        remappings=list(bridge.remappings.items()),
        output="screen",
        on_exit=_end_with_node,
    )


def truth_node(rate: float, setup: Setup) -> Node:
    """Return the truth for the node of `setup`; when it ends, the launch ends."""
    return Node(
        package="imu_noise",
        executable="moving_truth",
        namespace=setup.namespace,
        parameters=[{"rate": rate}],
        output="screen",
        on_exit=_end_with_node,
    )


def _parameters(share: Path) -> Path:
    return share / "config" / "imu_noise.yaml"


def _description(listed: Sequence[Argument], start: Start) -> LaunchDescription:
    names = tuple(argument.name for argument in listed)
    return LaunchDescription(
        [
            *(_declaration(argument) for argument in listed),
            OpaqueFunction(function=_start, args=[names, start]),
        ]
    )


def _declaration(argument: Argument) -> DeclareLaunchArgument:
    return DeclareLaunchArgument(
        argument.name,
        default_value=argument.default,
        description=argument.description,
        choices=None if argument.choices is None else list(argument.choices),
    )


def _start(
    context: LaunchContext, names: Sequence[str], start: Start
) -> list[LaunchDescriptionEntity]:
    for given, near in misspelt(context.argv, names):
        get_logger("imu_noise").warning(
            f"unknown launch argument '{given}' sets nothing here; did you mean '{near}'?"
        )
    return start(context, {name: context.launch_configurations[name] for name in names})


def _simulate(context: LaunchContext, values: Texts) -> list[LaunchDescriptionEntity]:
    return _sensor(context, launch_arguments.read(values))


def _simulate_in_gazebo(context: LaunchContext, values: Texts) -> list[LaunchDescriptionEntity]:
    setup, bridge = gazebo.read(values)
    return [bridge_node(bridge, setup), *_sensor(context, setup)]


def _demonstrate(context: LaunchContext, values: Texts) -> list[LaunchDescriptionEntity]:
    setup, rate = demo.read(values)
    return [truth_node(rate, setup), *_sensor(context, setup)]


def _sensor(context: LaunchContext, setup: Setup) -> list[LaunchDescriptionEntity]:
    actions: list[LaunchDescriptionEntity] = [imu_node(setup)]
    if setup.recording is not None:
        outer = context.launch_configurations.get("ros_namespace", "")
        namespace = recording.join_namespaces(outer, setup.namespace)
        actions.append(recorder(setup.recording, namespace, setup.name))
    return actions


def _typed(setup: Setup) -> dict[str, ParameterValue]:
    # Launch reads a bare text as YAML: a frame called 1 would become a number.
    return {
        name: ParameterValue(value, value_type=type(value))
        for name, value in setup.parameters.items()
    }


def _has_recorder() -> bool:
    return _is_installed("ros2bag") and shutil.which("ros2") is not None


def _is_installed(package: str) -> bool:
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def _end_with_node(
    event: ProcessExited, context: LaunchContext
) -> list[LaunchDescriptionEntity] | None:
    if context.is_shutdown:
        return None
    # Only an error makes `ros2 launch` end with an exit code other than 0.
    if event.returncode:
        raise ChildProcessError(
            f"{event.process_name} ended with exit code {event.returncode}; it says why above"
        )
    return [Shutdown(reason=f"{event.process_name} ended")]
