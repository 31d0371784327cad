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

"""What a spec promises, computed from the figures that the sampler uses."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, reduce
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from .checks import checked_interval, checked_intervals
from .discretisation import Discretisation
from .figures import Figures, compile_spec
from .filter_model import FilterModel
from .spec import ImuSpec
from .theory_allan import allan_variances, check_times
from .theory_filter import KINDS, Request, build
from .thermal import Climate, ThermalModel, ThermalState, checked_models

Array = NDArray[np.float64]


class Theory:
    """Theory of one spec.

    Parameters
    ----------
    figures : Figures
    increments_scale : float, optional
        What increments of velocity and angle are multiplied with.
    thermal_models : mapping of str to ThermalModel, optional
        By sensor, in place of the linear temperature coefficients.
    """

    def __init__(
        self,
        figures: Figures,
        increments_scale: float = 1.0,
        thermal_models: Mapping[str, ThermalModel] | None = None,
    ) -> None:
        self._figures = figures
        self._scale = increments_scale
        self._models = checked_models(thermal_models, figures.sensors)

    @classmethod
    def of(cls, spec: ImuSpec, thermal_models: Mapping[str, ThermalModel] | None = None) -> Theory:
        """Return the theory of `spec`, without a model."""
        axes = max(len(shape) for shape in compile_spec(spec).batch_shapes())
        return cls(compile_spec(spec, axes), spec.increments_scale, thermal_models)

    def filter_model(
        self,
        dt: ArrayLike,
        age: ArrayLike = 0.0,
        temperature: ArrayLike | None = None,
        kind: str = "increments",
        rounding: bool = True,
    ) -> FilterModel:
        """Return the joint law of the error over an interval and of the states at its end.

        Parameters
        ----------
        dt : float or array_like, shape (n,)
            Length of the interval [s], or of n that follow each other: then the law is that of
            their sum (their average, weighted by time), however they are cut.
        age : float or array_like of batch shape, optional
            Time from reset to the start of the interval [s].
        temperature : float or array_like of batch shape, optional
            Of the sensor, during the interval [degC]; the reference temperature by default.
        kind : {"increments", "averages"}, optional
            Errors of the increments of velocity and then angle, or of the averages that a sensor
            puts out, of all sensors in stacking order, a magnetometer's among them.
        rounding : bool, optional
            Whether to count the resolution, as noise of variance resolution^2/12. That is what
            rounding does to noise of at least about a step.

        Raises
        ------
        ParameterError
            An argument that is not allowed.
        """
        if isinstance(dt, Real):
            checked_interval(float(dt))
            dt = [float(dt)]
        if kind not in KINDS:
            raise ParameterError("kind", kind, f"must be one of {', '.join(KINDS)}")
        ages = _finite("age", age, "must be 0 or more, and finite [s]")
        if (ages < 0.0).any():
            raise ParameterError("age", age, "must be 0 or more, and finite [s]")
        thermal = self._thermal(temperature)
        request = Request(ages, thermal, kind, self._scale, rounding)
        parts = [
            build(self._figures, self._discretisation.at(step), request).repeated(
                sum(1 for _ in equal)
            )
            for step, equal in itertools.groupby(checked_intervals(dt).tolist())
        ]
        return reduce(FilterModel.then, parts)

    def allan_deviation(
        self, taus: ArrayLike, dt: float | None = None
    ) -> dict[str, dict[str, Array]]:
        """Return the Allan deviation by sensor and term, with their sum under "total".

        White noise N/sqrt(tau), random walk K sqrt(tau/3) (IEEE Std 952-1997, annex C), each
        Gauss-Markov and flicker process by its closed form. White noise includes noise per sample
        and, where a bandwidth limits it, is the low-passed noise that samples have. Rounding
        counts as noise of variance resolution^2/12 in each sample.

        Parameters
        ----------
        taus : array_like, shape (n,)
            Averaging times [s].
        dt : float, optional
            Interval between captures [s]. Needed where noise is given per sample or an
            integration time is set, since there the law depends on it. Without it the law is that
            of ever faster captures, in which rounding averages out.

        Returns
        -------
        dict
            sensor -> term -> ndarray of shape (n, *batch, 3) [u]; terms that are off are left out.

        Raises
        ------
        ParameterError
            `taus` not positive or shorter than `dt`, or `dt` missing.
        """
        try:
            times = np.asarray(taus, dtype=np.float64)
        except (TypeError, ValueError):
            times = np.zeros(1)
        if dt is not None:
            checked_interval(dt)
        check_times(taus, times, dt)
        column = times.reshape(-1, *(1,) * (self._figures.sigma.ndim - 1))
        variances = allan_variances(self._figures, column, dt)
        variances["total"] = np.sum(np.broadcast_arrays(*variances.values()), axis=0)
        return {
            sensor: {
                term: np.sqrt(variance[..., 3 * i : 3 * i + 3])
                for term, variance in variances.items()
                if term == "total" or variance[..., 3 * i : 3 * i + 3].any()
            }
            for i, sensor in enumerate(self._figures.sensors)
        }

    @cached_property
    def _discretisation(self) -> Discretisation:
        return Discretisation(self._figures)

    def _thermal(self, temperature: ArrayLike | None) -> ThermalState | None:
        given = None
        if temperature is not None:
            values = _finite("temperature", temperature, "must be finite [degC]")
            given = values.item() if values.ndim == 0 else values
        # The sensor's own temperature is meant, not one that it has yet to warm up to; without
        # warming up the interval does not matter.
        signal = replace(self._figures.signal, warm_up_time=0.0)
        climate = Climate(signal, self._figures.sensors, None, self._models)
        return climate.evaluate(given, 1.0, 1)


def _finite(name: str, value: ArrayLike, allowed: str) -> Array:
    """Return a number as it is, and an array of batch shape with an axis for the sensor axes."""
    try:
        values = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full((), np.nan)
    if not np.isfinite(values).all():
        raise ParameterError(name, value, allowed)
    return values[..., None] if values.ndim else values
