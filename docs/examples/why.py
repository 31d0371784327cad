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

"""What noise that is right at one rate only does to a filter; draws the picture of docs/why.md.

Many error-state filters (eskf.py), each with a simulated IMU of its own, follow one flight with a
position fix every second. The normalised error squared after each fix, averaged over the filters,
must be 15, within the bounds of a chi-square law: then the errors are as large as the filter says.

    python3 docs/examples/why.py --picture why.png
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from eskf import GRAVITY, ErrorStateFilter, rotation, times, transposed

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.analysis.drawing import (
    BLUE,
    FAINT,
    GREY,
    INK,
    ORANGE,
    SKY,
    VERMILION,
    entitle,
    label,
    picture,
)

DATASHEET = ImuSpec(
    gyroscope=TriadSpec(noise_density=2e-4, random_walk=2e-6, turn_on_bias_stddev=2e-3),
    accelerometer=TriadSpec(noise_density=2e-3, random_walk=5e-5, turn_on_bias_stddev=2e-2),
)
"""A MEMS unit [rad/s, m/s^2]."""

START_STDDEV = np.repeat([0.1, 0.05, 0.01], 3)
"""Of the filters' errors at the start: position [m], velocity [m/s], attitude [rad]."""

FIX_INTERVAL, FIX_STDDEV = 1.0, 0.02
"""Seconds between position fixes, and the error of each axis [m]: satellite navigation, RTK."""

STATES = 15


def with_noise(spec, change):
    """Return `spec` with `change(noise_density)`, a mapping of figures, in both sensors."""
    triads = (spec.gyroscope, spec.accelerometer)
    gyroscope, accelerometer = (replace(t, **change(t.noise_density)) for t in triads)
    return replace(spec, gyroscope=gyroscope, accelerometer=accelerometer)


SAMPLE = with_noise(
    DATASHEET, lambda n: {"noise_density": None, "noise_stddev": n / np.sqrt(0.01)}
)
"""The same with the sigma that a sample has at 100 Hz, fixed."""

HALVED = with_noise(DATASHEET, lambda n: {"noise_density": n / 2.0})
"""What `SAMPLE` is at 400 Hz."""


class Case(NamedTuple):
    """Which sensor is simulated, how often it is read, and what the filter is told of it."""

    name: str
    sensor: ImuSpec
    rate: int
    told: ImuSpec
    color: str
    higher: float = 0.0
    """By how much its name is above its line's end [points]."""


CASES = (
    Case("density, 100 Hz", DATASHEET, 100, DATASHEET, SKY, 7.0),
    Case("density, 400 Hz", DATASHEET, 400, DATASHEET, BLUE, -7.0),
    Case("fixed sigma, 400 Hz", SAMPLE, 400, DATASHEET, ORANGE),
    Case("tuned to that, then\non the real sensor", DATASHEET, 400, HALVED, VERMILION),
)


def consistency(case, duration=60.0, runs=100, seed=0):
    """Return the times of the fixes [s], shape (n,), and the NEES after each, shape (n, runs)."""
    rng = np.random.default_rng(seed)
    model, kalman = ImuModel(case.sensor, seed, (runs,)), begun(case.told, rng, runs)
    steps = round(duration * case.rate)
    moments = np.arange(steps + 1) / case.rate
    readings = zip(*felt(moments), strict=True)
    every, dt, found = round(FIX_INTERVAL * case.rate), 1.0 / case.rate, []
    for k, (rate, force) in enumerate(readings, 1):
        m = model.step(dt, rate, force)
        kalman.predict(m.angular_velocity, m.linear_acceleration, dt)
        if k % every == 0:
            position, velocity, attitude = flight(moments[k])
            fix = position + FIX_STDDEV * rng.standard_normal((runs, 3))
            kalman.correct(fix, FIX_STDDEV)
            biases = m.bias.angular_velocity, m.bias.linear_acceleration
            found.append(kalman.nees(position, velocity, attitude, *biases))
    return moments[every::every], np.array(found)


def begun(spec, rng, runs):
    """Return filters that start where the flight does, but for their errors."""
    errors = START_STDDEV * rng.standard_normal((runs, 9))
    position, velocity, attitude = flight(0.0)
    turned = attitude @ rotation(-errors[:, 6:9])
    start = position - errors[:, 0:3], velocity - errors[:, 3:6], turned
    return ErrorStateFilter(spec, *start, START_STDDEV)


