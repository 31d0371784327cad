"""Bias and covariance of measurements, worked out only for those who ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blocks import Replay
from .coefficients import Coefficients, diagonal
from .figures import FOREVER, Figures
from .stretch import Interval, Stretch

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

    def covariance_of(self, c: Coefficients, age: Array) -> Array:
        """Return the covariance [u^2] of samples, shape (*batch, K, K).

        Parameters
        ----------
        c : Coefficients
        age : ndarray
            For how long the random walks have run at the interval's start [s], of a shape that
            broadcasts with (*batch, K).
        """
        if self.covariance == "sample":
            return c.fresh_covariance
        return c.fresh_covariance + diagonal(self.bias_variance(c, age))

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
    """Origin of one sample."""

    __slots__ = ("_age", "_place", "_sensor", "_stretch", "_truth")

    def __init__(
        self, sensor: Sensor, stretch: Stretch, place: int, age: Array, truth: Array
    ) -> None:
        self._sensor = sensor
        self._stretch = stretch
        self._place = place
        self._age = age
        self._truth = truth

    def truth(self) -> Array:
        """Return what went in [u], shape (*batch, K)."""
        return self._truth

    def bias(self) -> Array:
        """Return the bias [u], shape (*batch, K)."""
        bias: Array = self._sensor.offset + self._stretch.expected[self._place]
        return bias

    def covariance(self) -> Array:
        """Return the covariance [u^2], shape (K, K), or (*batch, K, K)."""
        return self._sensor.covariance_of(self._stretch.interval.coefficients, self._age)


class Piece(NamedTuple):
    """Consecutive samples of a run with one interval length."""

    interval: Interval
    length: int


class RunOrigin:
    """Origin of all samples of a run.

    Parameters
    ----------
    replay : Replay
    pieces : list of Piece
        T samples together.
    ages : ndarray, shape (T, ...)
        For how long the random walks have run at each interval's start [s].
    given : tuple of ndarray
        True rate and force, broadcasting with shape (T, *batch, 3); not copied.
    """

    def __init__(
        self,
        sensor: Sensor,
        replay: Replay,
        pieces: list[Piece],
        ages: Array,
        given: tuple[Array, Array],
    ) -> None:
        self._sensor = sensor
        self._replay = replay
        self._pieces = pieces
        self._ages = ages
        self._given = given

    def truth(self) -> Array:
        """Return what went in [u], shape (T, *batch, K)."""
        shape = (len(self._ages), *self._sensor.offset.shape[:-1], 3)
        return np.concatenate([np.broadcast_to(g, shape) for g in self._given], axis=-1)

    def bias(self) -> Array:
        """Return the bias [u], shape (T, *batch, K)."""
        return self._bias

    @cached_property
    def _bias(self) -> Array:
        bias: Array = self._sensor.offset + self._replay.expected()
        return bias

    def covariance(self) -> Array:
        """Return the covariance [u^2], shape (T, K, K), or (T, *batch, K, K)."""
        first = self._pieces[0].interval
        if self._sensor.covariance == "sample" and all(
            piece.interval.dt == first.dt for piece in self._pieces
        ):
            fresh = first.coefficients.fresh_covariance
            return np.broadcast_to(fresh, (len(self._ages), *fresh.shape))
        blocks = []
        start = 0
        for piece in self._pieces:
            ages = self._ages[start : start + piece.length]
            c = piece.interval.coefficients
            blocks += [self._sensor.covariance_of(c, age) for age in ages]
            start += piece.length
        return np.stack(blocks)
