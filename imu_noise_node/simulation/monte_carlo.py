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

"""One truth through many sensors that differ in their seed alone, here or on a Dask cluster.

What comes out depends on truth, figures and seed, and on nothing else: where and in which order
the runs were made changes no bit, as long as the machines have processors and NumPy alike.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from ..errors import InputError
from ..model.spec import ImuSpec
from ..samples import Array
from .run import measure
from .tape import Progress, Tape

SERIAL, DASK = "serial", "dask"
"""One after the other in this process; on a cluster of one worker per core of this machine."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """One of many runs.

    Attributes
    ----------
    seed : int
    values : ndarray, shape (T, 6)
        What the sensor reads, rate [rad/s] and specific force [m/s^2].
    bias : ndarray, shape (T, 6), or None
        The slow errors in the readings, where they were asked for.
    """

    seed: int
    values: Array
    bias: Array | None


def checked_scheduler(scheduler: str, key: str = "scheduler") -> str:
    """Return `scheduler`, which is SERIAL, DASK, or has the form of an address.

    Raises
    ------
    InputError
        It is none of these.
    """
    if scheduler in (SERIAL, DASK) or re.fullmatch(r"[a-z]+://[^/\s]+:\d+", scheduler):
        return scheduler
    allowed = f"must be {SERIAL}, {DASK}, or an address such as tcp://127.0.0.1:8786"
    raise InputError(key, scheduler, allowed)


def check_answers(scheduler: str) -> None:
    """Refuse the address of a scheduler that does not answer, before any work is done.

    Raises
    ------
    MissingPackageError
        There is no Dask here.
    InputError
        Nothing answers.
    """
    if scheduler not in (SERIAL, DASK):
        from . import cluster

        cluster.check_answers(scheduler)


def run_one(tape: Tape, spec: ImuSpec | None, seed: int, with_bias: bool) -> Outcome:
    """Return one run; see `run_many`."""
    run = measure(tape, spec, seed)
    return Outcome(seed, run.values, run.bias if with_bias else None)


def run_many(
    tape: Tape,
    spec: ImuSpec | None,
    seeds: Sequence[int],
    scheduler: str = SERIAL,
    with_bias: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Outcome]:
    """Yield the runs in the order of their seeds.

    Parameters
    ----------
    tape : Tape
    spec : ImuSpec or None
    seeds : sequence of int
    scheduler : str
        SERIAL, DASK, or the address of a Dask scheduler.
    with_bias : bool
        Whether to work out the biases, which takes about as long again.
    workers : int, optional
        How many processes DASK starts; one for each core by default.
    progress : callable, optional
        Takes how many runs are done, and how many there are.

    Raises
    ------
    MissingPackageError
        There is no Dask here.
    InputError
        Nothing answers at the address, or its workers fail.
    """
    runs: Generator[Outcome, None, None]
    if scheduler == SERIAL:
        runs = (run_one(tape, spec, seed, with_bias) for seed in seeds)
    else:
        from .cluster import spread

        address = None if scheduler == DASK else checked_scheduler(scheduler)
        runs = spread(run_one, tape, spec, seeds, with_bias, address, workers)
    with closing(runs):
        for done, outcome in enumerate(runs, start=1):
            yield outcome
            if progress is not None:
                progress(done, len(seeds))
