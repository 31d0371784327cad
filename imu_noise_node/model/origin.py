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

"""Response, bias and covariance of measurements, worked out only for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .blocks import Explanation, Replay
from .coefficients import Coefficients, diagonal
from .figures import FOREVER, Figures
from .stretch import Interval, Stretch
from .thermal import ThermalState

Array = NDArray[np.float64]

COVARIANCES = ("sample", "total")
"""What a covariance covers: this sample's fresh noise, or the biases' present variance too."""


@dataclass(frozen=True)
class Sensor:
    """What stays the same from sample to sample.

    Attributes
    ----------
    figures : Figures
    offset : ndarray, shape (*batch, K)
        Constant and turn-on bias [u].
    covariance : str
        One of COVARIANCES.
    """

    figures: Figures
    offset: Array
    covariance: str

    def covariance_of(self, c: Coefficients, age: Array, heat: Array | None = None) -> Array:
        """Return the covariance [u^2] of samples, shape (*batch, K, K).

        Parameters
        ----------
        c : Coefficients
        age : ndarray
            For how long the random walks have run at the interval's start [s], of a shape that
            broadcasts with (*batch, K).
        heat : ndarray, optional
            Factor of temperature on the noise, of a shape that broadcasts with (*batch, K).
        """
        fresh = c.fresh_covariance if heat is None else c.heated_covariance(heat)
        if self.covariance == "sample":
            return fresh
        return fresh + diagonal(self.bias_variance(c, age))

    def bias_variance(self, c: Coefficients, age: Array) -> Array:
        """Return the variance [u^2] that turn-on bias and processes bring to a sample.

        A random walk has grown by then to q^2 age; the other processes are stationary.
        """
        figures = self.figures
        stationary = (c.hold * figures.sigma) ** 2
        grown = 2.0 / FOREVER * np.asarray(age)
        walking = figures.is_walk.reshape(-1, *(1,) * (stationary.ndim - 1))
        variance = np.where(walking, stationary * grown, stationary).sum(axis=0)
        total: Array = variance + figures.turn_on_bias_stddev**2
        return total


class StepOrigin:
    """Origin of one sample.

    Without a `response` the sensor reads the truth, without an `offset` that of the sensor is
    added.
    """

    __slots__ = (
        "_age",
        "_offset",
        "_place",
        "_response",
        "_sensor",
        "_stretch",
        "_thermal",
        "_truth",
    )

    def __init__(
        self,
        sensor: Sensor,
        stretch: Stretch,
        place: int,
        age: Array,
        truth: Array,
        response: ArrayLike | None = None,
        offset: ArrayLike | None = None,
        thermal: ThermalState | None = None,
    ) -> None:
        self._sensor = sensor
        self._stretch = stretch
        self._place = place
        self._age = age
        self._truth = truth
        self._response = response
        self._offset = offset
        self._thermal = thermal

    def truth(self) -> Array:
        """Return what went in [u], shape (*batch, K)."""
        return self._truth

    def response(self) -> Array:
        """Return the truth as the sensor renders it [u], shape (*batch, K)."""
        return self._truth if self._response is None else np.asarray(self._response)

    def bias(self) -> Array:
        """Return the bias [u], shape (*batch, K)."""
        offset = self._sensor.offset if self._offset is None else self._offset
        bias: Array = offset + self._stretch.expected[self._place]
        return bias

    def covariance(self) -> Array:
        """Return the covariance [u^2], shape (K, K), or (*batch, K, K)."""
        heat = None if self._thermal is None else self._thermal.noise
        if heat is not None and heat.ndim > self._truth.ndim:
            heat = heat[0]
        return self._sensor.covariance_of(self._stretch.interval.coefficients, self._age, heat)


class Piece(NamedTuple):
    """Consecutive samples of a run with one interval length."""

    interval: Interval
    length: int


class RunOrigin:
    """Origin of all samples of a run.

    Parameters
    ----------
    sensor : Sensor
    replay : Replay
    pieces : list of Piece
        T samples together.
    ages : ndarray, shape (T, ...)
        For how long the random walks have run at each interval's start [s].
    """

    def __init__(self, sensor: Sensor, replay: Replay, pieces: list[Piece], ages: Array) -> None:
        self._sensor = sensor
        self._replay = replay
        self._pieces = pieces
        self._ages = ages

    def truth(self) -> Array:
        """Return what went in [u], shape (T, *batch, K)."""
        return self._replay.truth

    def response(self) -> Array:
        """Return the truth as the sensor renders it [u], shape (T, *batch, K)."""
        return self._explanation.response

    def bias(self) -> Array:
        """Return the bias [u], shape (T, *batch, K)."""
        return self._explanation.bias

    @cached_property
    def _explanation(self) -> Explanation:
        return self._replay.explain()

    def covariance(self) -> Array:
        """Return the covariance [u^2], shape (T, K, K), or (T, *batch, K, K)."""
        first = self._pieces[0].interval
        heats = self._replay.heats
        if (
            self._sensor.covariance == "sample"
            and not heats
            and all(piece.interval.dt == first.dt for piece in self._pieces)
        ):
            fresh = first.coefficients.fresh_covariance
            return np.broadcast_to(fresh, (len(self._ages), *fresh.shape))
        heat = self._explanation.heat if heats else None
        blocks = []
        start = 0
        for interval, length in self._pieces:
            for k in range(start, start + length):
                warmth = None if heat is None else heat[k]
                blocks.append(
                    self._sensor.covariance_of(interval.coefficients, self._ages[k], warmth)
                )
            start += length
        return np.stack(blocks)
