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

"""Faults as ROS parameters: a schedule, and one that is set while the node runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..model.fault_spec import MODES, TARGETS, WITHOUT_MAGNITUDE, Fault
from ..schema import check_fields, parameter
from ..units import has_unit

NONE = "none"


@dataclass(frozen=True, eq=False)
class FaultSettings:
    """A fault that begins when its mode is set, and a file of faults at times of their own.

    Raises
    ------
    ParameterError
        A value that is not allowed, or two that contradict each other.
    """

    schedule: str = parameter(
        "", "path of a file that lists faults and when they come", kind=str, live=False
    )
    mode: str = parameter(
        NONE,
        "a fault that begins when this is set: a bias, drift, other noise, the last value again "
        "and again, captures lost at random, or no value at all",
        kind=str,
        choices=(NONE, *MODES),
    )
    target: str = parameter("all", "which sensor fails", kind=str, choices=TARGETS)
    axes: str = parameter("xyz", "which of its axes fail: some of x, y and z", kind=str)
    magnitude: Any = parameter(
        None,
        "of a bias, what is added [rad/s, m/s^2 or T]; of a drift, its slope per second; of "
        "noise, what its sigma is multiplied with; of intermittent, the fraction of captures lost",
    )
    duration: float = parameter(0.0, "how long it lasts; 0 is until cleared", "s", lower=0.0)

    def __post_init__(self) -> None:
        magnitude = self.magnitude
        if has_unit(magnitude):
            # Of which unit it must be is known with the mode: `Fault` reads it.
            object.__setattr__(self, "magnitude", None)
        check_fields(self)
        if has_unit(magnitude):
            object.__setattr__(self, "magnitude", magnitude)
        _ = self.injected

    @cached_property
    def injected(self) -> tuple[Fault, ...]:
        """The fault that is set, if any."""
        if self.mode == NONE:
            return ()
        magnitude = None if self.mode in WITHOUT_MAGNITUDE else self.magnitude
        return (
            Fault(
                mode=self.mode,
                target=self.target,
                axes=self.axes,
                magnitude=magnitude,
                duration=self.duration,
                name="live",
            ),
        )
