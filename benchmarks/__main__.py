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
    "run": "a million samples at once, beside the drawing of their normals; peak memory",
    "simulate": "a truth to samples, beside imu-error-model; Monte Carlo on one and two workers",
    "allan": "Allan deviation and fit of a record, beside the package allan-variance",
    "node": "loss-free rate, latency and memory of the node, beside plain rclpy relays",
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