def bounds(runs, z=1.96):
    """Return between what the average of so many NEES is, in 95 % of cases.

    Chi-square quantiles by E. B. Wilson, M. M. Hilferty, The distribution of chi-square, 1931.
    """
    spread = 2.0 / (9.0 * runs * STATES)
    return tuple(STATES * (1.0 - spread + sign * z * np.sqrt(spread)) ** 3 for sign in (-1, 1))


SIZES, SPEEDS = np.array([8.0, 5.0, 2.0]), np.array([0.5, 1.0, 0.7])
"""Of the swings of the position along x, y and z [m, rad/s]."""

TURNS, TURN_SPEEDS = np.array([0.3, 0.2, 1.0]), np.array([0.9, 0.7, 0.3])
"""Of those of roll, pitch and yaw [rad, rad/s]."""


def flight(t):
    """Return position, velocity and attitude at times `t` [s] of any shape."""
    phase = np.asarray(t)[..., None] * SPEEDS
    angles = TURNS * np.sin(np.asarray(t)[..., None] * TURN_SPEEDS)
    roll, pitch, yaw = (rotation(angles * axis) for axis in np.eye(3))
    return SIZES * np.sin(phase), SIZES * SPEEDS * np.cos(phase), yaw @ pitch @ roll


def moment(t):
    """Return rate and specific force at times `t` [s], sensor axes."""
    phases = t[..., None] * TURN_SPEEDS
    roll, pitch, _ = np.moveaxis(TURNS * np.sin(phases), -1, 0)
    r, p, y = np.moveaxis(TURNS * TURN_SPEEDS * np.cos(phases), -1, 0)
    rate = [
        r - y * np.sin(pitch),
        p * np.cos(roll) + y * np.sin(roll) * np.cos(pitch),
        y * np.cos(roll) * np.cos(pitch) - p * np.sin(roll),
    ]
    acceleration = -SIZES * SPEEDS**2 * np.sin(t[..., None] * SPEEDS)
    force = times(transposed(flight(t)[2]), acceleration - GRAVITY)
    return np.stack(rate, axis=-1), force


def felt(moments):
    """Return mean rates and forces between `moments`, as a perfect IMU reads: Simpson's rule."""
    first, last = moments[:-1], moments[1:]
    parts = (moment(first), moment((first + last) / 2.0), moment(last))
    return tuple((a + 4.0 * b + c) / 6.0 for a, b, c in zip(*parts, strict=True))


def draw(path, results, runs):
    """Write the picture of (case, times, averages) for so many filters each."""
    low, high = bounds(runs)
    last = results[0][1][-1]
    with picture(path, width=8.6, height=4.6) as figure:
        entitle(figure, f"A filter as good as it says has a NEES of {STATES}, one for each state")
        axes = figure.subplots()
        axes.fill_between([0.0, last], low, high, color=FAINT, linewidth=0.0)
        axes.hlines(STATES, 0.0, last, color=GREY, linewidth=0.9)
        for case, moments, averages in results:
            axes.plot(moments, averages, color=case.color, linewidth=2.2)
            end = (last, np.exp(np.log(averages[-5:]).mean()))
            label(axes, case.name, end, case.color, shift=(7.0, case.higher))
        label(
            axes, "shaded: as good as it says, in 95 % of cases", (0.3 * last, high), INK, (0, 12)
        )
        label(axes, "errors larger than it says ↑", (0.02 * last, 45.0), GREY)
        label(axes, "errors smaller than it says ↓", (0.02 * last, 7.0), GREY)
        axes.set_yscale("log")
        axes.set_ylim(6.0, 50.0)
        axes.set_yticks([7.5, 10, 15, 20, 30, 40], ["7.5", "10", "15", "20", "30", "40"])
        axes.minorticks_off()
        axes.grid(axis="y")
        axes.set_xlim(0.0, last)
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"NEES, average of {runs} filters")


def main():
    """Run the cases, print what comes out, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", type=Path, metavar="PNG", help="file to draw")
    parser.add_argument("--runs", type=int, default=100, help="filters for each case")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: must be 1 or more")
    if options.picture is not None and not options.picture.parent.is_dir():
        parser.error(f"--picture {options.picture}: must be in a folder that exists")
    low, high = bounds(options.runs)
    print(f"{'':42}average NEES; 95 % of its values from {low:.1f} to {high:.1f}")
    results = []
    for case in CASES:
        moments, found = consistency(case, runs=options.runs)
        averages = found.mean(axis=1)
        results.append((case, moments, averages))
        shown = "".join(f"{averages[t]:8.1f}" for t in (9, 19, 29, 39, 49, 59))
        print(f"{case.name.replace(chr(10), ' '):42}{shown}", flush=True)
    if options.picture:
        draw(options.picture, results, options.runs)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
