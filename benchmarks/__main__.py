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

"""`python -m benchmarks` measures everything; `python -m benchmarks NAME` one part."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from types import FrameType

PARTS = {
    "step": "one sample of the model, beside the package imu-error-model",
    "stages": "one sample through every stage of the sensor, beside noise alone",
    "pipeline": "one truth message from pose to measurement, and where its time goes",
    "pace": "how evenly steps come at 4 kHz: median, p99 and p99.9",
    "batch": "1 to 4096 sensors in lock-step, beside the drawing of their normals",
    "run": "a million samples at once, beside the drawing of their normals; peak memory",
    "simulate": "a truth to samples, beside imu-error-model; Monte Carlo on one and two workers",
    "allan": "Allan deviation and fit of a record, beside the package allan-variance",
    "record": "a sample of run in records of a hundred to a million",
    "node": "loss-free rate, latency and memory of the node, beside plain rclpy relays",
    "growth": "processor time of the node, by rate of the truth and number of its sensors",
    "endurance": "memory and counters of the node over 30 minutes of truth at 1 kHz",
}
"""A part is a module of this package with a function `measure`."""

LONG = ("endurance",)
"""Parts that run only where they are named."""


def main() -> int:
    names = "\n".join(f"  {name:10}{meaning}" for name, meaning in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=f"Measure speed and memory. The parts are\n\n{names}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "parts", nargs="*", metavar="NAME", help="parts to run; by default all but endurance"
    )
    chosen = parser.parse_args().parts
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"no part is called {unknown[0]}; there are {', '.join(PARTS)}")
    signal.signal(signal.SIGTERM, _leave)
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    if load > 0.5 * cores:
        print(f"The machine is busy (load {load:.1f}, {cores} cores): figures will scatter.")
    try:
        for name in chosen or (part for part in PARTS if part not in LONG):
            _measure(name)
    except KeyboardInterrupt:
        return 130
    return 0


def _measure(name: str) -> None:
    try:
        part = importlib.import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        print(f"\n{name}: {error.name} is not installed: left out.")
    else:
        part.measure()


def _leave(number: int, frame: FrameType | None) -> None:
    """End as after Ctrl-C, so that no process outlives us."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
