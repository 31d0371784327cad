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

"""The picture of Allan curves: what was measured, its confidence, and the terms fitted to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..model.spec import UNITS
from ..units import si
from .allan import AllanCurves
from .allan_terms import LETTERS, TERMS, Array, shapes
from .drawing import BLUE, GREEN, GREY, INK, ORANGE, entitle, head, label, picture, plain_numbers
from .fit import AxisFit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLORS = (BLUE, ORANGE, GREEN)
_FINE = 200
_ROOM = 1.6
"""Half of the free factor above and below the curves, where the legend and the terms are."""


class _Panel(NamedTuple):
    sensor: str
    axes: slice
    unit: str
    shown: str


_PANELS = (
    _Panel("gyroscope", slice(0, 3), "deg/h", "deg/h"),
    _Panel("accelerometer", slice(3, 6), "ug", "µg"),
)


def plot_allan(
    path: Path,
    curves: AllanCurves,
    fits: Sequence[AxisFit | None],
    bands: tuple[Array, Array],
    title: str,
) -> None:
    """Draw a panel for each sensor that there is, as PNG.

    Parameters
    ----------
    path : Path
    curves : AllanCurves
    fits : sequence of AxisFit or None, length 6
    bands : tuple of ndarray, shape (2,)
        As given to `fit`.
    title : str
    """
    panels = [
        (panel, band) for panel, band in zip(_PANELS, bands, strict=True) if any(fits[panel.axes])
    ]
    with picture(path, width=4.6 * len(panels), height=4.6, font=9.0) as figure:
        entitle(figure, title)
        grid = figure.subplots(1, len(panels), squeeze=False)[0]
        for axes, (panel, band) in zip(grid, panels, strict=True):
            _draw(axes, panel, curves, fits[panel.axes], (float(band[0]), float(band[1])))


def _draw(
    axes: Axes,
    panel: _Panel,
    curves: AllanCurves,
    fits: Sequence[AxisFit | None],
    band: tuple[float, float],
) -> None:
    unit = si(f"1 {panel.unit}", UNITS[panel.sensor])
    deviations = curves.deviations[panel.axes] / unit
    _frame(axes, panel, curves, deviations)
    for name, color, measured, found in zip("xyz", _COLORS, deviations, fits, strict=True):
        if found is not None:
            low, high = _confidence(curves, measured, found)
            axes.fill_between(curves.taus, low, high, color=color, alpha=0.18, linewidth=0.0)
            axes.plot(curves.taus, measured, color=color, linewidth=1.8, label=name)
            fine = np.geomspace(found.shortest, curves.taus[-1], _FINE)
            # Of the terms that are seen: it is the curve of the profile that is written.
            total = np.sqrt(shapes(fine, band) @ (found.values * found.seen) ** 2) / unit
            axes.plot(fine, total, color=INK, linewidth=0.9, linestyle=(0, (4.0, 2.0)))
    axes.plot([], [], color=INK, linewidth=0.9, linestyle=(0, (4.0, 2.0)), label="fit")
    _terms(axes, curves, fits, band, unit)
    axes.legend(loc="upper center", frameon=False, ncols=4, handlelength=1.6)


def _frame(axes: Axes, panel: _Panel, curves: AllanCurves, deviations: Array) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(curves.taus[0], curves.taus[-1])
    positive = deviations[deviations > 0.0]
    axes.set_ylim(positive.min() / (2.0 * _ROOM), positive.max() * 2.0 * _ROOM)
    head(
        axes,
        panel.sensor.capitalize(),
        "shaded: 95 % confidence; grey: the largest of each term",
    )
    axes.set_xlabel("averaging time [s]")
    axes.set_ylabel(f"Allan deviation [{panel.shown}]")
    plain_numbers(axes)
    axes.minorticks_off()
    axes.grid()


def _confidence(curves: AllanCurves, measured: Array, found: AxisFit) -> tuple[Array, Array]:
    """Return the 95 % interval of each deviation, from its equivalent degrees of freedom."""
    from scipy.stats import chi2

    octaves = np.log(curves.taus[curves.octaves])
    freedom = np.exp(np.interp(np.log(curves.taus), octaves, np.log(found.freedom)))
    low = measured * np.sqrt(freedom / chi2.ppf(0.975, freedom))
    return low, measured * np.sqrt(freedom / chi2.ppf(0.025, freedom))


def _terms(
    axes: Axes,
    curves: AllanCurves,
    fits: Sequence[AxisFit | None],
    band: tuple[float, float],
    unit: float,
) -> None:
    """Draw each term on the axis where it is largest, with its letter and that of the axis.

    A mean of the axes would be the term of none of them, and lie beside every curve.
    """
    seen = np.array([np.zeros(len(TERMS)) if f is None else f.values * f.seen for f in fits])
    fine = np.geomspace(curves.taus[0], curves.taus[-1], _FINE)
    bottom, top = axes.get_ylim()
    for place, shape in enumerate(shapes(fine, band).T):
        worst = int(np.argmax(seen[:, place]))
        line = seen[worst, place] * np.sqrt(shape) / unit
        inside = np.flatnonzero((line > bottom) & (line < top))
        if len(inside):
            axes.plot(fine, line, color=GREY, linewidth=1.0, zorder=1)
            last = inside[-1]
            # Beside the panel, or within it where the line leaves it below.
            shift = (5.0, 0.0) if last == len(fine) - 1 else (3.0, 8.0)
            text = f"{LETTERS[TERMS[place]]} {'xyz'[worst]}"
            label(axes, text, (fine[last], line[last]), GREY, shift=shift)
