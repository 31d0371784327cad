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

"""Processes end with their block, whatever they think of it."""

from __future__ import annotations

import os

import pytest

from imu_noise_node.cli import _processes
from imu_noise_node.cli._processes import Failed, Processes


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return a function that writes a module which a child process can run."""

    def write(text: str) -> str:
        (tmp_path / "child.py").write_text(text)
        return "child"

    return write


@pytest.fixture
def processes(tmp_path):
    return Processes({**os.environ, "PYTHONPATH": str(tmp_path)}, tmp_path)


def test_one_that_will_not_end_is_killed(processes, module, monkeypatch):
    monkeypatch.setattr(_processes, "_GRACE", 0.2)
    stubborn = module(
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('deaf', flush=True)\n"
        "time.sleep(60)\n"
    )
    with processes:
        process = processes.start("stubborn", stubborn, piped=True)
        assert process.stdout.readline() == b"deaf\n"
    assert process.returncode == -9


def test_an_error_in_the_block_ends_them_too(processes, module):
    sleeper = module("import time; time.sleep(60)")
    with pytest.raises(ZeroDivisionError):
        _start_and_fail(processes, sleeper)
    assert [process.returncode for process in processes._running.values()] == [-15]


def _start_and_fail(processes, sleeper):
    with processes:
        processes.start("sleeper", sleeper)
        raise ZeroDivisionError


def test_the_last_words_of_one_that_failed_are_quoted(processes, module):
    with processes:
        process = processes.start("victim", module("print('first'); raise SystemExit('why\\n')"))
        process.wait()
        with pytest.raises(Failed, match=r"^victim ended with exit code 1: why$"):
            processes.check()


def test_one_that_ended_well_is_no_failure(processes, module):
    with processes:
        processes.start("fine", module("print('done')")).wait()
        processes.check()
