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

"""What temperature does to a sensor, and how warm the sensor is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError, UnknownNameError
from .recursion import recur
from .signal_figures import SignalFigures
from .spec import UNITS

Array = NDArray[np.float64]

ThermalModel = Callable[[Any], tuple[ArrayLike, ArrayLike, ArrayLike]]
"""From the temperature of the sensor, a float or an array of shape (..., 1) [degC], to the offset
of the bias [u], the offset of the scale factor [1] and the factor of the noise [1], each of a
shape that broadcasts with (..., 3)."""


class ThermalState(NamedTuple):
    """What temperature does at one moment, or at T of them.

    Attributes
    ----------
    bias, scale : ndarray, shape (*batch, K) or (T, *batch, K)
        Offset of the bias [u] and of the scale factor [1].
    noise : ndarray, shape (*batch, K) or (T, *batch, K), or None
        Factor of the noise [1]; None where temperature leaves it alone.
    """

    bias: Array
    scale: Array
    noise: Array | None


class LinearThermalModel:
    """c_b dT, c_s dT and 1 + c_n dT, with dT from the reference temperature.

    The factor of the noise is never below zero.

    Parameters
    ----------
    figures : SignalFigures
    axes : slice, optional
        Whose; all by default.
    """

    def __init__(self, figures: SignalFigures, axes: slice = slice(None)) -> None:
        self._reference = figures.reference_temperature
        self._bias = figures.temperature_bias[..., axes]
        self._scale = figures.temperature_scale_factor[..., axes]
        self._noise = figures.temperature_noise[..., axes]

    def __call__(self, temperature: Any) -> tuple[Array, Array, Array]:
        """Return offsets of bias and scale factor and the factor of the noise."""
        change = temperature - self._reference
        noise = self._noise * change
        noise += 1.0
        return self._bias * change, self._scale * change, np.maximum(noise, 0.0)


class Climate:
    """The temperature of the sensor, and what follows from it.

    The sensor is at the reference temperature when it is switched on and follows the given one
    with a time constant of a third of the warm-up time, so that 95 % of the way is made by then.
    What counts for a capture is the mean over its interval.

    Parameters
    ----------
    figures : SignalFigures
    sensors : tuple of str
    batch : tuple of int or None
        None is any that the models have.
    models : mapping of str to ThermalModel
        By sensor; the others are linear.

    Attributes
    ----------
    matters, heats : bool
        Whether the sensor's temperature must be known, and whether it has an effect on the noise.
    own : float or ndarray, shape (*batch, 1)
        Temperature of the sensor [degC], where it warms up.
    """

    def __init__(
        self,
        figures: SignalFigures,
        sensors: tuple[str, ...],
        batch: tuple[int, ...] | None,
        models: Mapping[str, ThermalModel],
    ) -> None:
        self._reference = figures.reference_temperature
        self._time = figures.warm_up_time / 3.0
        self._batch = batch or ()
        self._model = _joined(figures, sensors, batch, models)
        effects = (
            figures.temperature_bias,
            figures.temperature_scale_factor,
            figures.temperature_noise,
        )
        acts = bool(models) or any(effect.any() for effect in effects)
        self.matters = acts or self._time > 0.0
        self.heats = bool(models) or bool(figures.temperature_noise.any())
        self._known: tuple[float, ThermalState] | None = None
        self.own: Any = self._reference
        self._given: Any = self._reference

    def evaluate(self, temperature: Any, dt: float, count: int) -> ThermalState | None:
        """Return what temperature does to the next `count` captures, `dt` [s] apart.

        Parameters
        ----------
        temperature : float, ndarray of shape (count or 1, *batch, 1), or None
            As given [degC]; None stands for the reference temperature.
        """
        if not self.matters:
            return None
        if temperature is None:
            temperature = self._reference
        if self._time > 0.0:
            temperature = self._follow(temperature, dt, count)
        if not isinstance(temperature, float):
            return self._state_at(temperature)
        if self._known is None or self._known[0] != temperature:
            self._known = (temperature, self._state_at(temperature))
        return self._known[1]

    def skip(self, dt: float) -> None:
        """Follow the temperature given last for `dt` [s]."""
        if self._time > 0.0:
            a = dt / self._time
            self.own = math.exp(-a) * self.own - math.expm1(-a) * self._given

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Switch on again; with `where`, shape `batch`, those members alone."""
        if where is None:
            self.own = self._given = self._reference
        else:
            self.own = np.where(where[..., None], self._reference, self.own)

    def state(self) -> Any:
        """Return the sensor's temperature and the one that it follows."""
        return [np.asarray(t).tolist() for t in (self.own, self._given)]

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""
        self.own, self._given = (
            float(t) if np.ndim(t) == 0 else np.array(t, dtype=np.float64) for t in state
        )

    def _state_at(self, temperature: Any) -> ThermalState:
        bias, scale, noise = self._model(temperature)
        return ThermalState(bias, scale, noise if self.heats else None)

    def _follow(self, temperature: Any, dt: float, count: int) -> Any:
        """Return the sensor's mean temperature over each interval, and warm it up."""
        a = dt / self._time
        keep, pull = math.exp(-a), -math.expm1(-a)
        hold = pull / a
        if count == 1 and isinstance(temperature, float) and isinstance(self.own, float):
            own, self._given = self.own, temperature
            self.own = keep * own + pull * temperature
            return temperature + (own - temperature) * hold
        given = np.asarray(temperature, dtype=np.float64)
        if given.ndim == 0:
            given = np.full((1, *(1,) * len(self._batch), 1), given)
        shape = np.broadcast_shapes(given.shape[1:], np.shape(self.own))
        path = np.empty((1, count + 1, *shape))
        path[0, 0] = self.own
        recur(
            np.full((1,) * (1 + len(shape)), keep),
            path,
            np.broadcast_to(pull * given, (count, *shape))[None],
        )
        self.own, self._given = path[0, -1].copy(), given[-1]
        if not self._batch:
            self.own, self._given = self.own.item(), self._given.item()
        means: Array = given + (path[0, :-1] - given) * hold
        return means


