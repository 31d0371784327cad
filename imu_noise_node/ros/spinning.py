"""The loop in which a process serves its node."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.executors import Executor, ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node

_PATIENCE = 0.2
"""With nothing to serve, so many seconds pass before `done` is asked again."""


class Interrupt:
    """SIGINT and SIGTERM as a flag, for `spin` to look at between callbacks.

    The handlers that `rclpy.init` installs unless it is told not to shut the context down at
    once, and a callback that is about to publish fails.

    Attributes
    ----------
    came : bool
    """

    def __init__(self) -> None:
        self.came = False
        _handle(self._note)

    def ignore(self) -> None:
        """From now on do nothing about them: a second one must not break the way out."""
        _handle(signal.SIG_IGN)

    def _note(self, _signal: int, _frame: object) -> None:
        self.came = True


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


def _handle(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _executor() -> Executor:
    """Return the fastest executor that this distribution has."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        return SingleThreadedExecutor()
    executor: Executor = EventsExecutor()
    return executor
