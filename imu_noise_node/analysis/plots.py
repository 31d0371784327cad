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

"""Pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..motion.intervals import NANOSECONDS
from .drawing import BLUE, ORANGE, entitle, head, picture
from .rate_runs import TRUE_VALUES, WINDOW, Parked, Run
from .rate_table import window_averages

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Samples = tuple[NDArray[np.int64], Array]
"""Stamps [ns], shape (T,), and values, shape (T, 6)."""

_COLORS = (BLUE, ORANGE)

_SHOWN = 3.0
"""Seconds of each run that the rate picture shows; its bars of sigma are of all of it."""

_SPAN, _BARS = 1.3, (1.09, 1.22)
"""Width of a panel, and where in it the bars are, in units of the time shown."""

_HEADINGS = {
    "density": (
        "Specified by a noise density",
        "at 400 Hz samples are twice as noisy, averages the same",
    ),
    "per_sample": (
        "Specified by a fixed sigma per sample",
        "at 400 Hz samples are the same, averages half as noisy",
    ),
}


def plot_rates(path: Path, truth: Parked, samples: Mapping[Run, Samples]) -> None:
    """Draw the x gyroscope's samples above, its averages below, with a column for each law."""
    laws = list(dict.fromkeys(run.law for run in samples))
    rates = sorted({run.rate for run in samples})
    with picture(path, width=8.6, height=5.5, font=9.0) as figure:
        grid = figure.subplots(2, len(laws), sharex=True, sharey="row", squeeze=False)
        for run, (stamps, values) in samples.items():
            errors = (values - TRUE_VALUES) * 1e3
            averages, starts = window_averages(run, truth, stamps, errors)
            above, below = grid[:, laws.index(run.law)]
            place = rates.index(run.rate)
            _cloud(above, (stamps - truth.start) / NANOSECONDS, errors[:, 0], place, run)
            _sigma_bar(above, place, errors[:, 0:3])
            _levels(below, (starts - truth.start) / NANOSECONDS, averages[:, 0], place)
            _sigma_bar(below, place, averages[:, 0:3])
        _letter(figure, grid, laws)


def _cloud(axes: Axes, seconds: Array, errors: Array, place: int, run: Run) -> None:
    """Draw a dot per sample; `place` 0 is the slow run, in front."""
    shown = seconds <= _SHOWN
    axes.plot(
        seconds[shown],
        errors[shown],
        ".",
        color=_COLORS[place],
        markersize=(4.0, 2.5)[place],
        zorder=3 - place,
        label=f"{run.rate} Hz",
    )


def _levels(axes: Axes, starts: Array, averages: Array, place: int) -> None:
    """Draw each average as a line over its window."""
    shown = starts < _SHOWN - WINDOW / 2
    axes.hlines(
        averages[shown],
        starts[shown],
        starts[shown] + WINDOW,
        color=_COLORS[place],
        linewidth=2.5,
        zorder=3 - place,
    )


def _sigma_bar(axes: Axes, place: int, errors: Array) -> None:
    """Draw the sigma of all axes beside the data, where it can be read off and in full."""
    if not len(errors):
        return
    sigma = float(np.sqrt(np.mean(errors**2)))
    x = _SHOWN * _BARS[place]
    color = _COLORS[place]
    axes.errorbar(x, 0.0, sigma, color=color, capsize=4.0, linewidth=2.0, capthick=2.0)
    axes.annotate(
        f"{sigma:.2f}",
        (x, sigma),
        xytext=(0.0, 4.0),
        textcoords="offset points",
        ha="center",
        color=color,
        weight="bold",
    )


def _letter(figure: Figure, grid: NDArray[Any], laws: Sequence[str]) -> None:
    """Write titles, legend and axes."""
    entitle(figure, "A parked gyroscope, simulated at 100 Hz and at 400 Hz")
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="upper right", ncols=2, frameon=False, markerscale=2.5)
    for axes, law in zip(grid[0], laws, strict=True):
        head(axes, *_HEADINGS[law])
    grid[0, 0].set_ylabel("samples, x axis [mrad/s]")
    grid[1, 0].set_ylabel(f"{WINDOW:g} s averages, x axis [mrad/s]")
    for axes in grid[-1]:
        axes.set_xlabel("time [s]", x=0.5 / _SPAN)
    seconds = np.arange(_SHOWN + 1)
    ticks = [*seconds, np.mean(_BARS) * _SHOWN]
    for axes in grid.flat:
        axes.set_xlim(0.0, _SPAN * _SHOWN)
        axes.set_xticks(ticks, [*(f"{t:g}" for t in seconds), "σ of x, y, z"])
        limit = 1.06 * max(map(abs, axes.get_ylim()))
        axes.set_ylim(-limit, limit)
        axes.grid(axis="y")
