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

"""The node, beside plain rclpy relays: loss-free rate, latency, memory.

The loss-free rate is the highest that goes on for ever: nothing is lost and no queue grows. It is
found by keeping a hundred messages on their way, a new one going in for each that comes out. The
node then always has work, so the rate at which samples come out is its highest; and its queues,
a thousand deep, never fill, so nothing is lost, which is counted all the same. Looking instead for
the rate at which losses begin would tell the depth of the queue as much as the speed of the node:
a queue of a thousand hides three seconds of running 15 % too fast. That the rate holds in truth is
then tried with a publisher that goes at 80 % of it and waits for nobody.

Where other programs want the processors too, rates scatter. The processor time that a process
takes for each message, all its threads together, is told beside them and scatters less.

All contestants live through the whole of it in processes of their own, unpinned as in use, and
take turns.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import partial

from . import figures
from .driver import Link, Passage, links
from .memory import peak
from .processes import own_domain, processor_time, running
from .relays import DEPTH
from .table import Row, Target, show
from .timing import Times, alternate, microseconds, ratios

_ROUNDS = 31
_MESSAGES = 500
_LATENCY = {200.0: 150, 1000.0: 500}
"""Rates [Hz] at which latency is measured, with the messages per round."""

_LATENCY_ROUNDS = 6
_SUSTAINED = 0.8
_SUSTAINED_SECONDS = 2.0

_NODE = "node"
_PLAIN = "plain"
_OTHERS = {
    "events": "relay, EventsExecutor, one message",
    "raw": "relay of bytes: the bare limit",
}


def measure() -> None:
    """Print the tables."""
    with own_domain(), running(_commands()) as processes, links(list(processes)) as found:
        times = _rates(found, processes)
        _latencies(found)
        _sustained(found, times)
        _memory(processes)


def _commands() -> dict[str, list[str]]:
    arguments = [*figures.ros_arguments(figures.FULL), "-p", f"queue_depth:={DEPTH}"]
    commands = {_NODE: ["-m", "imu_noise_node.ros.node", "--ros-args", *arguments]}
    for kind in (_PLAIN, *_OTHERS):
        commands[kind] = ["-m", "benchmarks.relays", kind, "--ros-args"]
    return {
        name: [*command, "-r", f"__ns:=/{name}", "--log-level", "error"]
        for name, command in commands.items()
    }


def _rates(found: dict[str, Link], processes: dict[str, int]) -> Times:
    lost = dict.fromkeys(found, 0)
    costs: Times = {name: [] for name in found}

    def job(name: str) -> float:
        before = processor_time(processes[name])
        passage = found[name].saturate(_MESSAGES)
        costs[name].append((processor_time(processes[name]) - before) / _MESSAGES)
        lost[name] += passage.lost
        return passage.spacing

    times = alternate({name: partial(job, name) for name in found}, _ROUNDS)
    rates = {name: 1e6 / microseconds(spacing) for name, spacing in times.items()}
    rows = [
        Row(
            what,
            ratios(times[_PLAIN], times[name]),
            Target(3.0) if name == _NODE else None,
            f"{rates[name]:,.0f} a second, plain relay {rates[_PLAIN]:,.0f}",
        )
        for name, what in ((_NODE, "node"), *_OTHERS.items())
    ]
    count = _MESSAGES * (_ROUNDS + 1)
    losses = ", ".join(f"{name} {lost[name]}" for name in found)
    show(
        "node: loss-free rate, times that of a plain rclpy relay",
        rows,
        f"lost of {count:,} messages each: {losses}",
    )
    rows = [
        Row(
            what,
            ratios(costs[_PLAIN], costs[name]),
            context=f"{microseconds(costs[name]):.0f} us, "
            f"plain relay {microseconds(costs[_PLAIN]):.0f}",
        )
        for name, what in ((_NODE, "node"), *_OTHERS.items())
    ]
    show("node: processor time a message, how many times less than the plain relay", rows)
    return times


def _latencies(found: dict[str, Link]) -> None:
    rows = []
    for rate, count in _LATENCY.items():
        node: list[float] = []
        plain: list[float] = []
        for _ in range(_LATENCY_ROUNDS):
            plain += found[_PLAIN].pace(count, rate).latencies
            node += found[_NODE].pace(count, rate).latencies
        for what, percent in (("median", 50), ("p99", 99)):
            ours, theirs = (_percentile(values, percent) for values in (node, plain))
            context = f"{ours * 1e6:.0f} us, plain relay {theirs * 1e6:.0f}"
            rows.append(Row(f"{rate:g} Hz, {what}", [ours / theirs], context=context))
    show("node: latency from publishing to receiving, times that of the plain relay", rows)


def _sustained(found: dict[str, Link], times: Times) -> None:
    print("\nnode: a publisher that waits for nobody, at 80 % of the loss-free rate")
    for name in (_PLAIN, _NODE):
        rate = _SUSTAINED * 1e6 / microseconds(times[name])
        passage = found[name].pace(int(rate * _SUSTAINED_SECONDS), rate)
        print(f"  {name} at {_achieved(passage):,.0f} Hz: {_fate(passage)}", flush=True)


def _fate(passage: Passage) -> str:
    late = statistics.median(passage.latencies[-len(passage.sent) // 10 :])
    return (
        f"{passage.lost} of {len(passage.sent):,} lost, "
        f"the last tenth {late * 1e3:.1f} ms after publishing"
    )


def _achieved(passage: Passage) -> float:
    """Return the rate at which the messages really went out [Hz]."""
    return (len(passage.sent) - 1) / (passage.sent[-1] - passage.sent[0])


def _memory(processes: dict[str, int]) -> None:
    peaks = {name: peak(process) for name, process in processes.items()}
    context = f"{peaks[_NODE] / 1e6:.0f} MB, plain relay {peaks[_PLAIN] / 1e6:.0f}"
    row = Row("node", [peaks[_NODE] / peaks[_PLAIN]], context=context)
    show("node: peak memory, times that of the plain relay", [row])


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]
