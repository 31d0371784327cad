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

"""One capture of one sensor through all stages at once, in plain floats.

A stage costs two to nine array operations, and on six numbers each of them takes as long as a
dozen operations on floats. This does what the stages and the converter do to a block of one, in
the same order and so to the bit, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chain import Chain
from .output import Converter
from .stretch import Stretch
from .thermal import ThermalState

Array = NDArray[np.float64]


_ROUNDER = 1.5 * 2.0**52
"""Added to a number and taken away again it leaves the nearest whole one, of two the even."""

_EXACT = 2.0**50
"""Up to here."""


Reading = tuple[list[float], list[float], list[float], ThermalState | None]
"""What the converter reads of one capture, its response and its offset (see `Passage`), K numbers
each [u], and what temperature did."""


class Lean:
    """Stands in for a chain and a converter while single captures come.

    Parameters
    ----------
    chain : Chain
        Of one sensor, without batch axes, that has had a capture before.
    converter : Converter
    """

    def __init__(self, chain: Chain, converter: Converter) -> None:
        self._chain = chain
        self._fixed = _fixed(chain, converter)
        self._count = len(self._fixed)
        self._axes: list[tuple[Any, ...]] = []
        self._adopt(None)
        self._bends = chain.nonlinearity is not None
        self._lags = chain.lowpass is not None
        self._rectifies = chain.rectification is not None
        self._dt = 0.0
        self._keep, self._pull = [0.0] * self._count, [1.0] * self._count
        self._last = [0.0] * self._count
        if chain.lowpass is not None:
            self._last = chain.lowpass.last.tolist()
        if chain.vibration is not None:
            self._mean = chain.vibration.mean.tolist()
            self._variance = chain.vibration.variance.tolist()
        self._still = [0.0] * self._count
        self._stretch: Stretch | None = None
        self._noise: list[list[float]] = []

    def apply(
        self,
        truth: list[float],
        dt: float,
        temperature: float | None,
        stretch: Stretch,
        place: int,
    ) -> Reading:
        """Return what becomes of `truth` [u], K numbers."""
        thermal = self._chain.climate.evaluate(temperature, dt, 1)
        if thermal is not self._thermal:
            self._adopt(thermal)
            noise = self._noise_at(stretch, place)
        else:
            if stretch is not self._stretch:
                self._listen(stretch)
            noise = self._noise[place]
        if dt != self._dt:
            self._discretise(dt)
        gyroscope, force = truth[0:3], truth[3:6]
        inputs = [gyroscope, gyroscope, gyroscope, force, force, force]
        if self._count > 6:
            inputs += [truth[6:9]] * 3
        variances = self._still if self._chain.vibration is None else self._vibrate(force)
        bends, lags, rectifies = self._bends, self._lags, self._rectifies
        values, response, offsets = [], [], []
        for (
            (x, y, z),
            (a, b, c, by_force, offset, by_square, rectification, step, limit),
            keep,
            pull,
            last,
            variance,
            fresh,
        ) in zip(
            inputs, self._axes, self._keep, self._pull, self._last, variances, noise, strict=True
        ):
            signal = a * x + b * y + c * z
            if by_force is not None:
                f, g, h = force
                signal = signal + by_force[0] * f + by_force[1] * g + by_force[2] * h
            if bends:
                signal += abs(signal) * by_square * signal
            if lags:
                signal = pull * signal + keep * last
            if rectifies:
                offset += rectification * variance
            value = signal + (offset + fresh)
            if step:
                steps = value / step
                if -_EXACT < steps < _EXACT:
                    value = ((steps + _ROUNDER) - _ROUNDER) * step
                else:
                    value = float(np.rint(steps)) * step
            response.append(signal)
            offsets.append(offset)
            values.append(limit if value > limit else 0.0 - limit if value < -limit else value)
        self._last = response
        return values, response, offsets, thermal

    def settle(self) -> None:
        """Give the stages of the chain the states that they would have."""
        chain = self._chain
        if chain.lowpass is not None:
            chain.lowpass.last = np.array(self._last)
        if chain.vibration is not None:
            chain.vibration.mean = np.array(self._mean)
            chain.vibration.variance = np.array(self._variance)

    def _adopt(self, thermal: ThermalState | None) -> None:
        """Take over what depends on temperature."""
        chain = self._chain
        self._thermal = thermal
        self._stretch = None
        offset = chain.offset if thermal is None else chain.offset + thermal.bias
        matrix = np.eye(self._count) if chain.linear is None else chain.linear.matrix(thermal)
        self._axes = []
        rows = zip(matrix.tolist(), offset.tolist(), self._fixed, strict=True)
        for k, (row, bias, fixed) in enumerate(rows):
            first = k - k % 3
            by_force = row[3:6] if k < 3 and any(row[3:6]) else None
            self._axes.append((*row[first : first + 3], by_force, bias, *fixed))

    def _listen(self, stretch: Stretch) -> None:
        """Take the noise of all captures of `stretch` out of its array at once."""
        self._stretch = stretch
        heat = None if self._thermal is None else self._thermal.noise
        noise = stretch.noise if heat is None else stretch.heated(slice(None), heat)
        self._noise = noise.tolist()

    def _noise_at(self, stretch: Stretch, place: int) -> list[float]:
        """Return the noise of one capture: temperature changes, and the next has another."""
        heat = None if self._thermal is None else self._thermal.noise
        if heat is None:
            self._listen(stretch)
            return self._noise[place]
        noise: list[float] = stretch.heated(slice(place, place + 1), heat)[0].tolist()
        return noise

    def _discretise(self, dt: float) -> None:
        self._dt = dt
        if self._chain.lowpass is not None:
            keep, pull = self._chain.lowpass.coefficients(dt)
            self._keep, self._pull = keep.tolist(), pull.tolist()
        if self._chain.vibration is not None:
            self._fade = self._chain.vibration.coefficients(dt)

    def _vibrate(self, force: Sequence[float]) -> list[float]:
        """Return the mean variance of the force for each axis; see `Vibration.follow`."""
        keep, pull, push, hold, spread = self._fade
        x, y, z = force
        mx, my, mz = self._mean
        vx, vy, vz = self._variance
        dx, dy, dz = x - mx, y - my, z - mz
        dx, dy, dz = dx * dx, dy * dy, dz * dz
        self._mean = [keep * mx + pull * x, keep * my + pull * y, keep * mz + pull * z]
        self._variance = [keep * vx + push * dx, keep * vy + push * dy, keep * vz + push * dz]
        averages = [dx * spread + hold * vx, dy * spread + hold * vy, dz * spread + hold * vz]
        return averages * (self._count // 3)


def _fixed(chain: Chain, converter: Converter) -> list[list[float]]:
    """Return what temperature leaves alone, for each axis.

    Error by square, bias by variance of the force, resolution and outermost value.
    """
    nothing = np.zeros(len(chain.offset))
    by_square = nothing if chain.nonlinearity is None else chain.nonlinearity.by_square
    rectification = nothing if chain.rectification is None else chain.rectification
    fixed: list[list[float]] = np.array(
        (by_square, rectification, converter.step, converter.limit)
    ).T.tolist()
    return fixed
