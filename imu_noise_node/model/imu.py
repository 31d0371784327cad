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

"""The sensor: true motion in, measurement out, one sample at a time or a block at once.

The signal path, in order:

    truth -> linear -> non-linearity -> bandwidth            `Chain`: the response
          -> + constant, turn-on, thermal and vibration bias  `Chain`: the offset
          -> + processes and white noise                      `Bank`
          -> extra stages of the user's own, then faults      `Late`
          -> range and resolution                             `Converter`

`Path` has them one behind the other, all but the bank.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from ..samples import Array, Measurement
from .ages import growth, moments
from .blocks import Replay, temperature_of
from .chain import Chain
from .checks import (
    checked_batch,
    checked_covariance,
    checked_history,
    checked_interval,
    checked_intervals,
    checked_members,
    checked_stages,
    checked_temperature,
    checked_truth,
)
from .condition import Condition, assess
from .draws import draw_run
from .fault_spec import Fault
from .figures import Figures, merge
from .fitting import check_common, check_sensors, fitted
from .late import Late
from .origin import RunOrigin, Sensor, StepOrigin
from .output import Converter
from .path import Path
from .processes import Bank
from .spec import ImuSpec
from .stage import Stage
from .streams import Streams, resolve_seed
from .stretch import Stretch
from .theory import Theory
from .thermal import ThermalModel, checked_models


class ImuModel:
    """An IMU, or a batch of independent ones, with the errors that `spec` describes.

    The law of the average over any span of time does not depend on how many captures it was cut
    into, and the samples are the same to the bit however the captures are cut into calls.

    Parameters
    ----------
    spec : ImuSpec, optional
        A perfect sensor by default.
    seed : int, optional
        0 or more; -1 draws one, kept in `seed`.
    batch : tuple of int, optional
        Shape of the batch; () is one sensor.
    covariance : {"sample", "total"}, optional
        Whether measurements report the variance of their fresh noise, or that plus the present
        variance of the biases.
    history : int, optional
        How many of the last measurements `history` keeps.
    extra_stages : sequence of Stage, optional
        Stages of one's own, applied in this order to what sensor and noise have made, before range
        and resolution.
    thermal_models : mapping of str to ThermalModel, optional
        By sensor, in place of the linear temperature coefficients.
    faults : sequence of Fault, optional
        What breaks, and when.

    Raises
    ------
    ParameterError
        An argument that is not allowed, or figures whose batch axes do not fit `batch`.
    """

    def __init__(
        self,
        spec: ImuSpec | None = None,
        seed: int = 0,
        batch: tuple[int, ...] = (),
        covariance: str = "sample",
        history: int = 0,
        extra_stages: Sequence[Stage] = (),
        thermal_models: Mapping[str, ThermalModel] | None = None,
        faults: Sequence[Fault] = (),
    ) -> None:
        self.seed = resolve_seed(seed)
        self.batch = checked_batch(batch)
        self.history: deque[Measurement] = deque(maxlen=checked_history(history))
        self._covariance = checked_covariance(covariance)
        self._streams = Streams(self.seed)
        self._spec = ImuSpec() if spec is None else spec
        figures = fitted(self._spec, self.batch)
        self._shape = (*self.batch, 3 * len(figures.sensors))
        self._models = checked_models(thermal_models, figures.sensors)
        extra = checked_stages(extra_stages)
        self._late = Late(extra, faults, figures.sensors, self.batch, self._streams)
        self._temperature: float | Array | None = None
        self._latest: Array | None = None
        self._draws = draw_run(self._streams, figures.sensors, self.batch)
        self._bank = Bank(figures, self._streams, self.batch)
        # For how long the run and its random walks have gone on [s].
        self._time: Array = np.zeros(())
        self._age: Array = np.zeros(())
        # The stretch whose noise has been added to the offset, for all of its captures at once.
        self._heard: Stretch | None = None
        self._errors: Array = np.zeros(())
        self._path: Path
        self._adopt(figures)

    def step(
        self,
        dt: float,
        angular_velocity: ArrayLike,
        specific_force: ArrayLike,
        temperature: ArrayLike | None = None,
        magnetic_field: ArrayLike | None = None,
    ) -> Measurement:
        """Return the measurement of one capture.

        Parameters
        ----------
        dt : float
            Time since the previous capture [s].
        angular_velocity, specific_force : array_like, shape (3,) or (*batch, 3)
            True means over the interval [rad/s], [m/s^2]. They must be finite: what is not stays
            in stages that have a memory until the next reset.
        temperature : float or array_like of shape `batch`, optional
            About the sensor [degC]; the reference temperature by default.
        magnetic_field : array_like, shape (3,) or (*batch, 3)
            True mean over the interval in sensor axes [T]; for specs with a magnetometer.

        Raises
        ------
        ParameterError
            `dt` is not a positive finite time, or an array has another shape.
        """
        dt = checked_interval(dt)
        truth = checked_truth(self._shape, (angular_velocity, specific_force, magnetic_field))
        warmth = None
        if temperature is not None:
            warmth = checked_temperature(temperature, 1, self.batch)
        self._temperature = warmth
        stretch, place = self._bank.step(dt)
        path = self._path
        if path.is_plain:
            if stretch is not self._heard:
                self._heard, self._errors = stretch, self._sensor.offset + stretch.noise
            values = truth + self._errors[place]
            path.converter.convert(values)
            origin = StepOrigin(self._sensor, stretch, place, self._age, truth)
        else:
            values, response, offset, thermal = path.step(
                truth, dt, warmth, self._time, stretch, place
            )
            origin = StepOrigin(
                self._sensor, stretch, place, self._age, truth, response, offset, thermal
            )
        self._latest = truth
        measurement = Measurement(values, origin)
        self._time = self._time + dt
        self._age = self._age + dt
        if self.history.maxlen:
            self.history.append(measurement)
        return measurement

    def run(
        self,
        dt: ArrayLike,
        angular_velocity: ArrayLike,
        specific_force: ArrayLike,
        temperature: ArrayLike | None = None,
        magnetic_field: ArrayLike | None = None,
    ) -> Measurement:
        """Return the measurements of T captures, equal to the bit to T calls of `step`.

        Parameters
        ----------
        dt : array_like, shape (T,)
            Time since the capture before each [s].
        angular_velocity, specific_force : array_like, shape (T, *batch, 3)
            Or any shape that broadcasts to it.
        temperature : float or array_like of shape (T,), `batch` or (T, *batch), optional
            About the sensor [degC]; the reference temperature by default.
        magnetic_field : array_like, shape (T, *batch, 3)
            Or any shape that broadcasts to it; for specs with a magnetometer.

        Raises
        ------
        ParameterError
            A `dt` that is not a positive finite time, or an array of another shape.
        """
        steps = checked_intervals(dt)
        given = (angular_velocity, specific_force, magnetic_field)
        truth = checked_truth((len(steps), *self._shape), given)
        warmth = checked_temperature(temperature, len(steps), self.batch)
        ages = moments(self._age, steps)
        alike = np.array_equal(self._time, self._age)
        times = ages if alike else moments(self._time, steps)
        self._path.settle()
        replay = Replay(self._bank, self._path.chain, steps, truth, warmth)
        values = np.empty_like(truth)
        pieces = self._path.run(self._bank, steps, truth, values, warmth, times)
        self._age, self._time = ages[-1], times[-1]
        self._latest = truth[-1]
        self._temperature = temperature_of(warmth, slice(-1, None))
        origin = RunOrigin(self._sensor, replay, pieces, ages[:-1])
        measurement = Measurement(values, origin)
        for k in range(max(0, len(steps) - (self.history.maxlen or 0)), len(steps)):
            self.history.append(measurement[k])
        return measurement

    def skip(self, dt: float) -> None:
        """Let `dt` [s] pass without a capture: the processes go on, nothing is measured.

        Raises
        ------
        ParameterError
            `dt` is not a positive finite time.
        """
        dt = checked_interval(dt)
        self._path.settle()
        self._bank.step(dt)
        self._path.skip(dt)
        self._time = self._time + dt
        self._age = self._age + dt

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin a new run.

        Without `where` every draw is repeated from the seed, so that the same input gives the
        same output. With `where`, shape `batch`, only those members begin anew, with new draws.
        """
        self._path.settle()
        self.history.clear()
        members = None if where is None else checked_members(where, self.batch)
        if members is None:
            self._streams.restart()
            self._draws = draw_run(self._streams, self._bank.figures.sensors, self.batch)
            self._time = self._age = np.zeros(())
            self._bank.reset()
        else:
            column = members[..., None]
            fresh = draw_run(self._streams, self._bank.figures.sensors, self.batch)
            self._draws = np.where(column, fresh, self._draws)
            self._time, self._age = (np.where(column, 0.0, t) for t in (self._time, self._age))
            self._bank.reset(column)
        self._adopt(self._bank.figures)
        self._path.chain.reset(members)
        self._late.reset(members)

    def retune(self, spec: ImuSpec, where: NDArray[np.bool_] | None = None) -> None:
        """Go on with new figures; states are kept, so a new figure makes no bias jump.

        What is drawn once per run keeps its draw and scales with its sigma. With `where`, shape
        `batch`, only those members change.

        Raises
        ------
        ParameterError
            The figures' batch axes do not fit the model's, or a magnetometer comes or goes.
        """
        self._path.settle()
        figures = fitted(spec, self.batch)
        check_sensors(self._bank.figures, figures)
        if where is not None:
            check_common(self._spec, spec)
            members = checked_members(where, self.batch)[..., None]
            figures = merge(self._bank.figures, figures, members)
        self._age = self._age * growth(self._bank.figures, figures)
        self._spec = spec
        self._bank.retune(figures)
        self._adopt(figures)

    def state(self) -> dict[str, Any]:
        """Return all that the next samples depend on, JSON-able."""
        self._path.settle()
        return {
            "version": 3,
            "seed": self.seed,
            "time": np.asarray(self._time).tolist(),
            "age": np.asarray(self._age).tolist(),
            "draws": self._draws.tolist(),
            "processes": self._bank.settle().tolist(),
            "streams": self._streams.state(),
            "signal": self._path.chain.state(),
            "injected": [asdict(fault) for fault in self.injected],
            "late": self._late.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned, in a model with the same spec and batch.

        The faults that had been injected are so again.

        Raises
        ------
        ParameterError
            The state is not one, or of a model of another shape.
        """
        before = self.state()
        try:
            self._restore(state)
        except ParameterError:
            self._restore(before)
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self._restore(before)
            raise ParameterError(
                "state", str(error), "must come from state() of a model with this spec and batch"
            ) from None

    def _restore(self, state: dict[str, Any]) -> None:
        if state["version"] != 3:
            raise ParameterError("version", state["version"], "must be 3")
        seed = int(state["seed"])
        time, age = (np.asarray(state[name], dtype=np.float64) for name in ("time", "age"))
        if not (np.isfinite(time).all() and np.isfinite(age).all() and state["streams"]):
            raise ValueError("it is not whole")
        self.inject(*(Fault(**fault) for fault in state["injected"]))
        self._draws = np.asarray(state["draws"], dtype=np.float64).reshape(self._draws.shape)
        self._bank.restore(state["processes"])
        self._streams.restore(state["streams"], seed)
        self._path.chain.restore(state["signal"])
        self._late.restore(state["late"])
        self.seed = seed
        self._time, self._age = time, age
        self._adopt(self._bank.figures)

    @property
    def covariance(self) -> str:
        """What measurements report: "sample" or "total"; may be set."""
        return self._covariance

    @covariance.setter
    def covariance(self, kind: str) -> None:
        self._path.settle()
        self._covariance = checked_covariance(kind)
        self._adopt(self._bank.figures)

    @property
    def age(self) -> float:
        """Time since the run began [s]; of a batch, that of its oldest member."""
        return float(np.max(self._time))

    @property
    def temperature(self) -> float | Array | None:
        """Temperature of the sensor itself at the last capture [degC]; None where none was given.

        A number, or of a batch an array of shape (*batch, 1).
        """
        given = self._temperature
        if given is None:
            return None
        if self._spec.warm_up_time > 0.0:
            own: float | Array = self._path.chain.climate.own
            return own
        return given[-1] if isinstance(given, np.ndarray) else given

    @property
    def condition(self) -> Condition:
        """How the sensor is at its last capture: ready or not, and why."""
        temperature, truth = self._temperature, self._latest
        found = assess(
            self._spec,
            self._time[..., 0] if np.ndim(self._time) else self._time,
            self._late.faults,
            temperature[-1, ..., 0] if isinstance(temperature, np.ndarray) else temperature,
            self._path.vibration,
            None if truth is None else np.sqrt(np.square(truth[..., 3:6]).sum(axis=-1)),
        )
        return replace(found, states=np.broadcast_to(found.states, self.batch))

    def inject(self, *faults: Fault) -> None:
        """Let these faults strike, beside those of the schedule and in place of those before.

        Their times count from now, and after a reset from the run's beginning.

        Raises
        ------
        ParameterError
            A fault of a sensor that there is not, or two of the same name.
        """
        self._path.settle()
        self._late.inject(faults)
        self._path = Path(self._path.chain, self._late, self._path.converter, self.batch)

    @property
    def injected(self) -> tuple[Fault, ...]:
        """The faults that have been injected, and not cleared."""
        return () if self._late.injected is None else self._late.injected.faults

    def clear_faults(self) -> None:
        """End the faults that act now; those of the schedule still to come do come."""
        self.inject()
        if self._late.scheduled is not None:
            self._late.scheduled.clear()

    @property
    def theory(self) -> Theory:
        """What mathematics says about this sensor, from the figures that the sampler uses."""
        return Theory(self._bank.figures, self._spec.increments_scale, self._models)

    def _adopt(self, figures: Figures) -> None:
        watches = self._spec.vibration_limit > 0.0
        chain = Chain(figures, self._draws, self.batch, self._models, watches)
        before = getattr(self, "_path", None)
        if before is not None:
            chain.restore(before.chain.state())
        self._sensor = Sensor(figures, chain.offset, self._covariance)
        self._heard = None
        self._path = Path(chain, self._late, Converter(figures), self.batch)
