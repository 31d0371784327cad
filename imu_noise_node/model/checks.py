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

"""Checks of what users hand to the model, each with its sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from .origin import COVARIANCES
from .stage import Stage

Array = NDArray[np.float64]

INPUTS = ("angular_velocity", "specific_force", "magnetic_field")
"""Names of the true values that go in, by sensor."""

_GYROSCOPE, _ACCELEROMETER, _MAGNETOMETER = ((..., slice(k, k + 3)) for k in (0, 3, 6))


def checked_interval(dt: float) -> float:
    """Return `dt`, a positive finite time."""
    try:
        if 0.0 < dt < math.inf:
            return float(dt)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ParameterError("dt", dt, "must be a finite time above 0 [s]")


def checked_intervals(dt: ArrayLike) -> Array:
    """Return `dt` as an array of shape (T,), all positive and finite."""
    try:
        steps = np.asarray(dt, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        steps = np.zeros(0)
    if steps.ndim != 1 or not len(steps) or not ((steps > 0.0) & (steps < math.inf)).all():
        raise ParameterError("dt", dt, "must be one or more finite times above 0 [s], shape (T,)")
    return steps


def checked_truth(shape: tuple[int, ...], given: tuple[ArrayLike | None, ...]) -> Array:
    """Return the true values of all sensors, stacked to `shape`, (..., K)."""
    sensors = shape[-1] // 3
    rate, force, field = given
    if (field is None) == (sensors == 3):
        there = "must be given" if sensors == 3 else "must be left out"
        why = "where the spec has a magnetometer" if sensors == 3 else "without a magnetometer"
        raise ParameterError("magnetic_field", field, f"{there} {why}")
    truth = np.empty(shape)
    try:
        truth[_GYROSCOPE] = rate
        truth[_ACCELEROMETER] = force
        if field is not None:
            truth[_MAGNETOMETER] = field
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            ", ".join(INPUTS[:sensors]),
            given[:sensors],
            f"must be numbers of shapes that broadcast to {(*shape[:-1], 3)}",
        ) from None
    return truth


def checked_temperature(
    temperature: Any, count: int, batch: tuple[int, ...]
) -> float | Array | None:
    """Return the temperature of `count` captures: None, a float, or shape (count or 1, *batch, 1).

    Given may be one number, one for each member (shape `batch`), or those for each capture
    (shape (T,) or (T, *batch)).
    """
    if temperature is None or (type(temperature) is float and math.isfinite(temperature)):
        found: float | None = temperature
        return found
    try:
        values = np.asarray(temperature, dtype=np.float64)
        if values.ndim == 0:
            values = values.reshape((1,) * (len(batch) + 2))
        elif values.shape == (count,):
            values = values.reshape(count, *(1,) * len(batch), 1)
        elif values.shape == batch:
            values = values.reshape(1, *batch, 1)
        else:
            values = values.reshape(count, *batch, 1)
    except (TypeError, ValueError, OverflowError):
        values = np.full((), np.nan)
    if not np.isfinite(values).all():
        raise ParameterError("temperature", temperature, _temperatures(count, batch))
    is_number = np.ndim(temperature) == 0 or not batch
    return values.item() if values.size == 1 and is_number else values


def _temperatures(count: int, batch: tuple[int, ...]) -> str:
    """Return which temperatures are allowed, in words."""
    ways = ["one number"]
    if batch:
        ways.append(f"one for each sensor, shape {batch}")
    if count > 1:
        ways.append(f"one for each capture, shape {(count,)}")
        if batch:
            ways.append(f"one for each capture of each sensor, shape {(count, *batch)}")
    *others, last = ways
    return (
        f"must be finite [degC]: {', '.join(others)} or {last}"
        if others
        else "must be a finite number [degC]"
    )


def checked_members(where: Any, batch: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the mask `where`, shape `batch`."""
    members = np.asarray(where, dtype=bool)
    if members.shape != batch:
        raise ParameterError("where", members.shape, f"must be a mask of shape {batch}")
    return members


def checked_stages(stages: Any) -> tuple[Stage, ...]:
    """Return `stages` as a tuple of objects that have the methods of a `Stage`."""
    if not isinstance(stages, list | tuple):
        raise ParameterError("extra_stages", stages, "must be a list or tuple of stages")
    for index, stage in enumerate(stages):
        for method in ("apply", "reset", "state", "restore"):
            if not callable(getattr(stage, method, None)):
                raise ParameterError(
                    f"extra_stages[{index}]", stage, f"must have the method {method}"
                )
    return tuple(stages)


def checked_batch(batch: tuple[int, ...]) -> tuple[int, ...]:
    """Return `batch`, a tuple of whole numbers above 0."""
    if not isinstance(batch, tuple) or not all(isinstance(n, int) and n > 0 for n in batch):
        raise ParameterError("batch", batch, "must be a tuple of whole numbers above 0, or ()")
    return batch


def checked_history(history: int) -> int:
    """Return `history`, 0 or more."""
    if not isinstance(history, int) or history < 0:
        raise ParameterError("history", history, "must be a whole number, 0 or more")
    return history


def checked_covariance(kind: str) -> str:
    """Return `kind`, one of `COVARIANCES`."""
    if kind not in COVARIANCES:
        raise ParameterError("covariance", kind, f"must be one of {', '.join(COVARIANCES)}")
    return kind
