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

"""What the tests share: a DDS domain of their own, processes that end with the test, and files."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from imu_noise_node.cli._domain import DOMAINS, claim_domain

REPO = Path(__file__).resolve().parents[1]

FIRST_WITH_FAST_DDS_3 = 8
"""Version of rclpy; Kilted's is 9."""

_next_domain = itertools.cycle(DOMAINS)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder with the recordings and reference trajectories, which are too large for the repo."""
    folder = Path(os.environ.get("IMU_NOISE_TEST_DATA", REPO.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no test data in {folder}; IMU_NOISE_TEST_DATA names the folder")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a profile and returns its path."""

    def write(text: str, name: str = "mine.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def domain(monkeypatch, tmp_path) -> Iterator[int]:
    """Id of a DDS domain that no other test uses now; this process and its children are in it."""
    pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")
    number, lock = claim_domain(itertools.islice(_next_domain, len(DOMAINS)))
    with lock:
        monkeypatch.setenv("ROS_DOMAIN_ID", str(number))
        monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        monkeypatch.setenv("ROS_LOG_DIR", str(tmp_path / "ros_log"))
        monkeypatch.delenv("ROS_LOCALHOST_ONLY", raising=False)
        monkeypatch.delenv("ROS_STATIC_PEERS", raising=False)
        if os.environ.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp").startswith("rmw_fastrtps"):
            # It keeps to the localhost, too. With LOCALHOST, rmw_fastrtps would put transports of
            # its own beside those of the file.
            monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT")
            monkeypatch.setenv(_profiles_variable(), str(Path(__file__).parent / "fastdds.xml"))
        yield number


def _profiles_variable() -> str:
    """Return the name by which this ROS 2's Fast DDS knows its file; 3 warns of that of 2."""
    is_third = int(version("rclpy").split(".")[0]) >= FIRST_WITH_FAST_DDS_3
    return f"FAST{'DDS' if is_third else 'RTPS'}_DEFAULT_PROFILES_FILE"


@pytest.fixture
def ros(domain):
    """Return a fresh rclpy Context in the test's own domain; it is shut down afterwards."""
    import rclpy

    context = rclpy.Context()
    rclpy.init(args=[], context=context, domain_id=domain)
    yield context
    context.try_shutdown()


@pytest.fixture
def start(domain) -> Iterator[Callable[..., subprocess.Popen]]:
    """Return a function that starts a command in the test's domain; none outlives the test.

    It takes what `subprocess.Popen` takes; a command that starts with "-m" runs under this Python.
    """
    running: list[subprocess.Popen] = []

    def start(*command: str | Path, **options) -> subprocess.Popen:
        if command[0] == "-m":
            command = (sys.executable, *command)
        options = {"cwd": REPO, "text": True, **options}
        running.append(subprocess.Popen(command, start_new_session=True, **options))
        return running[-1]

    yield start
    for process in running:
        _end(process)


def _end(process: subprocess.Popen) -> None:
    """End a process and all that it started: SIGINT first, as Ctrl-C would, then SIGKILL."""
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=5.0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
