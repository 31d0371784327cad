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

"""The stage at which sensors fail, between the noise and the converter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .fault_calendar import Calendar
from .fault_spec import Fault, check_faults
from .stage import Context, listed
from .streams import Streams

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_ROUNDING = 1e-6
"""[s]; so long after a fault's start or end, at most, a capture may seem to be by rounding."""

_LONGEST = 256
"""Captures dealt with at once: each window of a fault is held against all of them."""


class Faults:
    """Faults that strike and pass, several at once if need be.

    A fault lasts from its start for its duration. Bias and drift act as their mean over each
    interval, so that averages do not depend on how time is cut into captures; a drift begins at
    zero and is gone when it ends. The other modes act on captures whose end lies in the fault:
    after its start, and at its end at the latest. Several faults act in this order: offsets are
    added; noise is multiplied, by all the factors; what is stuck repeats its last value; what is
    lost is NaN. Stuck from the first capture on, a sensor repeats that one.

    The covariance that measurements report knows nothing of faults, as the sensor does not know
    that it is broken.

    Every random number is computed from a key, drawn once per run for each fault and member, and
    the number of the window or capture that it is for. So it does not depend on how captures are
    cut into blocks, on other members or faults, or on what was skipped.

    Parameters
    ----------
    faults : sequence of Fault
        The random numbers of one with a name stay its own when the list changes; those of one
        without depend on its place.
    sensors : tuple of str
        In stacking order; K is three times as many.
    batch : tuple of int
    streams : Streams
        The run's keys come from `faults/NAME`, or `faults/#INDEX`.

    Attributes
    ----------
    faults : tuple of Fault
    sensors : tuple of str

    Raises
    ------
    ParameterError
        A fault of a sensor that there is not, or two of the same name.
    """

    def __init__(
        self,
        faults: Sequence[Fault],
        sensors: tuple[str, ...],
        batch: tuple[int, ...],
        streams: Streams,
    ) -> None:
        self.faults = check_faults(faults, sensors)
        self.sensors = sensors
        self._batch = batch
        self._columns = [fault.columns(sensors) for fault in self.faults]
        self._calendar = Calendar(self.faults, batch, streams)
        self._sticks = any(fault.mode == "stuck" for fault in self.faults)
        # The time [s] is `since`, plus so many `dt` as there are captures beyond `passed`.
        self._now = self._since = self._dt = 0.0
        self._captures = self._passed = 0
        self._quiet_until = 0.0
        self._active: Mask = np.zeros((len(self.faults), *batch), dtype=bool)
        self._last: Array = np.zeros((*batch, 3 * len(sensors)))
        self.reset()

    def apply(self, block: Array, dt: float, context: Context) -> Array:
        """Return what becomes of `block`, shape (T, *batch, K) [u]; it is overwritten."""
        first = self._captures
        self._advance(dt, len(block))
        if self._now > self._quiet_until:
            for k in range(0, len(block), _LONGEST):
                self._strike(block, slice(k, k + _LONGEST), first + k, context)
        elif self._sticks:
            self._last = block[-1].copy()
        return block

    def pass_by(self, dt: float) -> bool:
        """Return whether no fault touches the next capture, after `dt` [s].

        If so it counts as passed, and `remember` wants its values; if not, nothing has changed.
        """
        now = self._now + dt
        if dt == self._dt:
            now = self._since + (self._captures + 1 - self._passed) * dt
        if now > self._quiet_until:
            return False
        self._advance(dt, 1)
        return True

    def remember(self, values: list[float]) -> None:
        """Keep the values of a capture that no fault touched, K numbers, for what gets stuck."""
        if self._sticks:
            self._last = np.array(values)

    def keep_as_read(self, convert: Callable[[Array], None]) -> None:
        """Keep for what gets stuck the values of the last capture as they were read.

        Range and resolution may be others by then; `convert` applies those of now, in place.
        """
        if self._sticks:
            convert(self._last)

    def skip(self, dt: float) -> None:
        """Let `dt` [s] pass without a capture: faults begin and end."""
        self._since, self._passed = self._now + dt, self._captures
        self._now = self._since
        self._calendar.leap(self._now)
        self._look_ahead()

    def clear(self) -> None:
        """End the faults that act now.

        One that comes once does not come back before a reset; those that are still to come do
        come, as planned or, with an mtbf, after a new time between faults.
        """
        self._calendar.clear(self._now)
        self._active[...] = False
        self._look_ahead()

    def reset(self, where: Mask | None = None) -> None:
        """Begin a new run, with new draws; with `where`, shape `batch`, of those members alone.

        The draws are the same again if the streams have been restarted.
        """
        if where is None:
            self._now = self._since = self._dt = 0.0
            self._captures = self._passed = 0
        self._calendar.reset(self._now, where)
        members = np.ones(self._batch, dtype=bool) if where is None else where
        self._active = np.where(members, False, self._active)
        self._last = np.where(members[..., None], np.nan, self._last)
        self._look_ahead()

    @property
    def act(self) -> bool:
        """Whether any fault may have acted at the last capture."""
        return self._now > self._quiet_until

    @property
    def active(self) -> Mask:
        """Which faults acted at the last capture, shape (number of faults, *batch)."""
        return self._active.copy()

    @property
    def dead(self) -> Mask:
        """Which sensors told nothing of the motion at the last capture, shape (*batch, sensors).

        Each of their axes had a total fault, or was stuck.
        """
        axes = np.zeros((*self._batch, 3 * len(self.sensors)), dtype=bool)
        for fault, columns, active in zip(self.faults, self._columns, self._active, strict=True):
            if fault.mode in ("stuck", "total"):
                axes[..., columns] |= active[..., None]
        dead: Mask = np.logical_and.reduce(
            axes.reshape(*self._batch, len(self.sensors), 3), axis=-1
        )
        return dead

    def state(self) -> dict[str, Any]:
        """Return what the next captures depend on, JSON-able; None stands for no value yet."""
        return {
            "clock": [self._since, self._dt, self._passed, self._captures],
            "calendar": self._calendar.state(),
            "active": self._active.tolist(),
            "last": listed(self._last),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned, with the same faults and batch.

        Raises
        ------
        KeyError, TypeError, ValueError
            The state is not one, or of another number of faults or another batch.
        """
        since, dt, passed, captures = state["clock"]
        active = np.array(state["active"], dtype=bool).reshape(self._active.shape)
        last = np.array(state["last"], dtype=np.float64).reshape(self._last.shape)
        self._calendar.restore(state["calendar"])
        self._since, self._dt, self._passed, self._captures = since, dt, passed, captures
        self._now = since + (captures - passed) * dt
        self._active, self._last = active, last
        self._look_ahead()

    def _advance(self, dt: float, count: int) -> None:
        if dt != self._dt:
            self._since, self._passed, self._dt = self._now, self._captures, dt
        self._captures += count
        # No sum: it would gather rounding, and depend on how captures are cut into blocks.
        self._now = self._since + (self._captures - self._passed) * dt

    def _strike(self, block: Array, part: slice, first: int, context: Context) -> None:
        """Let the faults act on a part of `block` that begins with capture number `first`."""
        block = block[part]
        places = np.arange(first, first + len(block) + 1).reshape(-1, *(1,) * len(self._batch))
        edges = self._since + (places - self._passed).astype(np.float64) * self._dt
        at = edges[1:] - min(_ROUNDING, 0.5 * self._dt)
        now = edges.item(-1)
        inside = {}
        for index in self._calendar.begun(now):
            within = np.zeros(block.shape[:-1], dtype=bool)
            for begin, end in self._calendar.windows(index, now):
                within |= (begin < at) & (at <= end)
                self._offset(block, index, edges, begin, end)
            inside[index] = within
        self._amplify(block, inside, part, context)
        self._hold(block, inside)
        self._lose(block, inside, places[:-1])
        self._active[...] = False
        for index, within in inside.items():
            self._active[index] = within[-1]
        self._look_ahead()

    def _offset(self, block: Array, index: int, edges: Array, begin: Array, end: Array) -> None:
        if self.faults[index].mode not in ("bias", "drift"):
            return
        offset, there = self.faults[index].offset(edges, self._dt, begin, end)
        for column in self._columns[index]:
            target = block[..., column]
            np.add(target, offset, out=target, where=there)

    def _amplify(
        self, block: Array, inside: dict[int, Mask], part: slice, context: Context
    ) -> None:
        acting = self._acting(inside, "noise")
        if not acting:
            return
        factor = np.ones(block.shape)
        for index, within in acting:
            factors = np.where(within, self.faults[index].size, 1.0)
            factor[..., self._columns[index]] *= factors[..., None]
        factor -= 1.0
        np.add(block, factor * context.fresh[part], out=block, where=factor != 0.0)

    def _hold(self, block: Array, inside: dict[int, Mask]) -> None:
        if not self._sticks:
            return
        stuck = np.zeros(block.shape, dtype=bool)
        for index, within in self._acting(inside, "stuck"):
            stuck[..., self._columns[index]] |= within[..., None]
        if stuck.any():
            stuck[0] &= ~np.isnan(self._last)
            rows = np.concatenate([self._last[None], block])
            numbers = np.arange(1, len(rows)).reshape(-1, *(1,) * (block.ndim - 1))
            source = np.maximum.accumulate(np.where(stuck, 0, numbers), axis=0)
            block[...] = np.take_along_axis(rows, source, axis=0)
        self._last = block[-1].copy()

    def _lose(self, block: Array, inside: dict[int, Mask], places: NDArray[np.int64]) -> None:
        for index, within in self._acting(inside, "intermittent", "total"):
            lost = within & (self._calendar.uniform(index, places) < self.faults[index].size)
            for column in self._columns[index]:
                block[..., column][lost] = np.nan

    def _acting(self, inside: dict[int, Mask], *modes: str) -> list[tuple[int, Mask]]:
        return [(i, within) for i, within in inside.items() if self.faults[i].mode in modes]

    def _look_ahead(self) -> None:
        """Find out until when nothing will happen [s]."""
        # What was active is found inactive at the next capture.
        self._quiet_until = -math.inf if self._active.any() else self._calendar.next()
