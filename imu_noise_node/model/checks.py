"""Checks of what users hand to the model, each with its sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from .origin import COVARIANCES

Array = NDArray[np.float64]

INPUTS = ("angular_velocity", "specific_force", "magnetic_field")
"""Names of the true values that go in, by sensor."""


def check_interval(dt: float) -> None:
    """Raise ParameterError unless `dt` is a positive finite time."""
    try:
        fits = bool(0.0 < dt < math.inf)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ParameterError("dt", dt, "must be a finite time above 0 [s]")


def checked_intervals(dt: ArrayLike) -> Array:
    """Return `dt` as an array of shape (T,), all positive and finite."""
    try:
        steps = np.asarray(dt, dtype=np.float64)
    except (TypeError, ValueError):
        steps = np.zeros(0)
    if steps.ndim != 1 or not len(steps) or not ((steps > 0.0) & (steps < math.inf)).all():
        raise ParameterError("dt", dt, "must be one or more finite times above 0 [s], shape (T,)")
    return steps


def checked_truth(shape: tuple[int, ...], given: tuple[ArrayLike | None, ...]) -> Array:
    """Return the true values of all sensors, stacked to `shape`, (..., K)."""
    sensors = shape[-1] // 3
    if (given[2] is not None) != (sensors == 3):
        there = "must be given" if sensors == 3 else "must be left out"
        why = "where the spec has a magnetometer" if sensors == 3 else "without a magnetometer"
        raise ParameterError("magnetic_field", given[2], f"{there} {why}")
    truth = np.empty(shape)
    try:
        truth[..., 0:3] = given[0]
        truth[..., 3:6] = given[1]
        if sensors == 3:
            truth[..., 6:9] = given[2]
    except (TypeError, ValueError):
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
    except (TypeError, ValueError):
        values = np.full((), np.nan)
    if not np.isfinite(values).all():
        raise ParameterError(
            "temperature",
            temperature,
            f"must be finite [degC]: one number, or shape (T,), {batch} or {('T', *batch)}",
        )
    is_number = np.ndim(temperature) == 0 or not batch
    return values.item() if values.size == 1 and is_number else values


def checked_members(where: Any, batch: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the mask `where`, shape `batch`."""
    members = np.asarray(where, dtype=bool)
    if members.shape != batch:
        raise ParameterError("where", members.shape, f"must be a mask of shape {batch}")
    return members


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
