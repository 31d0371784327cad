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

"""What `simulate` costs: a truth to samples, the same truth with other seeds, and on two workers.

Beside imu-error-model, which goes from pose to sample as well, and beside the bare drawing of the
normals that go into the samples. Monte Carlo runs are made by clusters of one and of two workers
that are there already, and counted until the last result has come back.
"""

from __future__ import annotations

import contextlib

import numpy as np

from imu_noise_node.simulation.run import measure as play
from imu_noise_node.simulation.run import simulate
from imu_noise_node.simulation.stream import stream_of
from imu_noise_node.simulation.tape import Tape
from imu_noise_node.simulation.trajectory import Trajectory

from . import figures, peer
from .million import normals_job, normals_per_sample
from .step import STEADY, their_job
from .table import Row, Target, show
from .timing import Job, alternate, clocked, microseconds, ratios

SAMPLES = 20_000
RUNS = 16
ROUNDS = 9
_CLUSTER_ROUNDS = 5
_SPEC = figures.spec(figures.FULL)


def measure() -> None:
    """Print both tables."""
    _one_process()
    _clusters()


def _one_process() -> None:
    """Print the table of one process."""
    truth = stream_of(_circle())
    tape = simulate(truth, _SPEC).tape
    per_sample = normals_per_sample(figures.FULL)
    jobs: dict[str, Job] = {
        "whole": clocked(lambda: simulate(truth, _SPEC).values, SAMPLES),
        "seed": clocked(lambda: play(tape, _SPEC, 1).values, SAMPLES),
        "normals": _per_sample(normals_job(per_sample * SAMPLES)),
    }
    name = peer.installed()
    if name is not None:
        jobs["theirs"] = their_job(steady=True)
    times = alternate(jobs, ROUNDS)
    cost = {what: f"{microseconds(times[what]):.2f} us" for what in jobs}
    rows = [
        Row("truth to samples", ratios(times["whole"], times["normals"]), context=cost["whole"]),
        Row(
            "the same truth, another seed",
            ratios(times["seed"], times["normals"]),
            context=cost["seed"],
        ),
    ]
    title = f"simulate: {SAMPLES:,} samples, times the cost of drawing their normals"
    show(title, rows, f"the normals alone take {cost['normals']} a sample")
    if name is not None:
        faster = [
            Row("truth to samples", ratios(times["theirs"], times["whole"])),
            Row("the same truth, another seed", ratios(times["theirs"], times["seed"])),
        ]
        show(f"simulate: how many times faster than {name}", faster, f"theirs {cost['theirs']}")


def _clusters() -> None:
    """Print the table of Monte Carlo runs on clusters."""
    try:
        from distributed import LocalCluster
    except ImportError:
        print("\nsimulate: distributed is not installed: Monte Carlo on a cluster left out.")
        return
    tape = simulate(_circle(), _SPEC).tape
    with contextlib.ExitStack() as stack:
        jobs = {}
        for count in (1, 2):
            cluster = LocalCluster(
                n_workers=count, threads_per_worker=1, dashboard_address=":0", silence_logs=50
            )
            stack.enter_context(cluster)
            jobs[str(count)] = _runs_job(tape, cluster.scheduler_address)
        jobs["serial"] = _runs_job(tape, "serial")
        times = alternate(jobs, _CLUSTER_ROUNDS)
    rows = [
        Row("two workers beside one", ratios(times["1"], times["2"]), Target(1.5)),
        Row("two workers beside none", ratios(times["serial"], times["2"])),
    ]
    context = f"{RUNS} runs of {SAMPLES:,} samples with biases; in one process a run takes"
    note = f"{context} {microseconds(times['serial']) / 1e3:.0f} ms"
    show("simulate: how many times faster Monte Carlo is", rows, note)


def _runs_job(tape: Tape, scheduler: str) -> Job:
    from imu_noise_node.simulation.monte_carlo import run_many

    def work() -> None:
        for _ in run_many(tape, _SPEC, range(RUNS), scheduler, with_bias=True):
            pass

    return clocked(work, RUNS)


def _per_sample(job: Job) -> Job:
    return lambda: job() / SAMPLES


def _circle() -> Trajectory:
    """Return the truth of a body that circles at 2 m/s and 1 rad/s."""
    stamps = 1_000_000_000 + np.arange(SAMPLES + 1) * round(STEADY * 1e9)
    angle = stamps * 1e-9
    zero = np.zeros(len(stamps))
    sine, cosine = np.sin(angle), np.cos(angle)
    return Trajectory(
        "circle",
        stamps,
        np.column_stack([2.0 * sine, -2.0 * cosine, zero]),
        np.column_stack([zero, zero, np.sin(angle / 2.0), np.cos(angle / 2.0)]),
        np.column_stack([2.0 * cosine, 2.0 * sine, zero]),
        np.column_stack([zero, zero, zero + 1.0]),
    )