def checked_models(
    models: Mapping[str, ThermalModel] | None, sensors: tuple[str, ...]
) -> dict[str, ThermalModel]:
    """Return `models` as a dictionary.

    Raises
    ------
    ParameterError, UnknownNameError
        A model that is no callable, or is for a sensor that there is not.
    """
    for sensor, model in (models or {}).items():
        if sensor not in sensors:
            raise UnknownNameError("sensor", sensor, sensors, "thermal_models")
        if not callable(model):
            raise ParameterError(
                f"thermal_models[{sensor!r}]",
                model,
                "must be a callable from temperature to (bias, scale factor, noise factor)",
            )
    return dict(models or {})


def _joined(
    figures: SignalFigures,
    sensors: tuple[str, ...],
    batch: tuple[int, ...] | None,
    models: Mapping[str, ThermalModel],
) -> Callable[[Any], tuple[Array, Array, Array]]:
    """Return one model of all axes."""
    if not models:
        return LinearThermalModel(figures)
    parts: list[ThermalModel] = [
        _guarded(sensor, models[sensor], batch)
        if sensor in models
        else LinearThermalModel(figures, slice(3 * i, 3 * i + 3))
        for i, sensor in enumerate(sensors)
    ]

    def joined(temperature: Any) -> tuple[Array, Array, Array]:
        bias, scale, noise = (
            _concatenated(effects)
            for effects in zip(*(p(temperature) for p in parts), strict=True)
        )
        return bias, scale, noise

    return joined


def _guarded(sensor: str, model: ThermalModel, batch: tuple[int, ...] | None) -> ThermalModel:
    """Return a model of a user's own with a check of what it returns."""

    def guarded(temperature: Any) -> tuple[Array, Array, Array]:
        found = model(temperature)
        shape = (*np.broadcast_shapes(np.shape(temperature)[:-1], batch or ()), 3)
        try:
            bias, scale, noise = (np.asarray(effect, dtype=np.float64) for effect in found)
            effects = (bias, scale, noise)
            broad = np.broadcast_shapes(*(e.shape for e in effects), shape)
            fits = broad == shape if batch is not None else broad[-1] == 3
            fits = fits and all(np.isfinite(e).all() for e in effects) and not (noise < 0.0).any()
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            one = np.ndim(temperature) == 0
            given = f"{float(temperature):g} degC" if one else f"shape {np.shape(temperature)}"
            raise ParameterError(
                f"thermal_models[{sensor!r}]",
                found,
                f"must return an offset of the bias [{UNITS[sensor]}], one of the scale factor "
                "and a factor of the noise, 0 or more: three finite numbers, or arrays that "
                f"broadcast to shape {shape}",
                f"for a temperature of {given}",
            )
        return effects

    return guarded


def _concatenated(effects: Sequence[ArrayLike]) -> Array:
    arrays = [np.asarray(effect, dtype=np.float64) for effect in effects]
    shape = np.broadcast_shapes(*(a.shape for a in arrays), (3,))
    return np.concatenate([np.broadcast_to(a, shape) for a in arrays], axis=-1)
