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

"""When faults strike: their windows of time and their random numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .fault_spec import Fault
from .stage import listed
from .streams import Streams

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_REMEMBERED = 100
"""Windows that a fault with an mtbf goes through, one by one, at the end of a long gap."""


class Calendar:
    """When each fault acts, for each member of a batch: one window of time after the other.

    Each window and each number is computed from a key, drawn once per run for each fault and
    member, and from its place in the row.

    Parameters
    ----------
    faults : tuple of Fault
    batch : tuple of int
    streams : Streams
    """

    def __init__(
        self, faults: tuple[Fault, ...], batch: tuple[int, ...], streams: Streams
    ) -> None:
        self._names = [fault.name or f"#{index}" for index, fault in enumerate(faults)]
        self._batch = batch
        self._streams = streams
        self._start = self._each([fault.start for fault in faults])
        self._duration = self._each([fault.duration or math.inf for fault in faults])
        self._mtbf = self._each([fault.mtbf or math.inf for fault in faults])
        shape = (len(faults), *batch)
        self._keys = np.zeros((2, *shape), dtype=np.uint64)
        self._count = np.zeros(shape, dtype=np.int64)
        self._begin = np.zeros(shape)

    def windows(self, index: int, now: float) -> Iterator[tuple[Array, Array]]:
        """Yield start and end [s], shape `batch`, of the windows of a fault that began by `now`.

        One that has ended by then gives way to the next.
        """
        begin = np.array(self._begin[index])
        while (begin < now).any():
            end = begin + self._duration[index]
            yield begin, end
            passed = end <= now
            if not passed.any():
                return
            self._go_on(index, passed, end)
            begin = np.where(passed, self._begin[index], math.inf)

    def begun(self, now: float) -> list[int]:
        """Return which faults have a window that began by `now` and is not over."""
        begun = (self._begin < now).reshape(len(self._begin), -1)
        indices: list[int] = np.flatnonzero(np.logical_or.reduce(begun, axis=1)).tolist()
        return indices

    def next(self) -> float:
        """Return when the first of the windows begins or began [s]; infinity for never."""
        return float(self._begin.min(initial=math.inf))

    def leap(self, now: float) -> None:
        """Forget windows that a long gap up to `now` has left far behind.

        Faults come and go without memory: one that begins to wait so many windows before `now` is
        as likely to act then as one that went through them all, which for a fault of every second
        and a clock that was set by decades would take hours.
        """
        cycle = self._mtbf + self._duration
        again = np.maximum(now - _REMEMBERED * cycle, 0.0)
        self._go_on(slice(None), self._begin + self._duration < again, again)

    def clear(self, now: float) -> None:
        """End the windows that have begun by `now`."""
        self._go_on(slice(None), self._begin < now, now)

    def uniform(self, index: int, places: NDArray[np.int64]) -> Array:
        """Return the numbers from 0 to 1 of a fault for captures, shape (T, *batch)."""
        return _uniform(self._keys[1, index], places)

    def reset(self, now: float, where: Mask | None) -> None:
        """Begin at `now`, with new keys; with `where`, shape `batch`, for those members alone."""
        keys = np.empty_like(self._keys)
        for index, name in enumerate(self._names):
            generator = self._streams.generator(f"faults/{name}")
            keys[:, index] = generator.integers(0, 2**64, (2, *self._batch), dtype=np.uint64)
        members = np.True_ if where is None else where
        self._keys = np.where(members, keys, self._keys)
        self._count = np.where(members, 0, self._count)
        wait = np.where(np.isinf(self._mtbf), 0.0, self._wait(slice(None)))
        self._begin = np.where(members, now + self._start + wait, self._begin)

    def state(self) -> dict[str, Any]:
        """Return what the next windows depend on, JSON-able; None stands for never."""
        return {
            "keys": self._keys.tolist(),
            "count": self._count.tolist(),
            "begin": listed(self._begin),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned; see `Faults.restore`."""
        keys = np.array(state["keys"], dtype=np.uint64).reshape(self._keys.shape)
        count = np.array(state["count"], dtype=np.int64).reshape(self._count.shape)
        begin = np.array(state["begin"], dtype=np.float64).reshape(self._begin.shape)
        self._keys, self._count = keys, count
        self._begin = np.where(np.isnan(begin), math.inf, begin)

    def _go_on(self, index: int | slice, passed: Mask, end: Array | float) -> None:
        """Draw the next window where one has passed."""
        self._count[index] += passed
        self._begin[index] = np.where(passed, end + self._wait(index), self._begin[index])

    def _wait(self, index: int | slice) -> Array:
        """Return the times before the windows that are to come, infinite with no mtbf."""
        uniform = _uniform(self._keys[0, index], self._count[index])
        wait: Array = self._mtbf[index] * -np.log1p(-uniform)
        return wait

    def _each(self, values: list[float]) -> Array:
        """Return one value for each fault, shape (number of faults, 1, ..., 1)."""
        return np.array(values).reshape(-1, *(1,) * len(self._batch))


def _uniform(key: NDArray[np.uint64], place: NDArray[np.int64]) -> Array:
    """Return the number at `place` of the row that `key` begins, above 0 and below 1.

    SplitMix64 (Steele, Lea and Flood 2014), of which any number can be had without those before.
    """
    with np.errstate(over="ignore"):
        z = key + (place.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    uniform: Array = ((z >> np.uint64(12)) + 0.5) * 2.0**-52
    return uniform
