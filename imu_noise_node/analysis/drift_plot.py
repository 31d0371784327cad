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

"""The picture of drift: attitude and position over time, for one or many sensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..samples import Array
from .drawing import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    entitle,
    head,
    label,
    picture,
)
from .drift import MARKS, Drift
from .drift_theory import ATTITUDE, POSITION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = (VERMILION, ORANGE, GREEN, SKY, BLUE, PURPLE, INK, GREY)
"""Of the sensors; after the last it begins anew."""

_TRACES = 8
"""So many single runs of each sensor are shown."""

_SHOWN = 100.0
"""The picture begins at this fraction of its end."""

_DOTS = 7
"""So many rms values."""

_HEIGHT, _LINE = 4.8, 15.0
"""Of the picture [inches], and of a name beside its line [points]."""


class _Panel(NamedTuple):
    """An error, and how it looks in the picture."""

    title: str
    part: slice
    unit: str
    scale: float


_PANELS = (
    _Panel("Attitude", ATTITUDE, "deg", float(np.degrees(1.0))),
    _Panel("Position", POSITION, "m", 1.0),
)


def plot_drift(path: Path, title: str, drifts: Mapping[str, Drift]) -> None:
    """Write the picture of drifts by the name of the sensor."""
    with picture(path, width=8.6, height=_HEIGHT) as figure:
        draw_drift(figure, title, drifts)


def draw_drift(figure: Figure, title: str, drifts: Mapping[str, Drift]) -> None:
    """Draw attitude to the left and position to the right."""
    entitle(figure, title)
    runs = max(drift.errors.shape[1] for drift in drifts.values())
    findings = "lines: 1 sigma by theory", f"dots: rms of {runs} runs; thin: some of them"
    for axes, panel, finding in zip(figure.subplots(1, 2), _PANELS, findings, strict=True):
        head(axes, panel.title, finding)
        for k, drift in enumerate(drifts.values()):
            _curves(axes, panel, drift, COLORS[k % len(COLORS)])
        _frame(axes, panel, drifts)
        _names(axes, panel, drifts)


def _curves(axes: Axes, panel: _Panel, drift: Drift, color: str) -> None:
    shown = _shown(drift)
    times = drift.times[shown]
    single = panel.scale * np.linalg.norm(drift.errors[shown, :_TRACES, panel.part], axis=-1)
    axes.plot(times, single, color=color, linewidth=0.6, alpha=0.35, zorder=1)
    expected = panel.scale * drift.expected(panel.part)[shown]
    axes.plot(times, expected, color=color, linewidth=2.2, zorder=3)
    dots = np.unique(np.linspace(0, len(times) - 1, _DOTS).round().astype(int))
    measured = panel.scale * drift.measured(panel.part)[shown]
    look: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": "white", "clip_on": False}
    axes.plot(times[dots], measured[dots], "o", color=color, zorder=4, **look)


def _shown(drift: Drift) -> NDArray[np.bool_]:
    shown: NDArray[np.bool_] = drift.times >= drift.times[-1] / _SHOWN
    return shown


def _frame(axes: Axes, panel: _Panel, drifts: Mapping[str, Drift]) -> None:
    found = [panel.scale * d.measured(panel.part)[_shown(d)] for d in drifts.values()]
    sizes = np.concatenate(found)
    times = np.concatenate([d.times[_shown(d)] for d in drifts.values()])
    axes.set_xscale("log")
    if (sizes > 0.0).any():
        axes.set_yscale("log")
        axes.set_ylim(0.3 * sizes[sizes > 0.0].min(), 3.0 * sizes.max())
    axes.set_xlim(times.min(), times.max())
    marks = [m for m in MARKS if times.min() <= m < 0.7 * times.max()]
    ticks = [*marks, float(times.max())]
    axes.set_xticks(ticks, [f"{tick:.4g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"error of the {panel.title.lower()} [{panel.unit}]")
    axes.grid()


def _names(axes: Axes, panel: _Panel, drifts: Mapping[str, Drift]) -> None:
    """Write each name at the end of its line, and no two over each other."""
    if axes.get_yscale() != "log":
        # Sensors that do not err have one line, along the bottom.
        return
    ends = [panel.scale * float(d.measured(panel.part)[-1]) for d in drifts.values()]
    low, high = np.log(axes.get_ylim())
    # About what the title and the labels leave of the height.
    points = 0.7 * 72.0 * _HEIGHT / (high - low)
    places = [points * (np.log(max(end, 1e-300)) - low) for end in ends]
    for k, (drift, name) in enumerate(zip(drifts.values(), drifts, strict=True)):
        at = float(drift.times[-1]), ends[k]
        shift = 6.0, _apart(places)[k] - places[k]
        label(axes, name, at, COLORS[k % len(COLORS)], shift=shift)


def _apart(places: Sequence[float]) -> Array:
    """Return the places [points], moved so that neighbours are a line apart, and no more."""
    order = np.argsort(places)
    steps = _LINE * np.arange(len(places))
    # Blocks of neighbours too close share their mean: isotonic regression of what is left.
    found: list[tuple[float, int]] = []
    for value in np.asarray(places)[order] - steps:
        mean, size = float(value), 1
        while found and found[-1][0] > mean:
            before, count = found.pop()
            mean = (mean * size + before * count) / (size + count)
            size += count
        found.append((mean, size))
    moved = np.empty(len(places))
    moved[order] = np.concatenate([np.full(size, mean) for mean, size in found]) + steps
    return moved
