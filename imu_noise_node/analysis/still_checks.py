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

"""What tells a sensor at rest from one that moves, or whose readings are not what they seem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import InputError, MissingPackageError
from ..recordings.values import AXES, Findings, examine_values
from ..samples import Array
from .still_blocks import Window

FALSE_ALARM = 1e-6
"""How often a sensor at rest whose noise is white is taken for one that moves."""

_WANDER = 30.0
"""How many times as much as by white noise the averages of cells of a second may vary.

The slow noise of the ADIS16405, a poor one, makes it 4.4; a tilt by a degree in ten seconds,
a hundred and more."""

_OFTEN = 0.2
"""Share of readings that may repeat the one before, where it is not by chance."""

ROWS = {"gyroscope": slice(0, 3), "accelerometer": slice(3, 6)}
"""Rows of the sensors in the values of a record."""

_HIDDEN = 4.0
"""How many times the noise a step may be; rounding leaves nothing to measure of less noise."""

_COARSE = 0.5
"""How many times the noise a step is when it is worth a word: a fiftieth of the variance."""


def motion(window: Window, names: Sequence[str]) -> str:
    """Return in words how the sensor moves in a window; nothing where it is at rest.

    At rest the variances of the cells are alike by Bartlett's test (Proc. R. Soc. A 160, 1937) of
    all axes together, and their averages do not wander far more than white noise makes them.

    Parameters
    ----------
    names : sequence of str, length K
        Of the axes.

    Raises
    ------
    MissingPackageError
        scipy is not installed.
    """
    variances = window.cells.var(axis=2, ddof=1)
    count, size = window.cells.shape[1:]
    if not variances.all():
        axis = int(np.argmin(variances.min(axis=1)))
        return f"the {names[axis]} axis changes only now and then"
    odd = bartlett(variances, size)
    if odd.sum() > _chi_square_bound(len(odd) * (count - 1)):
        axis = int(np.argmax(odd))
        ratio = np.sqrt(variances[axis].max() / variances[axis].min())
        return f"the noise of the {names[axis]} axis changes {ratio:.2g}-fold"
    wanders = wander(window.cells)
    if wanders.max() > max(_WANDER, _f_bound(count - 1, count * (size - 1))):
        axis = int(np.argmax(wanders))
        ratio = np.sqrt(wanders[axis])
        return f"the mean of the {names[axis]} axis wanders {ratio:.2g} times as far as by noise"
    return ""


def bartlett(variances: Array, size: int) -> Array:
    """Return Bartlett's statistic of each axis, shape (K,): chi-square of C - 1 degrees.

    Parameters
    ----------
    variances : ndarray, shape (K, C)
        Of C cells.
    size : int
        Values from which each variance is.
    """
    count, degrees = variances.shape[1], size - 1
    spread = np.log(variances.mean(axis=1)) - np.log(variances).mean(axis=1)
    statistic: Array = count * degrees * spread / (1.0 + (count + 1) / (3.0 * count * degrees))
    return statistic


def wander(cells: Array) -> Array:
    """Return how much the averages of cells vary, by what white noise makes of it, shape (K,).

    That is the F of an analysis of variance; about 1 for white noise.

    Parameters
    ----------
    cells : ndarray, shape (K, C, n)
    """
    means, within = cells.mean(axis=2), cells.var(axis=2, ddof=1)
    ratio: Array = cells.shape[2] * means.var(axis=1, ddof=1) / within.mean(axis=1)
    return ratio


def check_readings(values: Array, names: Sequence[str], rate: float, source: str) -> list[str]:
    """Refuse readings that hide the noise of a sensor; return what is to be known of others.

    Parameters
    ----------
    values : ndarray, shape (6, n)
        Readings of the window [u], as in `ImuRecord`.
    names : sequence of str
        Of the sensors that there are.

    Raises
    ------
    InputError
        They do not change, repeat, or come in steps that are large against the noise.
    """
    found = examine_values(values)
    notes: list[str] = []
    if found.constant.any():
        axis = AXES[int(np.argmax(found.constant))]
        raise InputError(
            "recording", source, f"is dead where it is quietest: {axis} never changes"
        )
    for name in names:
        notes += _repeats(found, name, rate, source)
        notes += _steps(values[ROWS[name]], name, source)
    return notes


def _repeats(found: Findings, sensor: str, rate: float, source: str) -> Iterator[str]:
    if not found.is_repeating(sensor):
        return
    share = found.repeated[sensor] / found.count
    if share > _OFTEN:
        raise InputError(
            "recording",
            source,
            f"repeats {share:.0%} of the {sensor}'s readings: it is read at {rate:.4g} Hz, faster "
            f"than it updates, about {rate * (1.0 - share):.3g} Hz",
            "take each reading once",
        )
    yield f"{sensor}: {share:.0%} of the readings repeat the one before."


def _steps(values: Array, sensor: str, source: str) -> Iterator[str]:
    steps, sigma = resolution(values), values.std(axis=1, ddof=1)
    # Of readings too small to be squared sigma is 0.
    with np.errstate(divide="ignore"):
        ratios = steps / sigma
    axis = int(np.argmax(ratios))
    ratio = float(ratios[axis])
    said = f"its readings come in steps of {steps[axis]:.3g} ({'xyz'[axis]})"
    if ratio > _HIDDEN:
        raise InputError(
            "recording",
            source,
            f"hides the {sensor}'s noise: {said} and vary by {sigma[axis]:.2g}",
        )
    if ratio > _COARSE:
        yield f"{sensor}: {said}, {ratio:.2g} times their noise: rounding is part of the floor."


def resolution(values: Array) -> Array:
    """Return the smallest difference between readings of each axis, shape (3,) [u]."""
    return np.array([np.diff(np.unique(row)).min(initial=np.inf) for row in values])


def _chi_square_bound(degrees: int) -> float:
    return float(_special().chdtri(degrees, FALSE_ALARM))


def _f_bound(between: int, within: int) -> float:
    return float(_special().fdtri(between, within, 1.0 - FALSE_ALARM))


def _special() -> Any:
    """Return scipy.special, which the tool needs and the package can do without."""
    try:
        from scipy import special
    except ImportError:
        raise MissingPackageError("scipy", "the test for stillness", "pip install scipy") from None
    return special
