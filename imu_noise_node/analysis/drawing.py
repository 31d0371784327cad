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

"""What the pictures have in common: their look, their file, and labels beside lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackageError
from ..files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

BLUE, ORANGE, GREEN = "#0072B2", "#E69F00", "#009E73"
VERMILION, PURPLE, SKY = "#D55E00", "#CC79A7", "#56B4E9"
"""Colours of Okabe and Ito, which every kind of colour vision tells apart."""

INK, GREY, FAINT = "#333333", "#8c8c8c", "#e6e6e6"

_STYLE = {
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@contextmanager
def picture(path: Path, width: float, height: float, font: float = 10.0) -> Iterator[Figure]:
    """Yield a figure of that size [inches] and write it as PNG, whole or not at all.

    `font` is the size of its letters [points].

    Raises
    ------
    MissingPackageError
        matplotlib is not installed.
    """
    try:
        import matplotlib.style
        from matplotlib.figure import Figure
    except ImportError:
        remedy = "apt install python3-matplotlib, or pip install matplotlib"
        raise MissingPackageError("matplotlib", "a picture", remedy) from None
    with matplotlib.style.context(["default", {**_STYLE, "font.size": font}]):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        with replacing(path) as unfinished:
            figure.savefig(unfinished, format="png", dpi=150)


def entitle(figure: Figure, title: str) -> None:
    """Write the title of a whole picture, at its left edge."""
    figure.suptitle(title, x=0.012, ha="left", fontsize=12.0, weight="bold", wrap=True)


def head(axes: Axes, title: str, finding: str) -> None:
    """Write what a panel shows, and below it what is to be seen there."""
    axes.set_title(title, loc="left", weight="bold", fontsize=10.5, pad=20.0)
    axes.annotate(
        finding,
        (0.0, 1.0),
        xytext=(0.0, 7.0),
        xycoords="axes fraction",
        textcoords="offset points",
    )


def label(
    axes: Axes,
    text: str,
    at: tuple[float, float],
    color: str,
    shift: tuple[float, float] = (0.0, 0.0),
    ha: str = "left",
    va: str = "center",
) -> None:
    """Write `text` in the colour of its line, `shift` points away from the place `at`."""
    axes.annotate(
        text,
        at,
        xytext=shift,
        textcoords="offset points",
        color=color,
        ha=ha,
        va=va,
        weight="bold",
        annotation_clip=False,
    )


def plain_numbers(axes: Axes) -> None:
    """Write the decades of logarithmic axes as numbers: 0.01, 1, 100."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(numticks=20))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        axis.set_minor_formatter(NullFormatter())
