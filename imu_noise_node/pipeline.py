"""Truth in, measurement out: the one path that the node, the tools and the API walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from .model.imu import ImuModel
from .motion.intervals import NANOSECONDS, Intervals, TimePolicy, Verdict
from .samples import Measurement, Motion, Quaternion, Truth, Vector


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
        Sensor to world.
    """

    stamp: int
    dt: float
    measurement: Measurement
    orientation: Quaternion | None


class Kinematics(Protocol):
    """Turns one kind of truth into motion; see `motion.kinematics` and `motion.inertial`."""

    def locate(self, truth: Truth) -> Any:
        """Return what later calls take, or None where the truth cannot be used."""

    def begin(self, station: Any) -> None:
        """Take `station` as the baseline."""

    def jumps(self, station: Any, /) -> bool:
        """Return whether it cannot have come from the last station."""

    def advance(self, station: Any) -> Motion | None:
        """Return the motion since the last station, or None where it is not known yet."""


class Pipeline:
    """Decides, moves, measures, and counts what becomes of every truth message.

    Parameters
    ----------
    policy : TimePolicy
    kinematics : Kinematics
    model : ImuModel
    warn : callable
        Takes a sentence.

    Attributes
    ----------
    counts : Counter of Verdict
        Every message fed is in exactly one.
    """

    def __init__(
        self,
        policy: TimePolicy,
        kinematics: Kinematics,
        model: ImuModel,
        warn: Callable[[str], None],
    ) -> None:
        self.model = model
        self.counts: Counter[Verdict] = Counter()
        self._kinematics = kinematics
        self._intervals = Intervals(policy)
        self._pieces: list[Motion] = []
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
        self._intervals.forget()
        self._pieces.clear()

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
        if station is None:
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
                self._pieces.append(motion)
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

    def _measure(self, stamp: int, motion: Motion) -> Sample:
        dt = (stamp - self._intervals.capture) / NANOSECONDS
        if self._pieces:
            rate, force = _mean([*self._pieces, motion])
            self._pieces.clear()
        else:
            rate, force = motion.angular_velocity, motion.specific_force
        self._intervals.sample(stamp)
        return Sample(stamp, dt, self.model.step(dt, rate, force), motion.orientation)


def _mean(pieces: list[Motion]) -> tuple[Vector, Vector]:
    """Return the means of rate and force over the pieces, weighted by their lengths."""
    total = sum(piece.dt for piece in pieces)
    rate = [sum(p.dt * p.angular_velocity[i] for p in pieces) / total for i in range(3)]
    force = [sum(p.dt * p.specific_force[i] for p in pieces) / total for i in range(3)]
    return (rate[0], rate[1], rate[2]), (force[0], force[1], force[2])
