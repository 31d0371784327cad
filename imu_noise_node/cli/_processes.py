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

"""Child processes that never outlive the block that started them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1

_GRACE = 5.0
"""Seconds between asking a process to end and ending it."""


class Failed(Exception):
    """What the processes were to do did not come about; the text is a sentence for the user."""


class Processes:
    """Starts modules under this Python and ends them all when its block ends, however it ends.

    What they print goes to files, from where the last words of one that failed are quoted.

    Parameters
    ----------
    environment : dict of str
    logs : Path
        Folder for the files.
    """

    def __init__(self, environment: dict[str, str], logs: Path) -> None:
        self._environment = environment
        self._logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, module: str, *arguments: str, piped: bool = False) -> Any:
        """Start `python -m module`; return the process, its stdout a pipe if `piped`."""
        with _uninterrupted(), self._log(name).open("wb") as log:
            process = self._running[name] = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if piped else log,
                stderr=log,
                env=self._environment,
                preexec_fn=partial(_end_with, os.getpid()),
            )
        return process

    def check(self) -> None:
        """Raise `Failed` if one has ended with an error."""
        for name, process in self._running.items():
            if process.poll():
                raise Failed(
                    f"{name} ended with exit code {process.returncode}{self._words(name)}"
                )

    def end(self) -> None:
        """End all processes: SIGTERM first, SIGKILL for those that do not follow it."""
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        deadline = time.monotonic() + _GRACE
        for process in self._running.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_exception: object) -> None:
        with _deaf():
            self.end()

    def _log(self, name: str) -> Path:
        return self._logs / f"{name}.log"

    def _words(self, name: str) -> str:
        lines = self._log(name).read_text(encoding="utf-8", errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f": {last}" if last else ""


def _end_with(parent: int) -> None:
    """Have Linux end this process when its parent dies, even of SIGKILL."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end the block as Ctrl-C does, with all its clean-up."""
    with _handlers(_interrupt, *_INTERRUPTS):
        yield


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put all of these off to the end of the block: no process may start unnoticed."""
    caught: list[int] = []
    with _handlers(lambda number, _frame: caught.append(number), *_INTERRUPTS):
        yield
    if caught:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Ignore all of these: a second Ctrl-C must not cut a clean-up short."""
    with _handlers(signal.SIG_IGN, *_INTERRUPTS):
        yield


@contextlib.contextmanager
def _handlers(handler: Any, *signals: signal.Signals) -> Iterator[None]:
    # Python lets only its main thread handle signals.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in signals}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
