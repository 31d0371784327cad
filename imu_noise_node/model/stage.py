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

"""What a stage of the signal path is, ours and those that users add."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .stretch import Stretch
from .thermal import ThermalState

Array = NDArray[np.float64]


class Context:
    """What a stage may want to know about the captures of a block beside their values.

    Attributes
    ----------
    truth : ndarray, shape (T, *batch, K)
        What went in, means over the intervals [u]; not to be written to.
    age : ndarray, shape () or (*batch, 1)
        Time since the run began, at the start of the block's first interval [s].
    temperature : float or ndarray, shape (T, *batch, 1) or one that broadcasts to it, or None
        As given [degC].
    thermal : ThermalState or None
        What temperature does to the sensor, if anything.
    """

    __slots__ = ("_places", "_stretch", "age", "temperature", "thermal", "truth")

    def __init__(
        self,
        truth: Array,
        age: Array,
        temperature: float | Array | None,
        stretch: Stretch,
        places: slice,
    ) -> None:
        self.truth = truth
        self.age = age
        self.temperature = temperature
        self.thermal: ThermalState | None = None
        self._stretch = stretch
        self._places = places

    @property
    def heat(self) -> Array | None:
        """Factor of temperature on the noise, shape (*batch, K) or (T, *batch, K), if any."""
        return None if self.thermal is None else self.thermal.noise

    @property
    def noise(self) -> Array:
        """Noise and processes in the samples [u], shape (T, *batch, K)."""
        heat = self.heat
        if heat is None:
            noise: Array = self._stretch.noise[self._places]
            return noise
        return self._stretch.heated(self._places, heat)

    @property
    def fresh(self) -> Array:
        """The fresh noise in the samples [u], shape (T, *batch, K)."""
        fresh: Array = self.noise - self._stretch.expected[self._places]
        return fresh


class Stage(Protocol):
    """A piece of the signal path, with a state of its own if it needs one.

    The samples must not depend on how they are cut into blocks: `apply` on a block of T captures
    leaves the same values and the same state, to the bit, as T calls on blocks of one. Arrays take
    any batch axes, and batch members do not influence each other. `conformance.check_stage` tests
    all of this.

    A stage that has something to do while nothing is captured may have a method `skip(dt)`; it is
    called with the length of the gap [s].
    """

    def apply(self, block: Array, dt: float, context: Context) -> Array:
        """Return what becomes of `block`, which may be overwritten.

        Parameters
        ----------
        block : ndarray, shape (T, *batch, K)
            Consecutive captures [u], gyroscope xyz, accelerometer xyz, magnetometer xyz if there
            is one.
        dt : float
            Time between them, and before the first [s].
        context : Context
        """

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin a new run; with `where`, shape `batch`, of those members alone."""

    def state(self) -> Any:
        """Return what the next captures depend on, JSON-able."""

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""


class Stateless:
    """The part of a `Stage` that remembers nothing."""

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Do nothing."""

    def state(self) -> Any:
        """Return None."""
        return None

    def restore(self, state: Any) -> None:
        """Do nothing."""


def mask_of(where: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
    """Return a mask that broadcasts with (*batch, k); without `where` of all members."""
    return np.ones(1, dtype=bool) if where is None else where[..., None]


def listed(values: Array) -> Any:
    """Return nested lists with None for what JSON has no number for."""
    objects = values.astype(object)
    objects[~np.isfinite(values)] = None
    return objects.tolist()
