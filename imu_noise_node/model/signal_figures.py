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

"""The figures of a spec that say what becomes of the signal, compiled to arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from .cholesky import lower_factor
from .spec import ImuSpec, TriadSpec

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SignalFigures:
    """Shapes: K stacked axes, three for each sensor; `*batch` where a figure has batch axes.

    Attributes
    ----------
    scale_factor, scale_factor_stddev : ndarray, shape (*batch, K)
        [1]
    misalignment : ndarray, shape (*batch, K)
        One rotation vector per sensor [rad].
    nonlinearity : ndarray, shape (*batch, K)
        Error by square of the reading [1/u].
    bandwidth : ndarray, shape (*batch, K)
        [Hz]; zero where it is unlimited.
    vibration_rectification : ndarray, shape (*batch, K)
        [u/(m/s^2)^2]
    temperature_bias, temperature_scale_factor, temperature_noise : ndarray, shape (*batch, K)
        [u/degC], [1/degC], [1/degC]
    reference_temperature, warm_up_time : float
        [degC], [s]
    cross_axis : ndarray, shape (*batch, K, 3)
        For each axis what it reads of the three of its sensor [1].
    g_sensitivity : ndarray, shape (*batch, K, 3)
        For each axis what it reads of the specific force [u/(m/s^2)].
    misalignment_root : ndarray, shape (*batch, K, 3)
        Factor L of each sensor's misalignment covariance L L^T [rad].
    """

    scale_factor: Array
    scale_factor_stddev: Array
    misalignment: Array
    nonlinearity: Array
    bandwidth: Array
    vibration_rectification: Array
    temperature_bias: Array
    temperature_scale_factor: Array
    temperature_noise: Array
    reference_temperature: float
    warm_up_time: float
    cross_axis: Array
    g_sensitivity: Array
    misalignment_root: Array

    @property
    def is_linear(self) -> bool:
        """Whether the sensor reads its input as it is but for an offset, at any temperature."""
        none_of = (
            self.scale_factor,
            self.scale_factor_stddev,
            self.misalignment,
            self.misalignment_root,
            self.g_sensitivity,
            self.temperature_scale_factor,
        )
        triads = self.cross_axis.shape[-2] // 3
        straight = self.cross_axis == np.tile(np.eye(3), (triads, 1))
        return bool(straight.all()) and not any(figure.any() for figure in none_of)

    def batch_shapes(self) -> set[tuple[int, ...]]:
        """Return the batch axes of all figures."""
        return {
            getattr(self, f.name).shape[: -2 if f.name in _MATRICES else -1]
            for f in fields(self)
            if f.name not in _NUMBERS
        }


_NUMBERS = ("reference_temperature", "warm_up_time")
_MATRICES = ("cross_axis", "g_sensitivity", "misalignment_root")


def compile_signal(spec: ImuSpec) -> SignalFigures:
    """Stack the triads of `spec`."""
    triads = list(spec.triads().values())

    def stacked(figure: Callable[[TriadSpec], ArrayLike]) -> Array:
        return stack([figure(triad) for triad in triads])

    return SignalFigures(
        scale_factor=stacked(lambda t: t.scale_factor),
        scale_factor_stddev=stacked(lambda t: t.scale_factor_stddev),
        misalignment=stacked(lambda t: t.misalignment),
        nonlinearity=stacked(_by_square),
        bandwidth=stacked(lambda t: t.bandwidth),
        vibration_rectification=stacked(lambda t: t.vibration_rectification),
        temperature_bias=stacked(lambda t: t.temperature_bias),
        temperature_scale_factor=stacked(lambda t: t.temperature_scale_factor),
        temperature_noise=stacked(lambda t: t.temperature_noise),
        reference_temperature=spec.reference_temperature,
        warm_up_time=spec.warm_up_time,
        cross_axis=_stack_rows([_cross_axis(t.cross_axis) for t in triads]),
        g_sensitivity=_stack_rows([_g_sensitivity(t.g_sensitivity) for t in triads]),
        misalignment_root=_stack_rows([_misalignment_root(t) for t in triads]),
    )


def merge_signal(
    old: SignalFigures, new: SignalFigures, where: NDArray[np.bool_]
) -> SignalFigures:
    """Return `new` for the batch members in `where`, shape (*batch, 1), and `old` for the rest.

    Raises
    ------
    ParameterError
        They differ in what all members have in common.
    """
    merged: dict[str, Any] = {}
    for f in fields(SignalFigures):
        before, after = getattr(old, f.name), getattr(new, f.name)
        if f.name in _NUMBERS:
            if before != after:
                raise ParameterError(f.name, after, f"must be {before:g} for all members alike")
            merged[f.name] = after
        else:
            mask = where[..., None] if f.name in _MATRICES else where
            merged[f.name] = np.where(mask, after, before)
    return SignalFigures(**merged)


def stack(values: Sequence[ArrayLike]) -> Array:
    """Join one figure per sensor, each one number or three, to shape (*batch, K)."""
    arrays = [np.asarray(value, dtype=np.float64) for value in values]
    batch = np.broadcast_shapes(*(a.shape[:-1] for a in arrays))
    return np.concatenate([np.broadcast_to(a, (*batch, 3)) for a in arrays], axis=-1)


def _stack_rows(matrices: list[Array]) -> Array:
    """Join one matrix (*batch, 3, 3) per sensor to shape (*batch, K, 3)."""
    batch = np.broadcast_shapes(*(m.shape[:-2] for m in matrices))
    return np.concatenate([np.broadcast_to(m, (*batch, 3, 3)) for m in matrices], axis=-2)


def _by_square(triad: TriadSpec) -> Array:
    full_scale = np.asarray(triad.range)
    by_square: Array = np.asarray(triad.nonlinearity) / np.where(full_scale > 0.0, full_scale, 1.0)
    return by_square


def _cross_axis(figure: ArrayLike) -> Array:
    values = np.asarray(figure, dtype=np.float64)
    if values.shape[-1:] == (9,):
        matrix: Array = values.reshape(*values.shape[:-1], 3, 3)
        return matrix
    # In column j stands what the two other axes pick up of axis j.
    columns = np.broadcast_to(values, (*values.shape[:-1], 3))[..., None, :]
    return np.where(np.eye(3, dtype=bool), 1.0, columns)


def _g_sensitivity(figure: ArrayLike) -> Array:
    values = np.asarray(figure, dtype=np.float64)
    if values.shape[-1:] == (9,):
        matrix: Array = values.reshape(*values.shape[:-1], 3, 3)
        return matrix
    diagonal = np.broadcast_to(values, (*values.shape[:-1], 3))
    return diagonal[..., None] * np.eye(3)


def _misalignment_root(triad: TriadSpec) -> Array:
    if triad.misalignment_covariance is not None:
        return lower_factor(triad.misalignment_covariance)
    sigma = np.asarray(triad.misalignment_stddev, dtype=np.float64)
    return np.broadcast_to(sigma, (*sigma.shape[:-1], 3))[..., None] * np.eye(3)
