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

"""Processes that end with the benchmark, in a DDS domain of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

_REPO = Path(__file__).resolve().parents[1]
_DOMAINS = range(90, 100)


@contextlib.contextmanager
def own_domain() -> Iterator[None]:
    """Put this process and those that it starts into a DDS domain that no test uses now."""
    number, lock = _claim()
    with lock, tempfile.TemporaryDirectory() as logs:
        os.environ["ROS_DOMAIN_ID"] = str(number)
        os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
        os.environ["ROS_LOG_DIR"] = logs
        for name in ("ROS_LOCALHOST_ONLY", "ROS_STATIC_PEERS"):
            os.environ.pop(name, None)
        yield


def _claim() -> tuple[int, socket.socket]:
    for number in _DOMAINS:
        lock = socket.socket(socket.AF_UNIX)
        try:
            # The tests claim their domains by the same name.
            lock.bind(f"\0imu_noise_test_domain_{number}")
        except OSError:
            lock.close()
        else:
            return number, lock
    raise RuntimeError(f"DDS domains {_DOMAINS[0]} to {_DOMAINS[-1]} are all in use")


@contextlib.contextmanager
def running(commands: Mapping[str, list[str]]) -> Iterator[dict[str, int]]:
    """Run Python with each of the `commands`; give their process ids, and end them all."""
    started: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, command in commands.items():
            started[name] = subprocess.Popen(
                [sys.executable, *command],
                cwd=_REPO,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        yield {name: process.pid for name, process in started.items()}
    finally:
        for process in started.values():
            _end(process)


def processor_time(process: int) -> float:
    """Return how long a process has had a processor so far [s], all its threads together."""
    threads = Path(f"/proc/{process}/task").iterdir()
    # The scheduler counts in nanoseconds what /proc/PID/stat has in hundredths of a second.
    spent = (thread.joinpath("schedstat").read_text(encoding="ascii") for thread in threads)
    return sum(int(line.split()[0]) for line in spent) * 1e-9


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process: SIGINT first, as Ctrl-C would, then SIGKILL."""
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=5.0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
