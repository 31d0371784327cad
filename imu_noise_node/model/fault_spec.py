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

"""What can go wrong with a sensor: how, where, how badly and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..schema import check, check_fields, parameter, parameters
from ..units import has_unit, in_si
from .spec import SENSORS, UNITS

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

MODES = ("bias", "drift", "noise", "stuck", "intermittent", "total")

TARGETS = (*SENSORS, "all")

WITHOUT_MAGNITUDE = ("stuck", "total")

SHORTEST_MTBF = 1e-3
"""[s]; faults that come back faster than any capture would only cost time."""


def magnitude_unit(mode: str, target: str) -> str:
    """Return the unit of the magnitude of a fault, `1` where it is a plain number.

    Raises
    ------
    ParameterError
        The target is of several sensors, whose units differ, and the mode needs one unit.
    """
    if mode not in ("bias", "drift"):
        return "1"
    if target == "all":
        raise ParameterError(
            "target",
            target,
            f"must be one of {', '.join(SENSORS)} where mode is {mode}: units differ between them",
        )
    return UNITS[target] if mode == "bias" else f"{UNITS[target]}/s"


@dataclass(frozen=True)
class Fault:
    """One way in which sensors fail, once or again and again.

    A magnitude with a unit, such as "0.5 deg/s", is read as a number in that of mode and target.

    Raises
    ------
    ParameterError
        A value that is not allowed, or two that contradict each other.
    """

    mode: str = parameter(
        "",
        "bias: a constant offset; drift: an offset that grows with time; noise: other noise; "
        "stuck: the last value again and again; intermittent: captures lost at random; total: no "
        "value at all",
        kind=str,
        choices=MODES,
    )
    target: str = parameter("all", "which sensor fails", kind=str, choices=TARGETS)
    axes: str = parameter("xyz", "which of its axes fail: some of x, y and z", kind=str)
    magnitude: float | None = parameter(
        None,
        "of a bias, what is added [u]; of a drift, its slope [u/s]; of noise, what the sigma of "
        "the fresh noise is multiplied with; of intermittent, the fraction of captures lost",
    )
    start: float = parameter(0.0, "time since the run began", "s", lower=0.0)
    duration: float = parameter(0.0, "how long it lasts; 0 is for ever", "s", lower=0.0)
    mtbf: float = parameter(
        0.0,
        "mean time between the end of one and the start of the next, from `start` on, drawn at "
        "random; 0 is once, at `start`",
        "s",
        lower=0.0,
    )
    name: str = parameter("", "what to call it; its random numbers depend on it", kind=str)

    def __post_init__(self) -> None:
        if has_unit(self.magnitude):
            self._read_magnitude()
        check_fields(self)
        if not self.axes or len(set(self.axes)) < len(self.axes) or set(self.axes) - set("xyz"):
            raise ParameterError("axes", self.axes, "must be some of x, y and z, each once: xz")
        self._check_magnitude()
        if 0.0 < self.mtbf < SHORTEST_MTBF:
            allowed = f"must be 0 (once), or {SHORTEST_MTBF:g} or more [s]"
            raise ParameterError("mtbf", self.mtbf, allowed)
        if self.mtbf > 0.0 and self.duration == 0.0:
            raise ParameterError("duration", 0.0, "must be above 0 [s] where mtbf is given")

    def _read_magnitude(self) -> None:
        for name in ("mode", "target"):
            check(name, getattr(self, name), parameters(Fault)[name])
        self._check_left_out()
        object.__setattr__(self, "magnitude", in_si(self.magnitude, self.unit, "magnitude"))

    def _check_left_out(self) -> None:
        if self.mode in WITHOUT_MAGNITUDE and self.magnitude is not None:
            allowed = f"must be left out where mode is {self.mode}"
            raise ParameterError("magnitude", self.magnitude, allowed)

    def _check_magnitude(self) -> None:
        unit = self.unit
        self._check_left_out()
        if self.mode in WITHOUT_MAGNITUDE:
            return
        if self.magnitude is None:
            allowed = f"must be given where mode is {self.mode}"
            raise ParameterError(
                "magnitude", None, allowed + ("" if unit == "1" else f" [{unit}]")
            )
        if self.mode == "noise" and self.magnitude < 0.0:
            raise ParameterError("magnitude", self.magnitude, "of noise must be 0 or more")
        if self.mode == "intermittent" and not 0.0 <= self.magnitude <= 1.0:
            allowed = "of intermittent must be a fraction from 0 to 1"
            raise ParameterError("magnitude", self.magnitude, allowed)

    @property
    def unit(self) -> str:
        """Unit of the magnitude, `1` where it is a plain number."""
        return magnitude_unit(self.mode, self.target)

    @property
    def size(self) -> float:
        """The magnitude, 1 where the mode has none."""
        return 1.0 if self.magnitude is None else self.magnitude

    def columns(self, sensors: tuple[str, ...]) -> list[int]:
        """Return which of the stacked axes of `sensors` fail."""
        return [
            3 * place + "xyz".index(axis)
            for place, sensor in enumerate(sensors)
            if self.target in (sensor, "all")
            for axis in self.axes
        ]

    def offset(self, edges: Array, dt: float, begin: Array, end: Array) -> tuple[Array, Mask]:
        """Return what a bias or drift from `begin` to `end` [s] adds, and in which intervals.

        Parameters
        ----------
        edges : ndarray, shape (T + 1, 1, ..., 1)
            Between the intervals, and before the first and after the last [s].
        dt : float
            How long each is [s].
        begin, end : ndarray, shape `batch`
            [s]; may be infinite.

        Returns
        -------
        ndarray, shape (T, *batch)
            Means over the intervals [u].
        ndarray of bool, shape (T, *batch)
        """
        starts = edges[:-1]
        first, last = (np.clip((time - starts) / dt, 0.0, 1.0) for time in (begin, end))
        offset = self.size * (last - first)
        if self.mode == "drift":
            # Age of the fault in the middle of its part of the interval; one that never begins
            # must not make it infinite.
            offset = offset * (np.maximum(starts - begin, -dt) + 0.5 * (first + last) * dt)
        # Rounding may leave a trace in the interval that ends where the fault begins.
        return offset, (last > first) & (begin < edges[1:])

    def describe(self, index: int) -> str:
        """Return what fails and how, in words, for the fault at `index` of a list."""
        name = f"'{self.name}'" if self.name else f"{index}"
        sensor = "all sensors" if self.target == "all" else self.target
        axes = "" if set(self.axes) == set("xyz") else f" {self.axes}"
        return f"fault {name}: {self.mode}, {sensor}{axes}"


def check_faults(faults: Any, sensors: tuple[str, ...] = SENSORS) -> tuple[Fault, ...]:
    """Return a list of faults as a tuple, checked for an IMU with these sensors.

    Raises
    ------
    ParameterError
        `faults` is no list or tuple; an item is no `Fault`, has the name of another one, or a
        target that there is not.
    """
    if not isinstance(faults, list | tuple):
        raise ParameterError("faults", faults, "must be a list or tuple of Fault")
    names: set[str] = set()
    for index, fault in enumerate(faults):
        key = f"faults[{index}]"
        if not isinstance(fault, Fault):
            raise ParameterError(key, fault, "must be a Fault")
        if fault.name in names:
            raise ParameterError(f"{key}.name", fault.name, "must not be another fault's, too")
        if fault.target not in (*sensors, "all"):
            allowed = f"must be one of {', '.join((*sensors, 'all'))}: there is no other sensor"
            raise ParameterError(f"{key}.target", fault.target, allowed)
        names |= {fault.name} - {""}
    return tuple(faults)
