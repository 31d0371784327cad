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

"""Runs a million samples and prints what that took, as JSON; `run` starts it."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

import numpy as np

from imu_noise_node import ImuModel

from . import figures
from .memory import peak, resident
from .timing import Job, alternate, clocked, ratios

SAMPLES = 1_000_000
_BLOCK = 8192
_ROUNDS = {"full": 7, "white": 11}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-scipy", action="store_true")
    rounds = _ROUNDS
    if parser.parse_args().without_scipy:
        # What Python's import system documents as the way to make a package absent.
        sys.modules["scipy"] = None  # type: ignore[assignment]
        rounds = {"full": 2, "white": 5}
    found: dict[str, Any] = {"memory": memory()}
    truth = Truth()
    for terms, count in rounds.items():
        found[terms] = compare(terms, truth, count)
    json.dump(found, sys.stdout)


class Truth:
    """What goes in: a body at rest, level."""

    def __init__(self) -> None:
        self.dt = np.full(SAMPLES, 0.0025)
        self.rate = np.zeros((SAMPLES, 3))
        self.force = np.zeros((SAMPLES, 3))
        self.force[:, 2] = 9.80665

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return self.dt.nbytes + self.rate.nbytes + self.force.nbytes


def memory() -> dict[str, int]:
    """Return the peak of one run and the size of its input and output [bytes]."""
    model = ImuModel(figures.spec(figures.FULL))
    # What a run imports and compiles is not its data.
    model.run(np.full(1000, 0.0025), np.zeros(3), np.zeros(3))
    before = resident()
    truth = Truth()
    measurement = model.run(truth.dt, truth.rate, truth.force)
    return {"peak": peak() - before, "arrays": truth.nbytes + measurement.values.nbytes}


def compare(terms: str, truth: Truth, rounds: int) -> dict[str, Any]:
    """Return how long runs with these noise terms took, and the drawing of their normals."""
    table = {"full": figures.FULL, "white": figures.WHITE}[terms]
    per_sample = normals_per_sample(table)
    jobs = {"run": run_job(table, truth), "normals": normals_job(per_sample * SAMPLES)}
    times = alternate(jobs, rounds)
    return {
        "ratios": ratios(times["run"], times["normals"]),
        "run": statistics.median(times["run"]),
        "normals": statistics.median(times["normals"]),
        "per_sample": per_sample,
    }


def run_job(table: dict[str, dict[str, Any]], truth: Truth) -> Job:
    """Return the job that runs a new model over `truth`."""

    def job() -> float:
        run = ImuModel(figures.spec(table)).run
        begin = time.perf_counter()
        run(truth.dt, truth.rate, truth.force)
        return time.perf_counter() - begin

    return job


def normals_job(count: int) -> Job:
    """Return the job that draws `count` normals and keeps none."""
    draw = np.random.default_rng(0).standard_normal
    block = np.empty(_BLOCK)

    def work() -> None:
        for _ in range(count // _BLOCK):
            draw(out=block)

    return clocked(work, 1)


def normals_per_sample(table: dict[str, dict[str, Any]]) -> int:
    """Return how many normals a sample needs: one for each axis and one for each process."""
    processes = ImuModel(figures.spec(table)).state()["processes"]
    return 6 + int(np.size(processes))


if __name__ == "__main__":
    main()
