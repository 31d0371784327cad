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

"""Scale factor, misalignment, cross-axis and g-sensitivity as one matrix for all axes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .signal_figures import SignalFigures
from .stage import Context, Stateless
from .thermal import ThermalState

Array = NDArray[np.float64]

_MANY = 16
"""From this many captures on, arithmetic on one axis of all captures after the other is faster."""


class Linear(Stateless):
    """y = C R^T (1 + s) x + G f.

    s is the scale factor with its draw and its growth with temperature, R = Exp(theta) Exp(delta)
    the rotation of the sensor's axes with theta fixed and delta drawn, C the cross-axis matrix, G
    the g-sensitivity and f the specific force.

    Parameters
    ----------
    figures : SignalFigures
    draws : ndarray, shape (3, *batch, K)
        From `draw_run`.
    """

    def __init__(self, figures: SignalFigures, draws: Array) -> None:
        _, scale_draw, turn_draw = draws
        self._gain = 1.0 + (figures.scale_factor + figures.scale_factor_stddev * scale_draw)
        triads = self._gain.shape[-1] // 3
        delta = (figures.misalignment_root * _by_triad(turn_draw)).sum(axis=-1)
        turn = rotation(_split(figures.misalignment)) @ rotation(_split(delta))
        cross = figures.cross_axis.reshape(*figures.cross_axis.shape[:-2], triads, 3, 3)
        self._axes = _diagonal_blocks(cross @ np.swapaxes(turn, -1, -2))
        self._force = np.zeros((*figures.g_sensitivity.shape[:-1], 3 * triads))
        self._force[..., 3:6] = figures.g_sensitivity
        used = _anywhere(self._axes) | _anywhere(self._force)
        self._used = [np.flatnonzero(row).tolist() for row in used]
        self._thermal: ThermalState | None = None
        self._compile(None)

    def apply(self, block: Array, dt: float, context: Context) -> Array:
        """Return what the sensor's axes read of `block` [u], shape (T, *batch, K)."""
        if context.thermal is not self._thermal:
            self._compile(context.thermal)
        if len(block) < _MANY:
            # Added up over an outer axis, one term after the other: the order is that of below.
            few: Array = np.add.reduce(self._columns * block[..., :, None], axis=-2)
            # Where something is infinite, zeros times it would spoil all axes.
            if math.isfinite(np.add.reduce(few, axis=None)):
                return few
        inputs = np.ascontiguousarray(np.moveaxis(block, -1, 0))
        outputs = np.empty_like(inputs)
        for row, used, output in zip(self._rows, self._used, outputs, strict=True):
            first, *others = used
            np.multiply(row[first], inputs[first], out=output)
            for other in others:
                output += row[other] * inputs[other]
        return np.moveaxis(outputs, 0, -1)

    def matrix(self, thermal: ThermalState | None) -> Array:
        """Return what `apply` multiplies with, shape (*batch, K, K), or (T, *batch, K, K)."""
        gain = self._gain if thermal is None else self._gain + thermal.scale
        matrix: Array = self._axes * gain[..., None, :] + self._force
        return matrix

    def _compile(self, thermal: ThermalState | None) -> None:
        matrix = self.matrix(thermal)
        # In memory as in shape, or NumPy would add up pairwise.
        self._columns = np.ascontiguousarray(np.swapaxes(matrix, -1, -2))
        self._rows = np.moveaxis(matrix, (-2, -1), (0, 1))
        self._thermal = thermal


def rotation(vectors: Array) -> Array:
    """Return the matrices, shape (..., 3, 3), of rotation vectors [rad], shape (..., 3).

    Rodrigues' formula, R = 1 + sin(a)/a K + (1 - cos(a))/a^2 K^2 with K x = vector x x.
    """
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    skew = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1)
    skew = skew.reshape(*vectors.shape, 3)
    angle = np.sqrt(x * x + y * y + z * z)[..., None, None]
    # np.sinc(t) is sin(pi t)/(pi t); 1 - cos(a) = 2 sin(a/2)^2 does not cancel.
    first, half = np.sinc(angle / np.pi), np.sinc(angle / (2.0 * np.pi))
    matrices: Array = np.eye(3) + first * skew + 0.5 * half**2 * (skew @ skew)
    return matrices


def _split(stacked: Array) -> Array:
    """Return shape (..., K) as (..., K/3, 3)."""
    return stacked.reshape(*stacked.shape[:-1], -1, 3)


def _by_triad(stacked: Array) -> Array:
    """Return for each axis the three values of its sensor, shape (..., K, 3)."""
    return np.repeat(_split(stacked), 3, axis=-2)


def _diagonal_blocks(blocks: Array) -> Array:
    """Return the block-diagonal matrices, shape (..., K, K), of blocks (..., K/3, 3, 3)."""
    count = blocks.shape[-3]
    joined = np.zeros((*blocks.shape[:-3], 3 * count, 3 * count))
    for i in range(count):
        joined[..., 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = blocks[..., i, :, :]
    return joined


def _anywhere(matrices: Array) -> NDArray[np.bool_]:
    """Return which elements are not zero in any of the matrices, shape (..., K, K)."""
    found: NDArray[np.bool_] = (matrices != 0.0).reshape(-1, *matrices.shape[-2:]).any(axis=0)
    return found
