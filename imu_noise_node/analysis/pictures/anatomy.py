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

"""One Allan deviation taken apart, and the record of a simulated sensor on top of it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...model.imu import ImuModel
from ...model.spec import ImuSpec, TriadSpec
from ...model.theory import Theory
from ...units import si
from ..drawing import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PURPLE,
    VERMILION,
    entitle,
    label,
    picture,
    plain_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

UNIT = si("1 deg/h", "rad/s")
"""That of the picture [rad/s]."""

RATE = 50.0
"""Captures per second of the record."""

GYROSCOPE = TriadSpec(
    noise_density=si("0.3 deg/sqrt(h)", "rad/s/sqrt(Hz)"),
    bias_instability=si("2 deg/h", "rad/s"),
    bias_stddev=si("6 deg/h", "rad/s"),
    bias_correlation_time=10.0,
    random_walk=si("0.12 deg/h/sqrt(s)", "rad/s/s/sqrt(Hz)"),
    resolution=si("160 deg/h", "rad/s"),
)
"""One that shows every term; a real one has some of them."""

TAUS: Array = np.geomspace(1.0 / RATE, 5e3, 161, dtype=np.float64)
"""Averaging times [s] of the curves."""

_LOWEST = 0.04
"""Lower edge of the picture [deg/h]."""

_LINES = {
    "white": (BLUE, "white noise"),
    "flicker": (GREEN, "bias instability"),
    "gauss_markov": (PURPLE, "Gauss-Markov"),
    "random_walk": (VERMILION, "random walk"),
    "resolution": (ORANGE, "resolution"),
}
"""Colour and name of each term."""


def plot_anatomy(path: Path, duration: float = 8 * 3600.0) -> None:
    """Write the picture, with a record of `duration` [s]."""
    with picture(path, width=8.6, height=5.4) as figure:
        draw_anatomy(figure, duration)


def draw_anatomy(figure: Figure, duration: float) -> None:
    """Draw the terms as lines, their sum, and what a record of `duration` [s] gives."""
    entitle(figure, "The Allan deviation of one gyroscope, taken apart")
    axes = figure.subplots()
    terms = allan_terms(TAUS)
    for term, (color, name) in _LINES.items():
        axes.plot(TAUS, terms[term], color=color, linewidth=1.4, label=name)
    axes.plot(TAUS, terms["total"], color=INK, linewidth=2.6, label="sum")
    times, deviations = record(duration)
    dots: dict[str, Any] = {"markersize": 5.5, "markerfacecolor": "white", "clip_on": False}
    axes.plot(times, deviations, "o", color=INK, label="record", zorder=4, **dots)
    _frame(axes)
    _name(axes, terms)
    _read_off(axes)


def allan_terms(taus: Array) -> dict[str, Array]:
    """Return the Allan deviation [deg/h] at `taus` [s] by term, and "total" with all of them."""
    theory = Theory.of(ImuSpec(gyroscope=GYROSCOPE)).allan_deviation(taus, 1.0 / RATE)
    return {term: theory["gyroscope"][term][:, 0] / UNIT for term in (*_LINES, "total")}


def record(duration: float) -> tuple[Array, Array]:
    """Simulate a parked gyroscope; return averaging times [s] and Allan deviations [deg/h]."""
    model = ImuModel(ImuSpec(gyroscope=GYROSCOPE), seed=3)
    steps = np.full(round(duration * RATE), 1.0 / RATE)
    rates = model.run(steps, np.zeros(3), np.zeros(3)).angular_velocity
    longest = len(rates) // 9
    sizes = np.unique(np.geomspace(1, longest, 23).round().astype(np.int64))
    # The three axes have the same figures.
    deviations = [
        math.sqrt(float(np.mean(overlapping_allan_variance(rates, int(size))))) for size in sizes
    ]
    return sizes / RATE, np.array(deviations) / UNIT


def overlapping_allan_variance(samples: Array, size: int) -> Array:
    """Return the Allan variance of evenly spaced `samples` for averages of `size` of them.

    Half the mean square of the difference of neighbouring averages, for every place at which a
    pair of them can begin.

    Parameters
    ----------
    samples : ndarray, shape (T, K)
    size : int
        At most T/2.

    Returns
    -------
    ndarray, shape (K,)
    """
    sums = np.concatenate([np.zeros((1, samples.shape[1])), np.cumsum(samples, axis=0)])
    differences = sums[2 * size :] - 2.0 * sums[size:-size] + sums[: -2 * size]
    variances: Array = 0.5 * np.mean(differences**2, axis=0) / size**2
    return variances


def _frame(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(TAUS[0], TAUS[-1] * 6.0)
    axes.set_ylim(_LOWEST, 300.0)
    axes.set_xlabel("averaging time τ [s]")
    axes.set_ylabel("Allan deviation [deg/h]")
    plain_numbers(axes)
    axes.set_xticks([0.1, 1.0, 10.0, 100.0, 1e3])
    axes.minorticks_off()
    axes.grid()


def _name(axes: Axes, terms: dict[str, Array]) -> None:
    """Write names where the lines end."""
    for term, (color, name) in _LINES.items():
        higher = 2.0 if term == "gauss_markov" else -1.0
        label(axes, name, (TAUS[-1], terms[term][-1]), color, shift=(5.0, higher))
    label(axes, "sum, and ○ a simulated record", (0.1, 60.0), INK, shift=(6.0, 10.0))


def _read_off(axes: Axes) -> None:
    """Mark where the figures of a datasheet are read."""
    white, floor, walk = (
        float(np.asarray(figure)) / UNIT
        for figure in (GYROSCOPE.noise_density, GYROSCOPE.bias_instability, GYROSCOPE.random_walk)
    )
    dotted: dict[str, Any] = {"color": GREY, "linewidth": 0.9, "linestyle": ":"}
    axes.vlines([1.0, 3.0], _LOWEST, [white, walk], **dotted)
    axes.hlines(floor, TAUS[0], 2.0, **dotted)
    marks = ((1.0, white, BLUE), (2.0, floor, GREEN), (3.0, walk, VERMILION))
    for time, level, color in marks:
        axes.plot([time], [level], "D", color=color, markersize=7.0, zorder=5)
    label(axes, "N = 0.3 deg/√h, read at 1 s", (1.0, white), BLUE, shift=(10.0, 13.0))
    label(axes, "B = 2 deg/h, the floor", (TAUS[0], floor), GREEN, shift=(6.0, 8.0))
    label(axes, "K = 0.12 deg/h/√s, read at 3 s", (3.0, walk), VERMILION, shift=(12.0, -6.0))
