"""One capture of one sensor through all stages at once, in plain floats.

A stage costs two to nine array operations, and on six numbers each of them takes as long as a
dozen operations on floats. This does what the stages and the converter do to a block of one, in
the same order and so to the bit, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chain import Chain, Passage
from .output import Converter
from .stretch import Stretch
from .thermal import ThermalState

Array = NDArray[np.float64]


_ROUNDER = 1.5 * 2.0**52
"""Added to a number and taken away again it leaves the nearest whole one, of two the even."""

_EXACT = 2.0**50
"""Up to here."""


class _Axis(NamedTuple):
    """What temperature leaves alone in an axis; see `Nonlinearity`, `Chain` and `Converter`."""

    by_square: float
    rectification: float
    step: float
    limit: float


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
        self._adopt(None)
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
    ) -> tuple[list[float], Passage, ThermalState | None]:
        """Return what the converter reads of `truth` [u], K numbers, and what it came from."""
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
        force = truth[3:6]
        variances = self._still if self._chain.vibration is None else self._vibrate(force)
        gyroscope = truth[0:3]
        inputs = [gyroscope, gyroscope, gyroscope, force, force, force]
        if self._count > 6:
            inputs += [truth[6:9]] * 3
        values, response, offsets = [], [], []
        for (x0, x1, x2), (a, b, c), by_force, offset, fixed, keep, pull, last, variance, n in zip(
            inputs,
            self._rows,
            self._by_force,
            self._offset,
            self._fixed,
            self._keep,
            self._pull,
            self._last,
            variances,
            noise,
            strict=True,
        ):
            by_square, rectification, step, limit = fixed
            y = a * x0 + b * x1 + c * x2
            if by_force is not None:
                y = y + by_force[0] * force[0] + by_force[1] * force[1] + by_force[2] * force[2]
            y += abs(y) * y * by_square
            y = pull * y + keep * last
            offset += rectification * variance
            z = y + (offset + n)
            if step:
                steps = z / step
                if -_EXACT < steps < _EXACT:
                    z = ((steps + _ROUNDER) - _ROUNDER) * step
                else:
                    z = float(np.rint(steps)) * step
            response.append(y)
            offsets.append(offset)
            values.append(limit if z > limit else -limit if z < -limit else z)
        self._last = response
        return values, Passage([response], [offsets]), thermal

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
        self._offset = (chain.offset if thermal is None else chain.offset + thermal.bias).tolist()
        matrix = np.eye(self._count) if chain.linear is None else chain.linear.matrix(thermal)
        rows = matrix.tolist()
        self._rows = [row[k - k % 3 : k - k % 3 + 3] for k, row in enumerate(rows)]
        self._by_force = [
            row[3:6] if k < 3 and any(row[3:6]) else None for k, row in enumerate(rows)
        ]

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
        means, variances, averages = [], [], []
        for f, mean, variance in zip(force, self._mean, self._variance, strict=True):
            d = f - mean
            square = d * d
            means.append(keep * mean + pull * f)
            variances.append(keep * variance + push * square)
            averages.append(square * spread + hold * variance)
        self._mean, self._variance = means, variances
        return averages * (self._count // 3)


def _fixed(chain: Chain, converter: Converter) -> list[_Axis]:
    count = len(chain.offset)
    nothing = np.zeros(count)
    by_square = nothing if chain.nonlinearity is None else chain.nonlinearity.by_square
    rectification = nothing if chain.rectification is None else chain.rectification
    figures = (by_square, rectification, converter.step, converter.limit)
    return [_Axis(*numbers) for numbers in np.array(figures).T.tolist()]
