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

"""The filter model of one interval, put together from the coefficients that the sampler uses.

For each process the sample holds gain (x + x_end) + r (see `coefficients`), so that with
x_end = keep x + w

    H = gain (1 + keep)      e = gain w + r + white noise      Cov(e, w) = gain Var w

These are the moments that van Loan's matrix exponential gives of the states and their integral
(IEEE TAC 23(3), 1978), in closed form. Noise that the bandwidth limits is sampled at the end:
gain x_end, with gain 0 over intervals so long that the average is in the sample instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .coefficients import Coefficients, correlated, diagonal, white_variance
from .figures import FOREVER, Figures
from .filter_model import ErrorState, FilterModel, Prior
from .thermal import ThermalState

Array = NDArray[np.float64]

KINDS = ("increments", "averages")

_INCREMENTS = {"accelerometer": "delta_v", "gyroscope": "delta_theta"}
"""Names of the outputs by sensor, in their order; a magnetometer has no increments."""


class Request(NamedTuple):
    """What the law depends on beside the figures.

    Attributes
    ----------
    age : ndarray, shape () or (*batch, 1)
        For how long the random walks have run at the interval's start [s].
    thermal : ThermalState or None
        What temperature does, if anything.
    kind : str
        Of output, one of `KINDS`.
    scale : float
        What increments are multiplied with.
    rounding : bool
        Whether the resolution counts as noise.
    """

    age: Array
    thermal: ThermalState | None
    kind: str
    scale: float
    rounding: bool


class _Rows(NamedTuple):
    """One row for the turn-on bias and one for each process, shape (1 + P, *batch, K).

    Attributes
    ----------
    keep, gain, hold : ndarray
        x_end = keep x + w; the sample contains hold x + gain w.
    variance, initial, start : ndarray
        Of w, and of x at reset and at the interval's start [u^2].
    """

    keep: Array
    gain: Array
    hold: Array
    variance: Array
    initial: Array
    start: Array


def build(figures: Figures, c: Coefficients, request: Request) -> FilterModel:
    """Return the law of the interval that `c` is of."""
    age, thermal, kind, scale, rounding = request
    heat = np.ones(1) if thermal is None or thermal.noise is None else thermal.noise
    mean = figures.constant_bias + (0.0 if thermal is None else thermal.bias)
    fresh, white = _fresh(c, heat), white_covariance(figures, c.dt)
    steps = figures.resolution * rounding
    shape = np.broadcast_shapes(
        c.scale.shape[1:],
        figures.turn_on_bias_stddev.shape,
        *(a.shape for a in (mean, heat, age, steps, fresh[..., 0], white[..., 0])),
    )
    batch = shape[:-1]
    increments = kind == "increments"
    names = _INCREMENTS if increments else {sensor: sensor for sensor in figures.sensors}
    axes = [3 * figures.sensors.index(sensor) + i for sensor in names for i in range(3)]
    weight = scale * c.dt if increments else 1.0
    states, places, columns = _states(figures, tuple(names))
    found = _rows(figures, c, age, heat, shape)
    keep, gain, hold, variance, initial, start = (
        np.moveaxis(row[places, ..., columns], 0, -1) for row in found
    )
    outputs = np.array([axes.index(column) for column in columns], dtype=int)

    def of_states(values: Array) -> Array:
        matrix = np.zeros((*batch, len(axes), len(states)))
        matrix[..., outputs, np.arange(len(states))] = weight * values
        return matrix

    def of_outputs(matrix: Array) -> Array:
        picked = weight**2 * matrix[..., axes, :][..., axes]
        return np.broadcast_to(picked, (*batch, len(axes), len(axes)))

    loading = of_states(gain)
    cross = loading * variance[..., None, :]
    rounded = of_outputs(diagonal(steps**2 / 12.0))
    zero = np.zeros((*batch, len(states)))
    return FilterModel(
        kind=kind,
        dt=c.dt,
        outputs=tuple(f"{name}_{axis}" for name in names.values() for axis in "xyz"),
        states=states,
        mean=np.broadcast_to(weight * mean[..., axes], (*batch, len(axes))),
        measurement=of_states(hold),
        transition=diagonal(keep),
        conditional_covariance=of_outputs(fresh) + cross @ np.swapaxes(loading, -1, -2) + rounded,
        process_covariance=diagonal(variance),
        cross_covariance=cross,
        white_covariance=of_outputs(heat[..., :, None] * white * heat[..., None, :]),
        rounding_covariance=rounded,
        initial=Prior(zero, diagonal(initial)),
        start=Prior(zero, diagonal(start)),
    )


def white_covariance(figures: Figures, dt: float) -> Array:
    """Return the covariance [u^2] that white noise has in a sample, shape (*batch, K, K)."""
    covariance = diagonal(white_variance(figures, dt))
    if figures.covariance is not None:
        covariance = covariance + correlated(figures, dt)
    return covariance


def _fresh(c: Coefficients, heat: Array) -> Array:
    """Return the covariance of white noise and remainders, shape (*batch, K, K)."""
    white, _ = c.heat(heat)
    if c.factor is None:
        return diagonal((white * c.noise) ** 2)
    root = white[..., None] * c.factor
    return root @ np.swapaxes(root, -1, -2)


def _rows(
    figures: Figures, c: Coefficients, age: Array, heat: Array, shape: tuple[int, ...]
) -> _Rows:
    def wide(first: Array | float, processes: Array) -> Array:
        leading = (1,) * (len(shape) + 1 - processes.ndim)
        rows = np.empty((1 + len(processes), *shape))
        rows[0] = first
        rows[1:] = processes.reshape(len(processes), *leading, *processes.shape[1:])
        return rows

    keep, gain = wide(1.0, c.keep), wide(0.0, c.gain)
    if figures.is_band_limited:
        gain[-1] *= heat
    hold = gain * (1.0 + keep)
    if figures.is_band_limited:
        # gain x_end, not gain (x + x_end).
        hold[-1] = gain[-1] * keep[-1]
    hold[0] = 1.0
    initial = wide(figures.turn_on_bias_stddev**2, figures.sigma**2)
    start = initial.copy()
    walks = np.flatnonzero(figures.is_walk) + 1
    initial[walks] = 0.0
    start[walks] *= 2.0 / FOREVER * age
    return _Rows(keep, gain, hold, wide(0.0, c.kick**2), initial, start)


def _states(
    figures: Figures, sensors: tuple[str, ...]
) -> tuple[tuple[ErrorState, ...], NDArray[np.int_], NDArray[np.int_]]:
    """Return the states that are on anywhere, and their rows and columns in `_Rows`."""
    sizes = [figures.turn_on_bias_stddev, *figures.sigma]
    found = [
        (ErrorState(sensor, effect, axis), row, column)
        for sensor in sensors
        for row, effect in enumerate(("turn_on_bias", *figures.labels))
        for column, axis in enumerate("xyz", 3 * figures.sensors.index(sensor))
        if sizes[row][..., column].any()
    ]
    rows, columns = (np.array([f[i] for f in found], dtype=int) for i in (1, 2))
    return tuple(state for state, _, _ in found), rows, columns
