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

"""Runs on the workers of a Dask cluster: one of our own on this machine, or one that is there."""

from __future__ import annotations

import logging
import os
import re
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from ..errors import ImuNoiseError, InputError, MissingPackageError

try:
    import distributed
except ImportError:
    raise MissingPackageError(
        "distributed", "runs on Dask", "pip install distributed, or leave out --scheduler"
    ) from None

_DASK: Any = distributed

Result = TypeVar("Result")

PATIENCE = 10.0
"""Seconds in which a scheduler must answer, and have a worker."""

_AHEAD = 2
"""So many runs for each worker are under way or wait to be taken, so that none is idle and no more
results than that are in memory."""


def spread(
    one: Callable[[Any, Any, int, bool], Result],
    tape: Any,
    spec: Any,
    seeds: Sequence[int],
    with_bias: bool,
    address: str | None,
    workers: int | None,
) -> Generator[Result, None, None]:
    """Yield `one(tape, spec, seed, with_bias)` for each of `seeds`, in their order.

    Parameters
    ----------
    address : str or None
        Of a Dask scheduler; None starts a cluster here, which ends with the iterator.
    workers : int or None
        Of a cluster here; one for each core by default.

    Raises
    ------
    InputError
        Nothing answers at the address, or a worker fails.
    """
    where = address or "dask"
    with _quiet(), ExitStack() as stack:
        with _explained(where):
            client = stack.enter_context(_client(address, workers))
            client.wait_for_workers(1, timeout=PATIENCE)
            count = len(client.scheduler_info(n_workers=-1)["workers"])
            shared = client.scatter((tape, spec), broadcast=True, hash=False)
            waiting: deque[Any] = deque()
        for seed in seeds:
            with _explained(where):
                waiting.append(client.submit(_run, one, shared, seed, with_bias, pure=False))
            if len(waiting) >= _AHEAD * count:
                yield _taken(waiting, where)
        while waiting:
            yield _taken(waiting, where)


def check_answers(address: str) -> None:
    """Raise InputError unless a Dask scheduler answers at an address."""
    with _quiet(), _explained(address), _DASK.Client(address, timeout=PATIENCE):
        pass


def _run(
    one: Callable[[Any, Any, int, bool], Result], shared: Any, seed: int, with_bias: bool
) -> Result:
    tape, spec = shared
    return one(tape, spec, seed, with_bias)


def _taken(waiting: deque[Any], where: str) -> Any:
    """Return the oldest result, and let the cluster forget it."""
    future = waiting.popleft()
    with _explained(where):
        return future.result()


@contextmanager
def _client(address: str | None, workers: int | None) -> Iterator[Any]:
    if address is not None:
        with _DASK.Client(address, timeout=PATIENCE) as client:
            yield client
        return
    count = workers or len(os.sched_getaffinity(0))
    with _unheard_interrupts():
        cluster = _DASK.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            # Any free port: the usual one may be taken.
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        )
    # Results need not go through the scheduler, since the workers are on this machine.
    with cluster, _DASK.Client(cluster, direct_to_workers=True) as client:
        yield client


@contextmanager
def _unheard_interrupts() -> Iterator[None]:
    """Start processes that a Ctrl-C does not reach: we end them, and they have nothing to say.

    What is ignored when a process starts stays so in it. Nor do we hear it ourselves for as long.
    """
    # Python lets only its main thread say what is ignored.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from telling on standard error what becomes one sentence, or is none of ours."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Turn what a cluster can fail with, which is anything, into one sentence."""
    try:
        yield
    except (CancelledError, _DASK.KilledWorker):
        told = "failed: its workers died, maybe for want of memory"
        raise InputError("scheduler", where, told) from None
    except Exception as error:
        if isinstance(error, ImuNoiseError):
            raise
        reason = re.sub(r"\s+", " ", str(error)).strip(". ") or type(error).__name__
        raise InputError("scheduler", where, f"failed: {reason}") from None
