"""The loop in which a process serves its node."""

from __future__ import annotations

from collections.abc import Callable

import rclpy
from rclpy.executors import Executor, ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node


def spin(node: Node, done: Callable[[], bool] = lambda: False) -> None:
    """Serve `node` until the process is interrupted, or `done` is true after an event."""
    executor = _executor()
    executor.add_node(node)
    try:
        # Not executor.spin(): the EventsExecutor of some releases delivers nothing there.
        while rclpy.ok() and not done():
            executor.spin_once(timeout_sec=1.0)
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
