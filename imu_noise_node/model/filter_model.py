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

"""What a filter needs to know of a sensor's errors over an interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError

Array = NDArray[np.float64]


class ErrorState(NamedTuple):
    """What one element of the state vector is.

    Attributes
    ----------
    sensor : str
    effect : str
        turn_on_bias, random_walk, gauss_markov, flicker/0, flicker/1, ..., or band_limited: white
        noise behind the sensor's bandwidth, which is no bias but has a memory too.
    axis : str
        x, y or z.
    """

    sensor: str
    effect: str
    axis: str


class Prior(NamedTuple):
    """What is known of the states before any measurement.

    Attributes
    ----------
    mean : ndarray, shape (*batch, n)
        [u]
    covariance : ndarray, shape (*batch, n, n)
        [u^2]
    """

    mean: Array
    covariance: Array


@dataclass(frozen=True, eq=False)
class FilterModel:
    """The joint law of a sensor's output error over an interval and its states at the end.

    With x the states at the interval's start,

        x_end = F x + w
        error = mean + H x + e

    w and e are normal, independent of x, and correlated with each other, since both come from
    what the processes do within the interval. A Kalman filter for correlated noise takes them as
    they are: with the gain K = (F P H^T + S^T)(H P H^T + R)^-1 it goes on to F x + K (error -
    mean - H x). The errors are those that do not depend on the signal; scale factor,
    misalignment, g-sensitivity, vibration and range are left out.

    Shapes: m outputs, n states; `*batch` where figures, age or temperature have batch axes. u is
    the unit of the sensor, and below of an average; an increment has u s in its place.

    Attributes
    ----------
    kind : str
        "increments": of velocity [m/s] and angle [rad], times the spec's `increments_scale`;
        "averages": mean errors over the interval [u].
    dt : float
        Length of the interval [s].
    outputs : tuple of str, length m
    states : tuple of ErrorState, length n
    mean : ndarray, shape (*batch, m)
        Constant bias and that of temperature [u].
    measurement : ndarray, shape (*batch, m, n)
        H.
    transition : ndarray, shape (*batch, n, n)
        F.
    conditional_covariance : ndarray, shape (*batch, m, m)
        R = Cov e [u^2]: of the error, given the states at the start.
    process_covariance : ndarray, shape (*batch, n, n)
        Q = Cov w [u^2].
    cross_covariance : ndarray, shape (*batch, m, n)
        S = Cov(e, w) [u^2].
    white_covariance, rounding_covariance : ndarray, shape (*batch, m, m)
        The parts of R that white noise and the resolution have [u^2].
    initial, start : Prior
        At reset and at the interval's start.
    """

    kind: str
    dt: float
    outputs: tuple[str, ...]
    states: tuple[ErrorState, ...]
    mean: Array
    measurement: Array
    transition: Array
    conditional_covariance: Array
    process_covariance: Array
    cross_covariance: Array
    white_covariance: Array
    rounding_covariance: Array
    initial: Prior
    start: Prior

    @property
    def end(self) -> Prior:
        """The states at the interval's end, before any measurement."""
        mean = (self.transition @ self.start.mean[..., None])[..., 0]
        return Prior(mean, _spread(self.transition, self.start) + self.process_covariance)

    @property
    def marginal_covariance(self) -> Array:
        """Covariance [u^2] of the error over the prior: what a sensor publishes as "total"."""
        return _spread(self.measurement, self.start) + self.conditional_covariance

    @property
    def sample_covariance(self) -> Array:
        """Covariance [u^2] of the error given the biases: what a sensor publishes as "sample".

        Noise that the bandwidth limits is no bias, so it counts in full.
        """
        noise = np.array([state.effect == "band_limited" for state in self.states], dtype=bool)
        return _spread(self.measurement * noise, self.start) + self.conditional_covariance

    def index(self, sensor: str | None = None, effect: str | None = None) -> list[int]:
        """Return where the states of a sensor, of an effect, or of both are; flicker is one."""
        return [
            i
            for i, state in enumerate(self.states)
            if sensor in (None, state.sensor) and effect in (None, state.effect.split("/")[0])
        ]

    def then(self, following: FilterModel) -> FilterModel:
        """Return the law of this interval and the `following` one together.

        Increments add up, averages are averaged by time. Gaussian moments carried through both:
        e = e1 + H2 w1 + e2, w = F2 w1 + w2.

        Raises
        ------
        ParameterError
            `following` has other outputs or states.
        """
        if (following.outputs, following.states) != (self.outputs, self.states):
            raise ParameterError("following", following.outputs, "must be of the same sensor")
        span = self.dt + following.dt
        averages = self.kind == "averages"
        one = self._times(self.dt / span) if averages else self
        two = following._times(following.dt / span) if averages else following
        h, f, q = two.measurement, two.transition, one.process_covariance
        both = one.cross_covariance @ _turned(h)
        return replace(
            one,
            dt=span,
            mean=one.mean + two.mean,
            measurement=one.measurement + h @ one.transition,
            transition=f @ one.transition,
            conditional_covariance=one.conditional_covariance
            + two.conditional_covariance
            + (h @ q @ _turned(h) + both + _turned(both)),
            process_covariance=f @ q @ _turned(f) + two.process_covariance,
            cross_covariance=(one.cross_covariance + h @ q) @ _turned(f) + two.cross_covariance,
            white_covariance=one.white_covariance + two.white_covariance,
            rounding_covariance=one.rounding_covariance + two.rounding_covariance,
        )

    def repeated(self, count: int) -> FilterModel:
        """Return the law of `count` such intervals together, in log2(count) steps."""
        if count == 1:
            return self
        half = self.repeated(count // 2)
        whole = half.then(half)
        return whole.then(self) if count % 2 else whole

    def _times(self, factor: float) -> FilterModel:
        """Return the law of `factor` times the error."""
        square = factor**2
        return replace(
            self,
            mean=factor * self.mean,
            measurement=factor * self.measurement,
            conditional_covariance=square * self.conditional_covariance,
            cross_covariance=factor * self.cross_covariance,
            white_covariance=square * self.white_covariance,
            rounding_covariance=square * self.rounding_covariance,
        )


def _spread(matrix: Array, prior: Prior) -> Array:
    """Return the covariance of `matrix` times the states."""
    covariance: Array = matrix @ prior.covariance @ _turned(matrix)
    return covariance


def _turned(matrix: Array) -> Array:
    return np.swapaxes(matrix, -1, -2)
