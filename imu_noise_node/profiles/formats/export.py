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

"""What the export formats share: three values for each figure, and which ones they cannot hold."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from ...model.spec import INERTIAL, ImuSpec, TriadSpec, figures_given
from .imported import three


def density(name: str, triad: TriadSpec, rate: float) -> tuple[NDArray[np.float64], list[str]]:
    """Return the white noise density [u/sqrt(Hz)] of x, y, z, and notes on what it leaves out.

    Parameters
    ----------
    rate : float
        Rate [Hz] at which noise per sample is read, where there is no density.
    """
    if triad.noise_covariance is not None:
        note = f"{name}: noise_covariance: only its diagonal is written"
        return np.sqrt(np.diagonal(_single(name, triad.noise_covariance))), [note]
    if triad.density is not None:
        return _single(name, triad.density), []
    sigma = _single(name, triad.noise_stddev)
    if sigma.any():
        note = f"{name}: noise_stddev, which holds at any rate, is written for {rate:g} Hz"
        return sigma / math.sqrt(rate), [note]
    return sigma, [f"{name} has no white noise: it is written as 0"]


def column(name: str, triad: TriadSpec, figure: str) -> NDArray[np.float64]:
    """Return a figure of x, y, z."""
    return _single(name, getattr(triad, figure))


def rms(values: NDArray[np.float64]) -> float:
    """Return the root mean square of a figure of x, y, z: one that has the same mean variance."""
    if (values == values[0]).all():
        # To the bit, which a square and its root need not be.
        return float(values[0])
    return float(np.sqrt(np.mean(values**2)))


def unwritten(spec: ImuSpec, written: Collection[str]) -> list[str]:
    """Return a note about the figures that are in none of those `written`."""
    lost = left_out(spec, written)
    return [f"not written, for the format has no place for it: {', '.join(lost)}"] if lost else []


def left_out(spec: ImuSpec, written: Collection[str]) -> list[str]:
    """Return the names of the figures, noise apart, that are in none of those `written`."""
    noise = ("noise_density", "noise_type", "noise_covariance", "noise_stddev")
    return [
        f"{name}.{figure}"
        for name, triad in spec.triads().items()
        for figure in figures_given(triad)
        if name not in INERTIAL or figure not in (*written, *noise)
    ]


def _single(name: str, value: Any) -> NDArray[np.float64]:
    """Return a figure as an array, of one sensor."""
    values = np.asarray(value, dtype=np.float64)
    if values.shape == (3, 3):
        return values
    try:
        return three(values)
    except (ParameterError, ValueError):
        raise ParameterError(name, values.shape, "must be one sensor, not a batch") from None
