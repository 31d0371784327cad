"""Whether a twist is in the frame that it is said to be in, judged by dp/dt."""

from __future__ import annotations

from collections.abc import Callable

from ..samples import Vector
from .station import Station

_ENOUGH = 50
"""Intervals that can tell the two readings apart before a verdict is given."""

_TELLING = 0.05
"""Two readings that differ by less [m/s] cannot be told apart."""

_CLEARLY = 4.0
"""By how much the other reading's squared error must be smaller."""


class TwistCheck:
    """Compares dp/dt with the twist read in body axes and in world axes, then settles.

    Parameters
    ----------
    twist_frame : {"body", "world"}
        The reading in use.
    warn : callable
        Called once, with a sentence, if the other reading fits clearly better.
    """

    def __init__(self, twist_frame: str, warn: Callable[[str], None]) -> None:
        self.settled = False
        self._twist_frame = twist_frame
        self._warn = warn
        self._count = 0
        self._error = 0.0
        self._other_error = 0.0

    def add(self, dt: float, last: Station, station: Station) -> None:
        """Take in one interval of `dt` [s]."""
        used = _sum(last.body_velocity, station.body_velocity)
        other = _sum(last.other_velocity, station.other_velocity)
        if _squared(used, other) < (2.0 * _TELLING) ** 2:
            return
        p0, p1 = last.origin, station.origin
        k = 2.0 / dt
        moved = (k * (p1[0] - p0[0]), k * (p1[1] - p0[1]), k * (p1[2] - p0[2]))
        self._error += _squared(moved, used)
        self._other_error += _squared(moved, other)
        self._count += 1
        if self._count >= _ENOUGH:
            self._settle()

    def _settle(self) -> None:
        self.settled = True
        if self._error > _CLEARLY * self._other_error:
            right = "world" if self._twist_frame == "body" else "body"
            self._warn(
                f"the odometry's velocity does not agree with its own positions; it does when it "
                f"is read in {right} axes: set twist_frame to '{right}' "
                f"(now '{self._twist_frame}'), or to 'pose' to ignore the twist"
            )


def _sum(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _squared(a: Vector, b: Vector) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return x * x + y * y + z * z
