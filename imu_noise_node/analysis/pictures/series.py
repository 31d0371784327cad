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

"""What gyroscopes of four grades read of one motion, beside the truth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...model.imu import ImuModel
from ...model.spec import ImuSpec
from ...model.theory import Theory
from ...units import si
from ..drawing import (
    BLUE,
    FAINT,
    GREEN,
    GREY,
    INK,
    ORANGE,
    VERMILION,
    entitle,
    head,
    label,
    picture,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

RATE, DURATION = 100.0, 5.0
"""Captures per second, and seconds."""

_DEGREE = si("1 deg/s", "rad/s")
_SEED = 8
"""Of the first; each has draws of its own."""

_COLORS = (VERMILION, ORANGE, GREEN, BLUE)


def plot_series(path: Path, grades: Mapping[str, ImuSpec]) -> None:
    """Write the picture of up to four specs by name, the worst first."""
    with picture(path, width=8.6, height=6.2) as figure:
        draw_series(figure, grades)


def draw_series(figure: Figure, grades: Mapping[str, ImuSpec]) -> None:
    """Draw a row for each: its readings to the left, their errors on their own scale beside."""
    entitle(figure, f"One gentle turn, as gyroscopes read it at {RATE:g} Hz")
    times, truth = motion()
    steps = np.full(len(times), 1.0 / RATE)
    rates = np.column_stack([np.zeros((len(times), 2)), truth * _DEGREE])
    grid = figure.subplots(len(grades), 2, sharex=True, squeeze=False)
    for k, ((name, spec), (left, right)) in enumerate(zip(grades.items(), grid, strict=True)):
        model = ImuModel(spec, seed=_SEED + k)
        measured = model.run(steps, rates, np.zeros(3))
        color = _COLORS[k]
        readings = measured.angular_velocity[:, 2] / _DEGREE
        bias = float(measured.bias.angular_velocity[0, 2]) / _DEGREE
        _readings(left, name, color, times, truth, readings)
        _errors(right, color, times, readings - truth, bias, _sigma(spec))
    head(grid[0, 0], "Readings", "dashed: the truth; all on one scale")
    head(grid[0, 1], "Errors", "each on its own scale; shaded: bias ± 1 sigma")
    for axes in grid[-1]:
        axes.set_xlabel("time [s]")
    figure.supylabel("rate about z [deg/s]", fontsize=10.0)


def motion() -> tuple[Array, Array]:
    """Return times [s], each half an interval before a capture, and the rate there [deg/s]."""
    times = np.asarray(np.arange(0.5, DURATION * RATE) / RATE, dtype=np.float64)
    there, back = (np.exp(-(((times - at) / 0.55) ** 2)) for at in (1.4, 3.5))
    return times, np.asarray(0.6 * there - 0.35 * back)


def _sigma(spec: ImuSpec) -> float:
    """Return what one sample errs by beside its bias [deg/s]."""
    law = Theory.of(spec).filter_model(1.0 / RATE, kind="averages")
    return float(np.sqrt(law.sample_covariance[2, 2])) / _DEGREE


def _readings(
    axes: Axes, name: str, color: str, times: Array, truth: Array, readings: Array
) -> None:
    axes.plot(times, readings, color=color, linewidth=1.2)
    axes.plot(times, truth, color=INK, linewidth=1.2, linestyle=(0, (3.0, 3.0)))
    axes.set_ylim(-0.7, 0.95)
    axes.set_yticks([-0.5, 0.0, 0.5])
    axes.set_xlim(0.0, DURATION)
    axes.grid(axis="y")
    label(axes, name, (0.98 * DURATION, 0.72), color, ha="right")


def _errors(
    axes: Axes, color: str, times: Array, errors: Array, bias: float, sigma: float
) -> None:
    dotted: dict[str, Any] = {"color": GREY, "linewidth": 0.9, "linestyle": ":"}
    axes.axhspan(bias - sigma, bias + sigma, color=FAINT)
    axes.plot(times, errors, color=color, linewidth=0.8)
    axes.axhline(0.0, **dotted)
    axes.axhline(bias, color=INK, linewidth=1.0)
    limit = abs(bias) + 4.0 * sigma
    axes.set_ylim(-limit, limit)
    axes.locator_params(axis="y", nbins=4)
