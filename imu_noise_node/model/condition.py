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

"""How a sensor is: ready or warming up, degraded or failed, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .faults import Faults
from .spec import ImuSpec

Mask = NDArray[np.bool_]


class State(Enum):
    """The states of a sensor, the graver ones later."""

    OFF = "off"
    READY = "ready"
    INITIALIZING = "initializing"
    DEGRADED = "degraded"
    FAILED = "failed"


_GRAVITY = {state: place for place, state in enumerate(State)}
_STATES = np.array(list(State), dtype=object)


@dataclass(frozen=True, eq=False)
class Condition:
    """The states of the members of a batch, and the reasons for them.

    Attributes
    ----------
    states : ndarray of State, shape `batch`
    reasons : tuple of str
        What keeps a member from being ready; with more than one member, how many it concerns,
        with the figures of the first of these.
    """

    states: NDArray[Any]
    reasons: tuple[str, ...]

    @property
    def state(self) -> State:
        """The state of the sensor, the gravest of all members."""
        worst: State = max(self.states.flat, key=_GRAVITY.__getitem__)
        return worst


SWITCHED_OFF = Condition(np.array(State.OFF, dtype=object), ())
"""Of one sensor that is not enabled; `assess` is about sensors that are."""


def assess(
    spec: ImuSpec,
    age: ArrayLike,
    faults: Sequence[Faults] = (),
    temperature: ArrayLike | None = None,
    vibration: ArrayLike | None = None,
    shock: ArrayLike | None = None,
) -> Condition:
    """Return how sensors are that are switched on.

    Failed is one where no axis of a gyroscope, accelerometer or magnetometer follows the motion,
    each being lost by a total fault or stuck; degraded one with any other fault, or beyond an
    environmental limit; initializing one younger than its warm-up time; ready any other. The
    gravest counts, and all that apply are among the reasons.

    Parameters
    ----------
    spec : ImuSpec
        Its limits and its warm-up time.
    age : array_like, shape () or `batch`
        Time since the sensor was switched on [s].
    faults : sequence of Faults, optional
        What acted at the last capture counts.
    temperature : array_like, shape () or `batch`, optional
        [degC]
    vibration : array_like, shape () or `batch`, optional
        Rms of the specific force about its mean over the last second [m/s^2].
    shock : array_like, shape () or `batch`, optional
        Magnitude of the specific force [m/s^2].
    """
    findings = [finding for stage in faults for finding in _faults(stage)]
    findings += _environment(spec, temperature, vibration, shock)
    young = np.asarray(age) < spec.warm_up_time
    text = f"warming up, {_first(age, young)} s of {spec.warm_up_time:g} s have passed"
    findings.append((State.INITIALIZING, young, text))
    shape = np.broadcast_shapes(*(mask.shape for _, mask, _ in findings))
    gravity = np.full(shape, _GRAVITY[State.READY])
    for state, mask, _ in findings:
        np.maximum(gravity, _GRAVITY[state], out=gravity, where=mask)
    reasons = (
        text + _how_many(np.broadcast_to(mask, shape)) for _, mask, text in findings if mask.any()
    )
    return Condition(np.array(_STATES[gravity], dtype=object), tuple(reasons))


Finding = tuple[State, Mask, str]


def _faults(faults: Faults) -> Iterator[Finding]:
    for place, sensor in enumerate(faults.sensors):
        yield State.FAILED, faults.dead[..., place], f"no axis of the {sensor} follows the motion"
    for index, fault in enumerate(faults.faults):
        yield State.DEGRADED, np.asarray(faults.active[index]), fault.describe(index)


def _environment(
    spec: ImuSpec,
    temperature: ArrayLike | None,
    vibration: ArrayLike | None,
    shock: ArrayLike | None,
) -> Iterator[Finding]:
    limits = spec.operating_temperature
    if limits is not None and temperature is not None:
        low, high = limits.tolist()
        given = np.asarray(temperature)
        outside = (given < low) | (given > high)
        text = f"temperature {_first(given, outside)} degC is outside {low:g} to {high:g} degC"
        yield State.DEGRADED, outside, text
    for name, value, limit in (
        ("vibration", vibration, spec.vibration_limit),
        ("specific force", shock, spec.shock_limit),
    ):
        if limit > 0.0 and value is not None:
            above = np.asarray(value) > limit
            text = f"{name} {_first(value, above)} m/s^2 is above {limit:g} m/s^2"
            yield State.DEGRADED, above, text


def _first(values: ArrayLike, mask: Mask) -> str:
    """Return the first of the values that `mask` marks, as a text."""
    marked = np.asarray(values)[mask]
    return f"{marked[0]:.4g}" if len(marked) else ""


def _how_many(mask: Mask) -> str:
    return f" ({np.count_nonzero(mask)} of {mask.size} sensors)" if mask.size > 1 else ""
