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

"""Allan deviations of the grades of IMUs, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.spec import UNITS, ImuSpec
from ...model.theory import Theory
from ...units import si
from ..drawing import GREEN, INK, VERMILION, entitle, head, label, picture, plain_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

PARTS = {"adis16470": "ADIS16470", "stim300": "STIM300"}
"""Presets of real sensors whose makers state a bias instability, and their names."""

TAUS: Array = np.geomspace(0.1, 1e3, 81, dtype=np.float64)
"""Averaging times [s] from one end of the curves to the other."""

_SHADES = ("#7fb8de", "#4a9bd0", "#1f7dbb", "#0b5a91", "#033a61")
"""From light to dark, one for each grade."""

_ACCENTS = (VERMILION, GREEN)

_BIAS_AT, _RIGHT = 2.5e5, 2.5e6
"""Where beside the curves the turn-on biases and the edge are, on the axis of the times."""


class Panel(NamedTuple):
    """A sensor, the unit in which datasheets have it, and how that looks in the picture."""

    sensor: str
    unit: str
    shown: str
    limits: tuple[float, float]
    finding: str


PANELS = (
    Panel("gyroscope", "deg/h", "deg/h", (2e-4, 4e2), "dashed: real parts, with their floors"),
    Panel("accelerometer", "ug", "µg", (3e-2, 2e4), "dots: one sigma of the bias per run"),
)


def plot_ladder(path: Path, grades: Mapping[str, ImuSpec], parts: Mapping[str, ImuSpec]) -> None:
    """Write the picture of specs by name: grades, the worst first, and some real parts."""
    with picture(path, width=8.6, height=4.8) as figure:
        draw_ladder(figure, grades, parts)


def draw_ladder(
    figure: Figure, grades: Mapping[str, ImuSpec], parts: Mapping[str, ImuSpec]
) -> None:
    """Draw gyroscopes to the left and accelerometers to the right."""
    entitle(figure, "Five grades of IMU by theory")
    for axes, panel in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
        _frame(axes, panel)
        for (name, spec), shade in zip(grades.items(), _SHADES, strict=False):
            _curve(axes, panel, name, spec, shade, "-")
            _bias(axes, panel, spec, shade)
        for (name, spec), accent in zip(parts.items(), _ACCENTS, strict=False):
            _curve(axes, panel, name, spec, accent, (0, (4.0, 1.5)))


def _frame(axes: Axes, panel: Panel) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(TAUS[0], _RIGHT)
    axes.set_ylim(*panel.limits)
    head(axes, panel.sensor.capitalize(), panel.finding)
    axes.set_xlabel("averaging time [s]", x=0.28)
    axes.set_ylabel(f"Allan deviation [{panel.shown}]")
    plain_numbers(axes)
    decades = [0.1, 1.0, 10.0, 100.0, 1e3]
    axes.set_xticks([*decades, _BIAS_AT], [*(f"{t:,g}" for t in decades), "turn-on bias"])
    axes.minorticks_off()
    axes.grid(axis="y")


def _curve(axes: Axes, panel: Panel, name: str, spec: ImuSpec, color: str, style: object) -> None:
    total = Theory.of(spec).allan_deviation(TAUS)[panel.sensor]["total"][:, 0]
    if total.any():
        total = total / _unit(panel)
        width = 2.4 if style == "-" else 1.6
        axes.plot(TAUS, total, color=color, linewidth=width, linestyle=style, label=name)
        lower = 0.0 if style == "-" else -3.0
        label(axes, name, (TAUS[-1], total[-1]), color, shift=(5.0, lower))


def _bias(axes: Axes, panel: Panel, spec: ImuSpec, color: str) -> None:
    bias = np.broadcast_to(getattr(spec, panel.sensor).turn_on_bias_stddev, 3)[0] / _unit(panel)
    if bias > 0.0:
        axes.plot([_BIAS_AT], [bias], "o", color=color, markersize=6.0)
        label(axes, f"{bias:,.10g}", (_BIAS_AT, bias), INK, shift=(6.0, 0.0))


def _unit(panel: Panel) -> float:
    """Return the unit of a panel in SI."""
    return si(f"1 {panel.unit}", UNITS[panel.sensor])
