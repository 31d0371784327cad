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

"""The node over half an hour of truth at 1 kHz: does its memory grow, and does it lose anything.

The truth comes as fast as the node takes it, so that it lasts minutes; its stamps are a
millisecond apart. What a queue or a list keeps for ever shows as memory that grows with the number
of messages: 1,800,000 of them, at 16 bytes each, would be 29 MB.
"""

from __future__ import annotations

import sys
import time
from functools import partial

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from . import figures
from .driver import Link, links
from .memory import resident
from .pipeline import circling
from .processes import own_domain, running

_NAME = "lasting"
_MILLISECOND = 1_000_000
_SECONDS = 1800
_BLOCK = 20_000
_PATIENCE = 10.0


def measure(seconds: int = _SECONDS) -> None:
    """Print the table."""
    arguments = figures.ros_arguments(figures.FULL)
    command = ["-m", "imu_noise_node.ros.node", "--ros-args", *arguments]
    commands = {_NAME: [*command, "-r", f"__ns:=/{_NAME}", "--log-level", "error"]}
    with own_domain(), running(commands) as processes:
        with links([_NAME], partial(circling, _MILLISECOND)) as found:
            lost, sizes = _run(found[_NAME], processes[_NAME], seconds * 1000)
        counts = _counters()
    _tell(seconds, lost, sizes, counts)


def _run(link: Link, process: int, count: int) -> tuple[int, list[int]]:
    """Send `count` messages; return how many were lost, and memory after each block [bytes]."""
    lost, sizes = 0, []
    for sent in range(0, count, _BLOCK):
        lost += link.saturate(min(_BLOCK, count - sent)).lost
        sizes.append(resident(process))
        if sys.stderr.isatty():
            print(f"\r  {sent + _BLOCK:,} of {count:,}", end="", file=sys.stderr, flush=True)
    return lost, sizes


def _counters() -> dict[str, str]:
    """Return what the node says of its messages in the next /diagnostics."""
    context = rclpy.Context()
    rclpy.init(context=context, args=[])
    heard: list[DiagnosticArray] = []
    try:
        node = Node("auditor", context=context)
        node.create_subscription(DiagnosticArray, "/diagnostics", heard.append, 10)
        executor = SingleThreadedExecutor(context=context)
        executor.add_node(node)
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            executor.spin_once(timeout_sec=0.1)
            if heard:
                return {value.key: value.value for value in heard[0].status[0].values}
    finally:
        context.try_shutdown()
    raise TimeoutError("no diagnostics of the node came")


def _tell(seconds: int, lost: int, sizes: list[int], counts: dict[str, str]) -> None:
    reasons = {key: int(value) for key, value in counts.items() if value.isdigit()}
    received = reasons["received"]
    early = sizes[min(len(sizes) - 1, len(sizes) // 10)]
    print(f"\nendurance: {seconds / 60:g} minutes of truth at 1 kHz through the node")
    print(f"  lost on the way          {lost + reasons['lost by the middleware']}")
    print(f"  received                 {received:,}, as counted by the node")
    print(f"  samples and baselines    {reasons['samples'] + reasons['baseline']:,}")
    print(f"  memory at the end        {sizes[-1] / early:.3f} times that after a tenth of it")
    print(f"                           ({early / 1e6:.1f} MB, {sizes[-1] / 1e6:.1f} MB)")
