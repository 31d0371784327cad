"""The bank of random processes: white noise, random walk, Gauss-Markov, flicker, in one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .coefficients import Coefficients, Remainder, coefficients
from .figures import Figures, slots
from .recursion import recur
from .spec import SENSORS
from .streams import Streams

Array = NDArray[np.float64]

_CACHED_INTERVALS = 64
_NUMBERS_PER_STRETCH = 100_000
"""Normals drawn at once in a long run: few enough to stay in the processor's cache."""


@dataclass(frozen=True)
class Stretch:
    """Consecutive captures that are the same time apart, n of them.

    Attributes
    ----------
    coefficients : Coefficients
    states : ndarray, shape (n + 1, P, *batch, K)
        The processes [u] before the first capture and after each.
    noise : ndarray, shape (n, *batch, K)
        What each sample contains of noise and processes [u].
    """

    coefficients: Coefficients
    states: Array
    noise: Array

    @cached_property
    def expected(self) -> Array:
        """What the processes at each interval's start lead to expect of `noise`, its shape."""
        held: Array = (self.coefficients.hold * self.states[:-1]).sum(axis=1)
        return held


class Bank:
    """The random processes of one model and where they stand.

    Parameters
    ----------
    figures : Figures
    streams : Streams
    batch : tuple of int
        Shape of the batch of independent sensors.
    """

    def __init__(self, figures: Figures, streams: Streams, batch: tuple[int, ...]) -> None:
        self._streams = streams
        self._batch = batch
        self._taken = 0
        self._axes = figures.sigma.shape[-1]
        self._adopt(figures)
        self._begin(self._start())

    def step(self, dt: float) -> tuple[Stretch, int]:
        """Advance by one capture; return the stretch it belongs to and its place there."""
        if self._taken == len(self._stretch.noise) or dt != self._stretch.coefficients.dt:
            self._plan(dt)
        place = self._taken
        self._taken = place + 1
        self._streams.used += 1
        return self._stretch, place

    def run(self, dt: float, count: int) -> Stretch:
        """Advance by at most `count` captures `dt` [s] apart, fewer if a stretch is full."""
        states = self.states
        per_capture = max(1, states.size + self._axes)
        count = min(count, max(1, _NUMBERS_PER_STRETCH // per_capture))
        self._stretch = self._advance(self._coefficients(dt), states, self._streams.take(count))
        self._taken = count
        return self._stretch

    @property
    def states(self) -> Array:
        """The processes at the last capture [u], shape (P, *batch, K)."""
        states: Array = self._stretch.states[self._taken]
        return states

    @property
    def figures(self) -> Figures:
        """The figures in use."""
        return self._figures

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin again; with `where`, shape (*batch, 1), only those members, with new draws."""
        fresh = self._start()
        self._begin(fresh if where is None else np.where(where, fresh, self.states))

    def retune(self, figures: Figures) -> None:
        """Go on with new figures from the present states.

        An effect that was off starts as after a reset; one that is switched off is gone at once.
        """
        old, states = self._figures, self.states
        self._streams.settle()
        self._adopt(figures)
        fresh = self._start()
        for p, label in enumerate(figures.labels):
            if label in old.labels:
                q = old.labels.index(label)
                kept = (old.sigma[q] > 0.0) & (figures.sigma[p] > 0.0)
                fresh[p] = np.where(kept, states[q], fresh[p])
        self._begin(fresh)

    def settle(self) -> Array:
        """Forget what was computed ahead, streams included, and return the present states."""
        self._begin(self.states.copy())
        return self.states

    def restore(self, states: Any) -> None:
        """Continue from states that `settle` returned, as an array or nested lists.

        Raises
        ------
        ValueError
            The shape is not that of this bank.
        """
        values = np.asarray(states, dtype=np.float64).reshape(self.states.shape)
        self._begin(values)

    def _adopt(self, figures: Figures) -> None:
        self._figures = figures
        self._remainder = Remainder(figures)
        self._cache: dict[float, Coefficients] = {}
        self._streams.lay_out(
            slots(figures, SENSORS), (1 + len(figures.labels), *self._batch, self._axes)
        )

    def _begin(self, states: Array) -> None:
        """Stand at `states`, with nothing planned."""
        self._streams.settle()
        nothing = np.zeros((0, *self._batch, self._axes))
        empty = np.zeros(0)
        idle = Coefficients(-1.0, empty, empty, empty, empty, None, empty)
        self._stretch = Stretch(idle, states[None], nothing)
        self._taken = 0

    def _start(self) -> Array:
        """Draw the states of a sensor just switched on: stationary, and zero for a walk."""
        figures = self._figures
        states = np.zeros((len(figures.labels), *self._batch, self._axes))
        for effect, rows in figures.effects.items():
            if effect == "random_walk":
                continue
            for i, sensor in enumerate(SENSORS):
                axes = slice(3 * i, 3 * i + 3)
                part = states[rows, ..., axes]
                normals = self._streams.generator(f"{sensor}/{effect}/start")
                part[...] = figures.sigma[rows, ..., axes] * normals.standard_normal(part.shape)
        return states

    def _plan(self, dt: float) -> None:
        """Compute the next captures ahead, as if they all came `dt` apart.

        Noise does not depend on the signal, so a steady stream gets it a block at a time. An
        interval seen for the first time may well be one of a kind, and gets one capture.
        """
        streams = self._streams
        steady = dt == self._stretch.coefficients.dt
        if streams.used == len(streams.rows):
            streams.refill()
        last = None if steady else streams.used + 1
        normals = streams.rows[streams.used : last]
        self._stretch = self._advance(self._coefficients(dt), self.states, normals)
        self._taken = 0

    def _coefficients(self, dt: float) -> Coefficients:
        found = self._cache.get(dt)
        if found is None:
            if len(self._cache) >= _CACHED_INTERVALS:
                self._cache.clear()
            found = self._cache[dt] = coefficients(self._figures, self._remainder, dt)
        return found

    def _advance(self, c: Coefficients, start: Array, normals: Array) -> Stretch:
        """Return the captures that `normals`, shape (n, 1 + P, *batch, K), make from `start`."""
        states = np.empty((len(normals) + 1, *start.shape))
        states[0] = start
        recur(c.keep, states, normals[:, 1:] * c.kick)
        ends = states[:-1] + states[1:]
        ends *= c.gain
        noise = ends.sum(axis=1)
        if c.factor is None:
            noise += normals[:, 0] * c.noise
        else:
            noise += (c.factor * normals[:, 0, ..., None, :]).sum(axis=-1)
        return Stretch(c, states, noise)
