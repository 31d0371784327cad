"""The sensor: true motion in, measurement out, one sample at a time or a block at once.

The chain, in signal order:

    truth -> + constant and turn-on bias -> + processes and white noise -> range and resolution
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ParameterError
from ..samples import Array, Measurement
from .blocks import Replay, stretches
from .figures import Figures, compile_spec, merge
from .origin import COVARIANCES, Piece, RunOrigin, Sensor, StepOrigin
from .output import Converter
from .processes import Bank
from .spec import SENSORS, ImuSpec
from .streams import Streams, resolve_seed
from .theory import Theory

_AXES = 3 * len(SENSORS)


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
    ) -> None:
        self.seed = resolve_seed(seed)
        self.batch = _checked_batch(batch)
        self._shape = (*self.batch, _AXES)
        self.history: deque[Measurement] = deque(maxlen=_checked_history(history))
        self._covariance = _checked_covariance(covariance)
        self._streams = Streams(self.seed)
        figures = self._compile(ImuSpec() if spec is None else spec)
        self._turn_on = self._draw_turn_on()
        self._bank = Bank(figures, self._streams, self.batch)
        # For how long the random walks have run [s].
        self._age: Array = np.zeros(())
        self._adopt(figures)

    def step(
        self, dt: float, angular_velocity: ArrayLike, specific_force: ArrayLike
    ) -> Measurement:
        """Return the measurement of one capture.

        Parameters
        ----------
        dt : float
            Time since the previous capture [s].
        angular_velocity, specific_force : array_like, shape (3,) or (*batch, 3)
            True means over the interval [rad/s], [m/s^2].

        Raises
        ------
        ParameterError
            `dt` is not a positive finite time, or an array has another shape.
        """
        _check_interval(dt)
        truth = self._truth(self._shape, angular_velocity, specific_force)
        stretch, place = self._bank.step(dt)
        values = truth + (self._sensor.offset + stretch.noise[place])
        self._converter.apply(values)
        origin = StepOrigin(self._sensor, stretch, place, self._age, truth)
        measurement = Measurement(values, origin)
        self._age = self._age + dt
        if self.history.maxlen:
            self.history.append(measurement)
        return measurement

    def run(
        self, dt: ArrayLike, angular_velocity: ArrayLike, specific_force: ArrayLike
    ) -> Measurement:
        """Return the measurements of T captures, equal to the bit to T calls of `step`.

        Parameters
        ----------
        dt : array_like, shape (T,)
            Time since the capture before each [s].
        angular_velocity, specific_force : array_like, shape (T, *batch, 3)
            Or any shape that broadcasts to it.

        Raises
        ------
        ParameterError
            A `dt` that is not a positive finite time, or an array of another shape.
        """
        try:
            steps = np.asarray(dt, dtype=np.float64)
        except (TypeError, ValueError):
            steps = np.zeros(0)
        if steps.ndim != 1 or not len(steps) or not ((steps > 0.0) & (steps < math.inf)).all():
            raise ParameterError(
                "dt", dt, "must be one or more finite times above 0 [s], shape (T,)"
            )
        shape = (len(steps), *self._shape)
        values = self._truth(shape, angular_velocity, specific_force)
        ages = self._ages(steps)
        replay = Replay(self._bank, steps)
        pieces = self._measure(steps, values)
        self._age = ages[-1]
        given = (np.asarray(angular_velocity), np.asarray(specific_force))
        origin = RunOrigin(self._sensor, replay, pieces, ages[:-1], given)
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
        _check_interval(dt)
        self._bank.step(dt)
        self._age = self._age + dt

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin a new run.

        Without `where` every draw is repeated from the seed, so that the same input gives the
        same output. With `where`, shape `batch`, only those members begin anew, with new draws.
        """
        self.history.clear()
        if where is None:
            self._streams.restart()
            self._turn_on = self._draw_turn_on()
            self._age = np.zeros(())
            self._bank.reset()
        else:
            members = self._members(where)
            self._turn_on = np.where(members, self._draw_turn_on(), self._turn_on)
            self._age = np.where(members, 0.0, self._age)
            self._bank.reset(members)
        self._adopt(self._bank.figures)

    def retune(self, spec: ImuSpec, where: NDArray[np.bool_] | None = None) -> None:
        """Go on with new figures; states are kept, so a new figure makes no bias jump.

        A turn-on bias keeps its draw and scales with its sigma. With `where`, shape `batch`,
        only those members change.

        Raises
        ------
        ParameterError
            The figures' batch axes do not fit the model's.
        """
        figures = self._compile(spec)
        if where is not None:
            figures = merge(self._bank.figures, figures, self._members(where))
        self._age = self._age * _growth(self._bank.figures, figures)
        self._bank.retune(figures)
        self._adopt(figures)

    def state(self) -> dict[str, Any]:
        """Return all that the next samples depend on, JSON-able."""
        return {
            "version": 1,
            "seed": self.seed,
            "age": np.asarray(self._age).tolist(),
            "turn_on": self._turn_on.tolist(),
            "processes": self._bank.settle().tolist(),
            "streams": self._streams.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned, in a model with the same spec and batch.

        Raises
        ------
        ParameterError
            The state is not one, or of a model of another shape.
        """
        try:
            if state["version"] != 1:
                raise ParameterError("version", state["version"], "must be 1")
            seed, age = int(state["seed"]), np.asarray(state["age"], dtype=np.float64)
            turn_on = np.asarray(state["turn_on"], dtype=np.float64).reshape(self._turn_on.shape)
            self._bank.restore(state["processes"])
            self._streams.restore(state["streams"], seed)
        except ParameterError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise ParameterError(
                "state", str(error), "must come from state() of a model with this spec and batch"
            ) from None
        self.seed = seed
        self._turn_on = turn_on
        self._age = age
        self._adopt(self._bank.figures)

    @property
    def covariance(self) -> str:
        """What measurements report: "sample" or "total"; may be set."""
        return self._covariance

    @covariance.setter
    def covariance(self, kind: str) -> None:
        self._covariance = _checked_covariance(kind)
        self._adopt(self._bank.figures)

    @property
    def theory(self) -> Theory:
        """What mathematics says about this sensor, from the figures that the sampler uses."""
        return Theory(self._bank.figures)

    def _compile(self, spec: ImuSpec) -> Figures:
        if not isinstance(spec, ImuSpec):
            raise ParameterError("spec", spec, "must be an ImuSpec; load_profile(name) makes one")
        try:
            figures = compile_spec(spec, len(self.batch))
            fits = np.broadcast_shapes(*figures.batch_shapes(), self.batch) == self.batch
        except ValueError:
            fits = False
        if not fits:
            raise ParameterError(
                "spec", _shapes(spec), f"must have batch axes that fit batch {self.batch}"
            )
        return figures

    def _adopt(self, figures: Figures) -> None:
        offset = figures.constant_bias + figures.turn_on_bias_stddev * self._turn_on
        self._sensor = Sensor(figures, offset, self._covariance)
        self._converter = Converter(figures)

    def _draw_turn_on(self) -> Array:
        names = [f"{sensor}/turn_on_bias" for sensor in SENSORS]
        shape = (*self.batch, 3)
        draws = [self._streams.generator(name).standard_normal(shape) for name in names]
        return np.concatenate(draws, axis=-1)

    def _members(self, where: NDArray[np.bool_]) -> NDArray[np.bool_]:
        members = np.asarray(where, dtype=bool)
        if members.shape != self.batch:
            raise ParameterError("where", members.shape, f"must be a mask of shape {self.batch}")
        return members[..., None]

    def _truth(self, shape: tuple[int, ...], rate: ArrayLike, force: ArrayLike) -> Array:
        truth = np.empty(shape)
        try:
            truth[..., 0:3] = rate
            truth[..., 3:6] = force
        except (TypeError, ValueError):
            raise ParameterError(
                "angular_velocity, specific_force",
                (rate, force),
                f"must be numbers of shapes that broadcast to {(*shape[:-1], 3)}",
            ) from None
        return truth

    def _ages(self, steps: Array) -> Array:
        """Return the age at the start of each interval and at the last one's end."""
        column = steps.reshape(-1, *(1,) * self._age.ndim)
        column = np.broadcast_to(column, (len(steps), *self._age.shape))
        return np.cumsum(np.concatenate([self._age[None], column]), axis=0)

    def _measure(self, steps: Array, values: Array) -> list[Piece]:
        """Turn true `values` into measured ones in place; return the lengths of their intervals.

        It goes by blocks of equal intervals that are small enough for the processor's cache.
        """
        offset = self._sensor.offset
        pieces = []
        for part, stretch, places in stretches(self._bank, steps):
            block = values[part]
            block += offset + stretch.noise[places]
            self._converter.apply(block)
            pieces.append(Piece(stretch.interval, len(block)))
        return pieces


def _growth(old: Figures, new: Figures) -> Array:
    """Return by how much longer the new random walks would have had to run to be where they are.

    A walk of K reaches the variance K^2 age. One that begins with the new figures is of age 0.
    """
    before, after = old.walk_sigma, new.walk_sigma
    if np.array_equal(before, after):
        return np.ones(())
    ratio = np.divide(before, after, out=np.zeros(np.shape(before - after)), where=after > 0.0)
    return ratio**2


def _check_interval(dt: float) -> None:
    try:
        fits = bool(0.0 < dt < math.inf)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise ParameterError("dt", dt, "must be a finite time above 0 [s]")


def _shapes(spec: ImuSpec) -> list[tuple[int, ...]]:
    """Return the shapes of the figures of `spec` that have leading axes."""
    figures = [value for triad in spec.triads().values() for value in vars(triad).values()]
    return sorted({np.shape(value) for value in figures if np.ndim(value) > 1})


def _checked_batch(batch: tuple[int, ...]) -> tuple[int, ...]:
    if not isinstance(batch, tuple) or not all(isinstance(n, int) and n > 0 for n in batch):
        raise ParameterError("batch", batch, "must be a tuple of whole numbers above 0, or ()")
    return batch


def _checked_history(history: int) -> int:
    if not isinstance(history, int) or history < 0:
        raise ParameterError("history", history, "must be a whole number, 0 or more")
    return history


def _checked_covariance(kind: str) -> str:
    if kind not in COVARIANCES:
        raise ParameterError("covariance", kind, f"must be one of {', '.join(COVARIANCES)}")
    return kind
