"""What ends a process, noted from its first moment on; nothing here takes time to import."""

from __future__ import annotations

import signal
from typing import Any


class Interrupt:
    """SIGINT and SIGTERM as a flag, for `spinning.spin` to look at between callbacks.

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


def _handle(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)
