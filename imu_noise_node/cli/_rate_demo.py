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

"""Runs the rate table over DDS: a truth, four nodes and a recorder, each a process of its own."""

from __future__ import annotations

import importlib.util
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..analysis.channels import Channel, load_channels
from ..analysis.rate_runs import RUNS, Parked, Run
from ..analysis.rate_table import RateTable, rate_table
from ..errors import MissingPackageError
from ._domain import claim_domain, environment
from ._processes import Failed, Processes

PATIENCE = 30.0
"""Seconds without any news after which a run has failed."""

_TRUTH = "/odom"
_NEEDED = ("rclpy", "diagnostic_msgs", "nav_msgs", "sensor_msgs")

_WHERE = {
    "started": "the processes do not start",
    "connected": f"fewer than all {len(RUNS)} nodes and the truth have found each other over DDS",
    "received": "messages do not get through",
}
"""What is wrong, by what was said last."""

Progress = Callable[[int, int], None]
"""Takes how many messages have been recorded and how many there will be."""


@dataclass(frozen=True)
class RateDemo:
    """What the graph produced.

    Attributes
    ----------
    table : RateTable
    channels : list of Channel
        The truth and the samples of each run.
    truth : Parked
    seconds : float
        From the first recorded message to the last.
    """

    table: RateTable
    channels: list[Channel]
    truth: Parked
    seconds: float


def run_rate_demo(
    seed: int = 0, progress: Progress = lambda _done, _total: None, truth: Parked | None = None
) -> RateDemo:
    """Return what four nodes make of one parked truth.

    Raises
    ------
    MissingPackageError
        There is no ROS 2 here.
    Failed
        A process ended with an error, or nothing came any more.
    """
    require_ros()
    truth = truth or Parked()
    number, lock = claim_domain()
    with lock, tempfile.TemporaryDirectory(prefix="imu_noise_demo_") as folder:
        logs = Path(folder)
        with Processes(environment(number, folder), logs) as processes:
            recorder = _start(processes, truth, seed, logs / "recorded.npz")
            seconds = _follow(recorder, processes, progress, expected_messages(truth))
        channels, notes = load_channels(logs / "recorded.npz")
    return RateDemo(_evaluate(truth, channels, notes["counts"]), channels, truth, seconds)


def require_ros() -> None:
    """Raise `MissingPackageError` where the processes of the demo could not run."""
    for package in _NEEDED:
        if importlib.util.find_spec(package) is None:
            raise MissingPackageError(
                package,
                "the nodes of the demo",
                "source a ROS 2 installation, or run `make demo`, which brings its own",
            )


def expected_messages(truth: Parked, runs: Sequence[Run] = RUNS) -> int:
    """Return how many messages the recorder gets if nothing is lost."""
    return truth.count + sum(len(truth.captures(run.rate)) for run in runs)


def output_of(run: Run) -> str:
    """Return the topic of a run's samples."""
    return f"/{run.name}/imu/data_raw"


def _start(
    processes: Processes, truth: Parked, seed: int, output: Path
) -> subprocess.Popen[bytes]:
    """Start all processes at once; each waits for the others. Return the recorder."""
    count = str(truth.count)
    recorder: subprocess.Popen[bytes] = processes.start(
        "recorder",
        "imu_noise_node.ros.demo_recorder",
        *("--truth", _TRUTH, "--count", count, "--output", str(output)),
        *("--nodes", *(f"/{run.name}" for run in RUNS)),
        piped=True,
    )
    for run in RUNS:
        processes.start(run.name, "imu_noise_node.ros", *_node_arguments(run, seed, count))
    processes.start(
        "truth",
        "imu_noise_node.ros.demo_truth",
        *("--topic", _TRUTH, "--count", count, "--listeners", str(len(RUNS) + 1)),
        *("--start", str(truth.start), "--step", str(truth.step)),
    )
    return recorder


def _node_arguments(run: Run, seed: int, depth: str) -> list[str]:
    # Queues that hold the whole run: however late a process is served, nothing is overwritten.
    parameters = {"seed": seed, "queue_depth": depth, **run.parameters}
    settings = [part for name, value in parameters.items() for part in ("-p", f"{name}:={value}")]
    remaps = ["-r", f"__ns:=/{run.name}", "-r", f"odom:={_TRUTH}"]
    return ["--ros-args", *remaps, *settings]


def _follow(
    recorder: subprocess.Popen[bytes], processes: Processes, progress: Progress, total: int
) -> float:
    """Wait for the recorder to end well; return how long messages were coming [s]."""
    times = []
    for news in _news(recorder, processes):
        what, _, number = news.partition(" ")
        if what == "received":
            times.append(time.monotonic())
            progress(int(number), total)
    recorder.wait()
    processes.check()
    return times[-1] - times[0] if times else 0.0


def _news(recorder: subprocess.Popen[bytes], processes: Processes) -> Iterator[str]:
    """Yield what the recorder says until it ends, or raise `Failed` when it has fallen silent."""
    assert recorder.stdout is not None
    begun, news, deadline = "", "started", time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as selector:
        selector.register(recorder.stdout, selectors.EVENT_READ)
        while True:
            if selector.select(timeout=0.2):
                text = os.read(recorder.stdout.fileno(), 65536).decode()
                if not text:
                    return
                *lines, begun = (begun + text).split("\n")
                for news in lines:
                    yield news
                deadline = time.monotonic() + PATIENCE
            processes.check()
            if time.monotonic() > deadline:
                raise Failed(
                    f"nothing has come for {PATIENCE:g} s, and the last from the recorder was "
                    f"'{news}': {_WHERE.get(news.partition(' ')[0], _WHERE['received'])}"
                )


def _evaluate(
    truth: Parked, channels: Sequence[Channel], counts: dict[str, dict[str, int]]
) -> RateTable:
    by_topic = {channel.topic: channel for channel in channels}
    recorded = {run.name: by_topic[output_of(run)] for run in RUNS}
    return rate_table(
        truth,
        {name: (channel.stamps, channel.values) for name, channel in recorded.items()},
        {run.name: counts[f"/{run.name}"] for run in RUNS},
    )
