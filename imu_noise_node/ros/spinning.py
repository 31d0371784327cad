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

"""The loop in which a process serves its node."""

from __future__ import annotations

from collections.abc import Callable

import rclpy
from rclpy.executors import Executor, ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node

_PATIENCE = 0.2
"""With nothing to serve, so many seconds pass before `done` is asked again."""


def spin(node: Node, done: Callable[[], bool] = lambda: False) -> None:
    """Serve `node` until the process is interrupted, or `done` is true between two events."""
    executor = _executor()
    executor.add_node(node)
    try:
        # Not executor.spin(): the EventsExecutor of some releases delivers nothing there.
        while rclpy.ok() and not done():
            executor.spin_once(timeout_sec=_PATIENCE)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except Exception:
        # A shutdown under traffic surfaces as whatever the call in progress makes of it.
        if rclpy.ok():
            raise


def _executor() -> Executor:
    """Return the fastest executor that this distribution has."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        return SingleThreadedExecutor()
    executor: Executor = EventsExecutor()
    return executor
