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

"""Truth in, measurement out: the one path that the node, the tools and the API walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from .attitude import AttitudeNoise
from .calibration import Calibration
from .motion.constant_vector import mean_in_sensor
from .motion.intervals import NANOSECONDS, Intervals, TimePolicy, Verdict
from .motion.station import frozen
from .samples import Array, Measurement, Motion, Quaternion, Truth, Vector


class Sample(NamedTuple):
    """One capture.

    Attributes
    ----------
    stamp : int
        The capture time of the truth, to the bit [ns].
    dt : float
        Time since the capture before it [s].
    measurement : Measurement
    orientation : Quaternion or None
        Sensor to world, the true one.
    estimate : Quaternion or None
        Sensor to world, as the sensor reports it.
    """

    stamp: int
    dt: float
    measurement: Measurement
    orientation: Quaternion | None
    estimate: Quaternion | None


class Kinematics(Protocol):
    """Turns one kind of truth into motion; see `motion.kinematics` and `motion.inertial`."""

    def locate(self, truth: Truth) -> Any:
        """Return what later calls take, or None where the truth cannot be used.

        It has an attribute `orientation`, sensor to world, which may be None.
        """

    def begin(self, station: Any) -> None:
        """Take `station` as the baseline."""

    def jumps(self, station: Any, /) -> bool:
        """Return whether it cannot have come from the last station."""

    def advance(self, station: Any) -> Motion | None:
        """Return the motion since the last station, or None where it is not known yet."""

    def state(self) -> Any:
        """Return what the next motion depends on, JSON-able."""

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""


class Model(Protocol):
    """Measures motion; see `model.imu.ImuModel`."""

    def step(
        self,
        dt: float,
        angular_velocity: Vector,
        specific_force: Vector,
        temperature: float | None = None,
        magnetic_field: Vector | None = None,
    ) -> Measurement:
        """Return the measurement of one capture, `dt` [s] after the one before it.

        It takes means over the interval [rad/s], [m/s^2], [T], and a temperature [degC].
        """

    def skip(self, dt: float) -> None:
        """Let `dt` [s] pass without a capture."""

    def reset(self) -> None:
        """Begin the run again."""

    def state(self) -> Any:
        """Return what the next measurements depend on, JSON-able."""

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""


ModelT = TypeVar("ModelT", bound=Model)


class Pipeline(Generic[ModelT]):
    """Decides, moves, measures, and counts what becomes of every truth message.

    Parameters
    ----------
    policy : TimePolicy
    kinematics : Kinematics
    model : Model
    warn : callable
        Takes a sentence.
    magnetic_field : Vector, optional
        Of the world [T]; for models with a magnetometer.
    attitude : AttitudeNoise, optional
        What the reported orientation errs by; nothing by default.

    Attributes
    ----------
    counts : Counter of Verdict
        Every message fed is in exactly one.
    temperature : float or None
        About the sensor [degC], from the next capture on.
    correction : ndarray, shape (K,), or None
        What is taken off every measurement [u], from a calibration; a reset forgets it.
    """

    def __init__(
        self,
        policy: TimePolicy,
        kinematics: Kinematics,
        model: ModelT,
        warn: Callable[[str], None],
        magnetic_field: Vector | None = None,
        attitude: AttitudeNoise | None = None,
    ) -> None:
        self.model = model
        self.attitude = attitude
        self.temperature: float | None = None
        self.correction: Array | None = None
        self._calibration: tuple[Calibration, Callable[[Calibration], None]] | None = None
        self.counts: Counter[Verdict] = Counter()
        self._kinematics = kinematics
        self._intervals = Intervals(policy)
        self._field = magnetic_field
        self._asked = False
        self._pieces: list[tuple[float, tuple[Vector, ...]]] = []
        self._stragglers = range(0)
        self._warn = warn

    def feed(self, truth: Truth) -> Sample | None:
        """Take in one truth message; return a sample if it is a capture."""
        verdict, sample = self._feed(truth)
        self.counts[verdict] += 1
        return sample

    def retune(self, policy: TimePolicy, kinematics: Kinematics | None) -> None:
        """Go on with another policy, and with other kinematics, which need a new baseline."""
        self._intervals.retune(policy)
        if kinematics is not None:
            self._kinematics = kinematics
            self._intervals.forget()

    def reset(self) -> None:
        """Begin the run again: the model from its seed, the next message as the baseline."""
        self.model.reset()
        self.correction = None
        self._calibration = None
        if self.attitude is not None:
            self.attitude.reset()
        self._intervals.forget()
        self._pieces.clear()

    def state(self) -> dict[str, Any]:
        """Return all that the next samples depend on, JSON-able.

        A calibration that is under way is not in it.
        """
        return {
            "model": self.model.state(),
            "intervals": self._intervals.state(),
            "kinematics": self._kinematics.state(),
            "pieces": self._pieces,
            "stragglers": [self._stragglers.start, self._stragglers.stop],
            "attitude": None if self.attitude is None else self.attitude.state(),
            "correction": None if self.correction is None else self.correction.tolist(),
            "temperature": self.temperature,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state` returned, in a pipeline that is made alike.

        Raises
        ------
        ParameterError, KeyError, TypeError, ValueError
            The state is not one, or of a pipeline that is made otherwise.
        """
        self.model.restore(state["model"])
        self._intervals.restore(state["intervals"])
        self._kinematics.restore(state["kinematics"])
        self._pieces = list(frozen(state["pieces"]))
        self._stragglers = range(*state["stragglers"])
        if self.attitude is not None:
            self.attitude.restore(state["attitude"])
        correction = state["correction"]
        self.correction = None if correction is None else np.array(correction)
        self.temperature = state["temperature"]

    @property
    def is_calibrating(self) -> bool:
        """Whether a calibration is under way."""
        return self._calibration is not None

    def calibrate(self, duration: float, report: Callable[[Calibration], None]) -> None:
        """Average the errors of the samples of the next `duration` [s], and take them off then.

        `report` is called when it is over.
        """
        self._calibration = Calibration(duration), report

    def clock_jumped(self, before: int, now: int) -> None:
        """React to the ROS clock having jumped back from `before` to `now` [ns].

        A stamp nearer to `now` belongs to the new run: then the truth went back first, and its
        own stamps have made the reset. One nearer to `before` belongs to the old run, and so do
        messages that follow on from it within `max_gap`: they were still on their way.
        """
        last = self._intervals.last
        middle = (before + now) // 2
        if last is None or last <= middle:
            return
        self._warn(f"time jumped back to {now / NANOSECONDS:.9f} s: the run begins again")
        self.reset()
        if before - now > self._intervals.max_gap:
            self._stragglers = range(middle + 1, last + self._intervals.max_gap + 1)

    def _feed(self, truth: Truth) -> tuple[Verdict, Sample | None]:
        intervals, kinematics, stamp = self._intervals, self._kinematics, truth.stamp
        verdict = intervals.judge(stamp)
        if verdict is Verdict.NO_TIME:
            return verdict, None
        station = kinematics.locate(truth)
        if station is None or not self._is_oriented(station):
            return Verdict.INVALID, None
        if verdict is Verdict.SAMPLE or verdict is Verdict.BETWEEN:
            if kinematics.jumps(station):
                return self._break(Verdict.TELEPORT, stamp, station), None
            motion = kinematics.advance(station)
            if motion is None:
                # Without a velocity the baseline takes a second pose.
                intervals.start(stamp)
                return Verdict.BASELINE, None
            if verdict is Verdict.BETWEEN:
                self._pieces.append((motion.dt, self._inputs(motion)))
                intervals.extend(stamp)
                return verdict, None
            return verdict, self._measure(stamp, motion)
        if verdict is Verdict.BASELINE:
            if stamp in self._stragglers:
                return Verdict.LATE, None
            self._begin(stamp, station)
        elif verdict is Verdict.GAP:
            self._break(verdict, stamp, station)
        elif verdict is Verdict.RESET:
            last = (intervals.last or 0) / NANOSECONDS
            self._warn(
                f"stamps went back from {last:.9f} s to {stamp / NANOSECONDS:.9f} s: "
                f"the run begins again"
            )
            self.reset()
            self._begin(stamp, station)
        return verdict, None

    def _begin(self, stamp: int, station: Any) -> None:
        self._kinematics.begin(station)
        self._intervals.start(stamp)
        self._pieces.clear()
        self._stragglers = range(0)

    def _break(self, verdict: Verdict, stamp: int, station: Any) -> Verdict:
        """Make no sample up to `stamp`, but let the sensor's states live through it."""
        self.model.skip((stamp - self._intervals.capture) / NANOSECONDS)
        self._begin(stamp, station)
        return verdict

    def _is_oriented(self, station: Any) -> bool:
        """Whether the magnetic field can be turned into sensor axes, if there is one."""
        if self._field is None or station.orientation is not None:
            return True
        if not self._asked:
            self._asked = True
            self._warn("magnetic_field is given, but the truth has no orientation to turn it by")
        return False

    def _inputs(self, motion: Motion) -> tuple[Vector, ...]:
        """Return what goes into the model, mean over the interval, by sensor."""
        if self._field is None:
            return motion.angular_velocity, motion.specific_force
        assert motion.orientation is not None
        (x, y, z), dt = motion.angular_velocity, motion.dt
        phi = (x * dt, y * dt, z * dt)
        field = mean_in_sensor(self._field, phi, motion.orientation)
        return motion.angular_velocity, motion.specific_force, field

    def _measure(self, stamp: int, motion: Motion) -> Sample:
        dt = (stamp - self._intervals.capture) / NANOSECONDS
        inputs = self._inputs(motion)
        if self._pieces:
            inputs = _mean([*self._pieces, (motion.dt, inputs)])
            self._pieces.clear()
        self._intervals.sample(stamp)
        rate, force, *field = inputs
        measurement = self.model.step(dt, rate, force, self.temperature, *field)
        if self._calibration is not None:
            self._go_on_calibrating(dt, measurement)
        if self.correction is not None:
            measurement = measurement.less(self.correction)
        estimate = motion.orientation
        if self.attitude is not None and estimate is not None:
            estimate = self.attitude.apply(estimate)
        return Sample(stamp, dt, measurement, motion.orientation, estimate)

    def _go_on_calibrating(self, dt: float, measurement: Measurement) -> None:
        assert self._calibration is not None
        calibration, report = self._calibration
        if calibration.add(dt, measurement):
            self._calibration = None
            if calibration.result is not None:
                self.correction = calibration.result
            report(calibration)


def _mean(pieces: list[tuple[float, tuple[Vector, ...]]]) -> tuple[Vector, ...]:
    """Return the means of all inputs over the pieces, weighted by their lengths."""
    total = sum(dt for dt, _ in pieces)
    means: list[Vector] = []
    for sensor in range(len(pieces[0][1])):
        x, y, z = (sum(dt * inputs[sensor][i] for dt, inputs in pieces) / total for i in range(3))
        means.append((x, y, z))
    return tuple(means)
