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


"""The stages after the noise: those of the user's own, then faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from .fault_spec import Fault
from .faults import Faults
from .stage import Context, Stage
from .streams import Streams

Array = NDArray[np.float64]


class Late:
    """All of them, in their order.

    Parameters
    ----------
    extra : sequence of Stage
        Of the user's own.
    faults : sequence of Fault
        Of the schedule.
    sensors : tuple of str
    batch : tuple of int
    streams : Streams

    Attributes
    ----------
    stages : tuple of Stage
    scheduled, injected : Faults or None

    Raises
    ------
    ParameterError
        A fault of a sensor that there is not, or two of the same name.
    """

    def __init__(
        self,
        extra: Sequence[Stage],
        faults: Sequence[Fault],
        sensors: tuple[str, ...],
        batch: tuple[int, ...],
        streams: Streams,
    ) -> None:
        self._extra = tuple(extra)
        self._where = sensors, batch, streams
        self.scheduled = self._made(faults)
        self.injected: Faults | None = None

    @property
    def faults(self) -> tuple[Faults, ...]:
        """Those of the schedule and those injected, where there are any."""
        return tuple(each for each in (self.scheduled, self.injected) if each is not None)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that there are now."""
        return (*self._extra, *self.faults)

    @property
    def is_idle(self) -> bool:
        """Whether none of them does anything until a fault of the schedule strikes."""
        acts = self.scheduled is not None and self.scheduled.act
        return not (self._extra or self.injected is not None or acts)

    def apply(
        self, block: Array, dt: float, context: Context, convert: Callable[[Array], None]
    ) -> Array:
        """Return what is read of `block` [u], shape (T, *batch, K), which may be overwritten.

        Parameters
        ----------
        block : ndarray
            Signal and noise.
        dt : float
            [s]
        context : Context
        convert : callable
            Turns values into what the converter reads, in place.

        Raises
        ------
        ParameterError
            A stage returns something of another shape.
        """
        shape = block.shape
        for stage in self.stages:
            block = stage.apply(block, dt, context)
            if getattr(block, "shape", None) != shape:
                raise ParameterError(
                    f"{type(stage).__name__}.apply", block, f"must return shape {shape}"
                )
        convert(block)
        for faults in self.faults:
            faults.keep_as_read(convert)
        return block

    def inject(self, faults: Sequence[Fault]) -> None:
        """Let these faults strike in place of those injected before."""
        self.injected = self._made(faults)

    def skip(self, dt: float) -> None:
        """Let `dt` [s] pass without a capture."""
        for stage in self.stages:
            skip = getattr(stage, "skip", None)
            if skip is not None:
                skip(dt)

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin a new run; with `where`, shape `batch`, of those members alone."""
        for stage in self.stages:
            stage.reset(where)

    def state(self) -> list[Any]:
        """Return the states of all stages, JSON-able."""
        return [stage.state() for stage in self.stages]

    def restore(self, states: list[Any]) -> None:
        """Continue from what `state` returned.

        Raises
        ------
        ValueError
            It is of more or fewer stages.
        """
        for stage, saved in zip(self.stages, states, strict=True):
            stage.restore(saved)

    def _made(self, faults: Sequence[Fault]) -> Faults | None:
        return Faults(faults, *self._where) if faults else None
