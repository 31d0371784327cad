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

"""How the node's cost grows: with the rate of the truth, and with the number of its sensors.

Cost is the processor time of the whole process, the middleware's threads included, for each
truth message. A publisher that waits for nobody gives the pace; what the node has to do beside
the truth, such as its diagnostics, weighs the more the fewer messages there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from . import figures
from .driver import Link, links
from .processes import own_domain, processor_time, running
from .relays import DEPTH
from .table import Row, show
from .timing import alternate, microseconds, ratios

_RATES = (100.0, 500.0, 1000.0, 2000.0)
_INSTANCES = (1, 2, 4, 8)
_REFERENCE_RATE = 500.0
_SECONDS = 1.0
_ROUNDS = 7


def measure() -> None:
    """Print the tables."""
    names = {count: f"node{count}" for count in _INSTANCES}
    commands = {names[count]: _command(names[count], count) for count in _INSTANCES}
    with own_domain(), running(commands) as processes, links(list(processes)) as found:
        costs = {
            (rate, count): partial(_cost, found[name], processes[name], rate)
            for count, name in names.items()
            for rate in (_RATES if count == 1 else (_REFERENCE_RATE,))
        }
        times = alternate(
            {f"{rate:g} {count}": job for (rate, count), job in costs.items()}, _ROUNDS
        )
    reference = times[f"{_REFERENCE_RATE:g} 1"]
    show(
        f"growth: processor time a truth message, times that at {_REFERENCE_RATE:g} Hz",
        [_row(f"{rate:g} Hz", times[f"{rate:g} 1"], reference) for rate in _RATES],
    )
    show(
        f"growth: processor time a truth message at {_REFERENCE_RATE:g} Hz, times that of one IMU",
        [
            _row(f"{n} IMU{'s' if n > 1 else ''}", times[f"{_REFERENCE_RATE:g} {n}"], reference)
            for n in _INSTANCES
        ],
    )


def _row(what: str, times: Sequence[float], reference: Sequence[float]) -> Row:
    return Row(what, ratios(times, reference), context=f"{microseconds(times):.0f} us")


def _command(name: str, count: int) -> list[str]:
    arguments = [*figures.ros_arguments(figures.FULL), "-p", f"queue_depth:={DEPTH}"]
    if count > 1:
        instances = [f"imu{k}" for k in range(count)]
        arguments += ["-p", f"instances:={instances}", "-r", "imu0/imu/data_raw:=imu/data_raw"]
    command = ["-m", "imu_noise_node.ros.node", "--ros-args", *arguments]
    return [*command, "-r", f"__ns:=/{name}", "--log-level", "error"]


def _cost(link: Link, process: int, rate: float) -> float:
    before = processor_time(process)
    passage = link.pace(int(rate * _SECONDS), rate)
    if passage.lost:
        raise RuntimeError(f"{passage.lost} messages were lost at {rate:g} Hz")
    return (processor_time(process) - before) / len(passage.sent)
