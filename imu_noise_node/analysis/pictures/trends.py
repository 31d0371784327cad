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

"""Bias, scale factor and noise against temperature, and a sensor that warms up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...model.imu import ImuModel
from ...model.spec import ImuSpec, TriadSpec
from ...units import si
from ..drawing import BLUE, GREY, INK, ORANGE, VERMILION, entitle, head, label, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

RATE = 100.0
"""Captures per second."""

GYROSCOPE = TriadSpec(
    noise_density=si("0.014 deg/s/sqrt(Hz)", "rad/s/sqrt(Hz)"),
    temperature_bias=si("0.015 deg/s/degC", "rad/s/degC"),
    temperature_scale_factor=si("0.03 %/degC", "1/degC"),
    temperature_noise=si("0.4 %/degC", "1/degC"),
)

SPEC = ImuSpec(gyroscope=GYROSCOPE, warm_up_time=300.0)

COLD, HOT = -40.0, 85.0
"""Ends of the scale of temperature [degC]."""

AMBIENT = 60.0
"""Temperature about the sensor that warms up [degC]."""

_DOTTED: dict[str, Any] = {"color": GREY, "linewidth": 0.9, "linestyle": ":", "zorder": 1}

_DEGREE = si("1 deg/s", "rad/s")
_TURNING = 100.0
"""Rate of the turntable that shows the scale factor [deg/s]."""


def plot_trends(path: Path, duration: float = 60.0) -> None:
    """Write the picture; at each temperature `duration` [s] are simulated."""
    with picture(path, width=8.6, height=6.0) as figure:
        draw_trends(figure, duration)


def draw_trends(figure: Figure, duration: float) -> None:
    """Draw the formulas as lines and what the model puts out as dots."""
    entitle(figure, "What temperature does to one gyroscope")
    (bias, scale), (noise, warm_up) = figure.subplots(2, 2)
    temperatures = np.linspace(COLD, HOT, 11, dtype=np.float64)
    measured = np.array([_measure(celsius, duration) for celsius in temperatures]).T
    lines = formulas(temperatures)
    panels = (
        (bias, BLUE, "Bias", "0.015 deg/s per degC", "bias [deg/s]"),
        (scale, ORANGE, "Scale factor", "0.03 % per degC", "error of the scale factor [%]"),
        (noise, VERMILION, "Noise", "0.4 % per degC", "sigma at 100 Hz [deg/s]"),
    )
    for (axes, color, *texts), line, dots in zip(panels, lines, measured, strict=True):
        axes.plot(temperatures, line, color=color, linewidth=2.0, label="formula")
        axes.plot(temperatures, dots, "o", color=INK, markerfacecolor="white", label="model")
        axes.axvline(SPEC.reference_temperature, **_DOTTED)
        _frame(axes, *texts)
    noise.set_ylim(0.0, 1.1 * measured[2].max())
    _warm_up(warm_up)
    handles = warm_up.get_legend_handles_labels()
    figure.legend(*handles, loc="upper right", ncols=2, frameon=False)


def formulas(temperatures: Array) -> tuple[Array, Array, Array]:
    """Return bias [deg/s], error of the scale factor [%] and sigma [deg/s] by temperature."""
    change = temperatures - SPEC.reference_temperature
    sigma = np.asarray(GYROSCOPE.noise_density) * np.sqrt(RATE) / _DEGREE
    return (
        np.asarray(GYROSCOPE.temperature_bias) / _DEGREE * change,
        np.asarray(GYROSCOPE.temperature_scale_factor) * 100.0 * change,
        sigma * (1.0 + np.asarray(GYROSCOPE.temperature_noise) * change),
    )


def warming(times: Array) -> Array:
    """Return the bias [deg/s] at `times` [s] after switching on, at `AMBIENT`."""
    change = AMBIENT - SPEC.reference_temperature
    bias: Array = np.asarray(GYROSCOPE.temperature_bias) / _DEGREE * change
    biases: Array = bias * -np.expm1(-3.0 * times / SPEC.warm_up_time)
    return biases


def _measure(celsius: float, duration: float) -> tuple[float, float, float]:
    """Put a warm sensor on a turntable: mean at rest, slope, and sigma, as in `formulas`."""
    model = ImuModel(ImuSpec(gyroscope=GYROSCOPE), seed=5)
    steps = np.full(round(duration * RATE), 1.0 / RATE)
    at_rest, forth, back = (
        model.run(steps, rate * _DEGREE, np.zeros(3), temperature=celsius).angular_velocity
        / _DEGREE
        for rate in (0.0, _TURNING, -_TURNING)
    )
    slope = (forth.mean() - back.mean()) / (2.0 * _TURNING)
    sigma = np.sqrt(at_rest.var(axis=0).mean())
    return float(at_rest.mean()), 100.0 * (float(slope) - 1.0), float(sigma)


def _warm_up(axes: Axes) -> None:
    last = 2.0 * SPEC.warm_up_time
    steps = np.full(round(last * RATE), 1.0 / RATE)
    measured = ImuModel(SPEC, seed=5).run(steps, np.zeros(3), np.zeros(3), temperature=AMBIENT)
    every = round(20.0 * RATE)
    averages = measured.angular_velocity.reshape(-1, every, 3).mean(axis=(1, 2)) / _DEGREE
    times = np.linspace(0.0, last, 121, dtype=np.float64)
    axes.plot(times, warming(times), color=BLUE, linewidth=2.0, label="formula")
    middles = (np.arange(len(averages)) + 0.5) * 20.0
    axes.plot(middles, averages, "o", color=INK, markerfacecolor="white", label="model")
    reached = float(warming(np.array(SPEC.warm_up_time)))
    axes.vlines(SPEC.warm_up_time, 0.0, reached, **_DOTTED)
    axes.hlines(reached, 0.0, SPEC.warm_up_time, **_DOTTED)
    label(axes, "95 % at the\nwarm-up time", (SPEC.warm_up_time, 0.0), INK, shift=(6.0, 24.0))
    _frame(axes, "Warm-up", "switched on at 25 degC, in air of 60 degC", "bias [deg/s]")
    axes.set_xlabel("time since switching on [s]")
    axes.set_ylim(0.0, None)


def _frame(axes: Axes, title: str, finding: str, quantity: str) -> None:
    head(axes, title, finding)
    axes.set_xlabel("temperature [degC]")
    axes.set_ylabel(quantity)
    axes.grid(axis="y")
