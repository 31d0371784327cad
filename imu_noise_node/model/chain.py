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

"""What the sensor makes of the true signal, noise apart: response and slow errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .figures import Figures
from .linear import Linear
from .lowpass import LowPass
from .nonlinearity import Nonlinearity
from .stage import Context, Stage
from .thermal import Climate, ThermalModel
from .vibration import Vibration

Array = NDArray[np.float64]


class Passage(NamedTuple):
    """What becomes of T true values, noise apart.

    Attributes
    ----------
    response : ndarray, shape (T, *batch, K)
        The truth as linear stage, non-linearity and bandwidth render it [u].
    offset : ndarray, shape (*batch, K) or (T, *batch, K)
        What is added to it: constant bias, turn-on bias, by temperature and by vibration [u].
    """

    response: Array
    offset: Array


class Chain:
    """The stages from the truth to where noise is added.

    Parameters
    ----------
    figures : Figures
    draws : ndarray, shape (3, *batch, K)
        From `draw_run`.
    batch : tuple of int
    models : mapping of str to ThermalModel
        By sensor.
    watches_vibration : bool
        Whether somebody wants to know how strong vibration is.

    Attributes
    ----------
    offset : ndarray, shape (*batch, K)
        Constant and turn-on bias [u].
    is_plain : bool
        Whether `offset` is all there is.
    climate : Climate
    linear, nonlinearity, lowpass, vibration : their classes, or None where they are off
    rectification : ndarray, shape (*batch, K), or None
        Bias by variance of the specific force [u/(m/s^2)^2].
    """

    def __init__(
        self,
        figures: Figures,
        draws: Array,
        batch: tuple[int, ...],
        models: Mapping[str, ThermalModel],
        watches_vibration: bool = False,
    ) -> None:
        self._arguments = (figures, draws, batch, models, watches_vibration)
        signal = figures.signal
        self.offset: Array = figures.constant_bias + figures.turn_on_bias_stddev * draws[0]
        self.climate = Climate(signal, figures.sensors, batch, models)
        rectifies = bool(signal.vibration_rectification.any())
        self.vibration = Vibration(batch) if rectifies or watches_vibration else None
        self.rectification = signal.vibration_rectification if rectifies else None
        self._sensors = len(figures.sensors)
        self.linear = Linear(signal, draws) if models or not signal.is_linear else None
        bends = bool(signal.nonlinearity.any())
        self.nonlinearity = Nonlinearity(signal.nonlinearity) if bends else None
        lags = bool(signal.bandwidth.any())
        self.lowpass = LowPass(signal.bandwidth, batch) if lags else None
        stages: tuple[Stage | None, ...] = (self.linear, self.nonlinearity, self.lowpass)
        self._order = tuple(stage for stage in stages if stage is not None)
        self.is_plain = not (self._order or self.climate.matters or self.vibration)

    def apply(self, dt: float, context: Context) -> Passage:
        """Return what becomes of `context.truth`; sets `context.thermal`."""
        truth = context.truth
        context.thermal = thermal = self.climate.evaluate(context.temperature, dt, len(truth))
        response = truth
        if self._order:
            response = truth.copy()
            for stage in self._order:
                response = stage.apply(response, dt, context)
        offset = self.offset
        if thermal is not None:
            offset = offset + thermal.bias
        if self.vibration is not None:
            variance = self.vibration.follow(truth[..., 3:6], dt)
            if self.rectification is not None:
                offset = offset + self.rectification * np.concatenate(
                    [variance] * self._sensors, axis=-1
                )
        return Passage(response, offset)

    def twin(self) -> Chain:
        """Return another one in the same state."""
        twin = Chain(*self._arguments)
        twin.restore(self.state())
        return twin

    def skip(self, dt: float) -> None:
        """Let `dt` [s] pass without a capture."""
        for piece in self._pieces().values():
            skip = getattr(piece, "skip", None)
            if skip is not None:
                skip(dt)

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin a new run; with `where`, shape `batch`, of those members alone."""
        for piece in self._pieces().values():
            piece.reset(where)

    def state(self) -> dict[str, Any]:
        """Return the states of all pieces, JSON-able."""
        return {name: piece.state() for name, piece in self._pieces().items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state` returned, in as far as there are the same pieces."""
        for name, piece in self._pieces().items():
            if name in state:
                piece.restore(state[name])

    def _pieces(self) -> dict[str, Any]:
        pieces: dict[str, Any] = {
            "climate": self.climate,
            "linear": self.linear,
            "nonlinearity": self.nonlinearity,
            "bandwidth": self.lowpass,
            "vibration": self.vibration,
        }
        return {name: piece for name, piece in pieces.items() if piece is not None}
