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

"""Random captures for the trial of a stage, with all that a stage may ask about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .figures import compile_spec
from .processes import Bank
from .spec import ImuSpec, TriadSpec
from .stage import Context
from .streams import Streams
from .stretch import Stretch
from .thermal import Climate, ThermalState

Array = NDArray[np.float64]
Batch = tuple[int, ...]

INTERVALS = ((0.01, 40), (0.0025, 90), (0.013, 1), (0.3, 3), (0.01, 20))
"""Times between captures [s], and how many captures each: steady ones, a lone one, a slow one."""

_TRIAD = TriadSpec(
    noise_density=0.1,
    bias_stddev=0.1,
    bias_correlation_time=1.0,
    temperature_bias=0.01,
    temperature_scale_factor=1e-3,
    temperature_noise=0.01,
)


class Piece(NamedTuple):
    """Consecutive captures with one interval between them, T of them.

    Attributes
    ----------
    block, truth : ndarray, shape (T, *batch, K)
        What the stage is given, and what went into the sensor [u].
    dt : float
        [s]
    ages : ndarray, shape (T, 1, ..., 1)
        Time since the run began, at the start of each interval [s].
    temperature : float or ndarray, shape (T, 1, ..., 1), or None
        [degC]
    thermal : ThermalState or None
    stretch : Stretch
    """

    block: Array
    truth: Array
    dt: float
    ages: Array
    temperature: float | Array | None
    thermal: ThermalState | None
    stretch: Stretch

    def context(self, part: slice) -> Context:
        """Return the context of a part of the captures, with memory of its own for the truth."""
        temperature, thermal = self.temperature, self.thermal
        if isinstance(temperature, np.ndarray):
            temperature = temperature[part]
            if thermal is not None:
                assert thermal.noise is not None
                thermal = ThermalState(
                    thermal.bias[part], thermal.scale[part], thermal.noise[part]
                )
        age = self.ages[part.start].reshape(())
        context = Context(self.truth[part].copy(), age, temperature, self.stretch, part)
        context.thermal = thermal
        return context


def make_pieces(
    sensors: tuple[str, ...],
    batch: Batch,
    intervals: Sequence[tuple[float, int]] = INTERVALS,
    amplitude: float = 1.0,
    seed: int = 0,
) -> list[Piece]:
    """Return random captures with all that belongs to them: noise, age and temperature.

    By turns there is no temperature, a steady one, and one that rises.
    """
    triads: dict[str, Any] = dict.fromkeys(sensors, _TRIAD)
    figures = compile_spec(ImuSpec(**triads), len(batch))
    climate = Climate(figures.signal, figures.sensors, batch, {})
    random = np.random.default_rng(seed)
    pieces = []
    age = 0.0
    for number, (dt, count) in enumerate(intervals):
        shape = (count, *batch, 3 * len(sensors))
        truth = amplitude * random.standard_normal(shape)
        rising = np.linspace(30.0, 60.0, count, dtype=np.float64)
        ramp = rising.reshape(-1, *(1,) * len(batch), 1)
        temperature: float | Array | None = (None, 40.0, ramp)[number % 3]
        thermal = None if temperature is None else climate.evaluate(temperature, dt, count)
        # Each with a bank of its own: a stretch is valid only until its bank goes on.
        (stretch,) = Bank(figures, Streams(seed + number), batch).run(dt, count)
        ages = np.cumsum(np.concatenate([[age], np.full(count, dt)]))
        age = ages[-1]
        ages = ages[:-1].reshape(-1, *(1,) * len(batch), 1)
        block = truth + amplitude * stretch.noise
        pieces.append(Piece(block, truth, dt, ages, temperature, thermal, stretch))
    return pieces
