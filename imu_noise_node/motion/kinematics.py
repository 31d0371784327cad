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

"""Pose and twist in, motion out: what a perfect sensor at its mounting point feels.

A real integrating unit reads the mean over the interval in its own turning axes. With pose q,
velocity v and rate w of the sensor itself at the ends (0 and 1) of an interval dt, g gravity and
R the rotation of q, to fourth order in dt:

    phi  = Log(q0^-1 q1)      w = phi/dt      a = (v1 - v0)/dt      f0 = R0^T (a - g)
    rate = w - dt/12 (w0 x w1)
    force = f0 - c1 phi x f0 + c2 phi x (phi x f0) + dt^2/12 (alpha x f0 - w x s)
    c1 = (1 - cos t)/t^2      c2 = (t - sin t)/t^3      t = |phi|

alpha is the change of rate, s that of the force's cause, R0^T (a - a_before), per second.

Where the Earth turns with w_ie, the world does not count as still: the mean of R^T w_ie joins the
rate, and 2 w_ie x v the acceleration a.
Coning and sculling terms as in Savage, J. Guidance 21(1) and 21(2), 1998.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..samples import Motion, Truth, Vector
from .constant_vector import mean_in_sensor
from .intervals import NANOSECONDS
from .mount import Mount
from .rotations import ZERO, conjugate, cross, logarithm, product, rotate, turning
from .station import Station, finite, frozen, usable_orientation
from .twist_check import TwistCheck

TWIST_FRAMES = ("body", "world", "pose")


class Leg(NamedTuple):
    """What one interval leaves to the next."""

    dt: float
    phi: Vector
    acceleration: Vector
    mean_velocity: Vector


class PoseKinematics:
    """Differences poses and twists of one truth stream.

    Parameters
    ----------
    mount : Mount
    gravity : float
        [m/s^2]
    twist_frame : {"body", "world", "pose"}
        Which axes the twist is in; "pose" ignores it and differentiates positions, which makes
        acceleration come one interval later.
    teleport_distance : float
        [m]
    warn : callable
        Takes a sentence.
    earth_rate : Vector, optional
        Of the world [rad/s], world axes.
    """

    def __init__(
        self,
        mount: Mount,
        gravity: float,
        twist_frame: str,
        teleport_distance: float,
        warn: Callable[[str], None],
        earth_rate: Vector = ZERO,
    ) -> None:
        self._earth = None if earth_rate == ZERO else earth_rate
        self._mount = mount
        self._gravity = gravity
        self._twist_frame = twist_frame
        self._with_twist = twist_frame != "pose"
        self._teleport_distance = teleport_distance
        self._check = TwistCheck(twist_frame, warn) if self._with_twist else None
        self._last: Station | None = None
        self._leg: Leg | None = None

    def locate(self, truth: Truth) -> Station | None:
        """Return where the sensor is, or None where the truth is not finite or not a pose."""
        position, velocity, rate = truth.position, truth.velocity, truth.angular_velocity
        if position is None or truth.orientation is None or velocity is None or rate is None:
            return None
        orientation = usable_orientation(truth.orientation)
        if orientation is None or not finite(position, velocity, rate):
            return None
        mount = self._mount
        attitude = mount.turned(orientation)
        if not self._with_twist:
            r = mount.lever_position(orientation)
            place = (position[0] + r[0], position[1] + r[1], position[2] + r[2])
            return Station(truth.stamp, position, place, attitude, ZERO, ZERO, ZERO, ZERO)
        if self._twist_frame == "body":
            moving, other = rotate(orientation, velocity), velocity
        else:
            moving, other = velocity, rotate(orientation, velocity)
            rate = rotate(conjugate(orientation), rate)
        u = mount.lever_velocity(orientation, rate)
        sensor = (moving[0] + u[0], moving[1] + u[1], moving[2] + u[2])
        own_rate = mount.to_sensor(rate)
        return Station(truth.stamp, position, position, attitude, moving, sensor, own_rate, other)

    def begin(self, station: Station) -> None:
        """Take `station` as the baseline."""
        self._last = station
        self._leg = None

    def jumps(self, station: Station) -> bool:
        """Return whether the position moved by more than the velocity explains."""
        last = self._last
        if last is None:
            return False
        dt = (station.stamp - last.stamp) / NANOSECONDS
        if self._with_twist:
            mean = _mean(last.body_velocity, station.body_velocity)
        else:
            mean = ZERO if self._leg is None else self._leg.mean_velocity
        p0, p1 = last.origin, station.origin
        dx = p1[0] - p0[0] - mean[0] * dt
        dy = p1[1] - p0[1] - mean[1] * dt
        dz = p1[2] - p0[2] - mean[2] * dt
        return dx * dx + dy * dy + dz * dz > self._teleport_distance**2

    def advance(self, station: Station) -> Motion | None:
        """Return the motion since the last station.

        None where the acceleration is not known yet, which takes one more pose without a twist.
        """
        last, leg = self._last, self._leg
        assert last is not None
        dt = (station.stamp - last.stamp) / NANOSECONDS
        phi = logarithm(product(conjugate(last.orientation), station.orientation))
        if self._check is not None and not self._check.settled:
            self._check.add(dt, last, station, phi)
        if self._with_twist:
            mean_velocity = ZERO
            acceleration = _slope(last.velocity, station.velocity, dt)
        else:
            mean_velocity = _slope(last.position, station.position, dt)
            if leg is None:
                acceleration = ZERO
            else:
                apart = 0.5 * (leg.dt + dt)
                acceleration = _slope(leg.mean_velocity, mean_velocity, apart)
        if self._earth is not None:
            velocity = mean_velocity
            if self._with_twist:
                velocity = _mean(last.velocity, station.velocity)
            turned = cross(self._earth, velocity)
            acceleration = _sum(acceleration, (2.0 * turned[0], 2.0 * turned[1], 2.0 * turned[2]))
        self._last = station
        self._leg = Leg(dt, phi, acceleration, mean_velocity)
        if leg is None and not self._with_twist:
            return None
        rate, force = self._means(last, station, dt, phi, acceleration, leg)
        if self._earth is not None:
            rate = _sum(rate, mean_in_sensor(self._earth, phi, station.orientation))
        return Motion(dt, rate, force, station.orientation)

    def state(self) -> Any:
        """Return what the next motion depends on, JSON-able."""
        return [self._last, self._leg]

    def restore(self, state: Sequence[Any]) -> None:
        """Continue from what `state` returned."""
        last, leg = frozen(state)
        self._last = None if last is None else Station(*last)
        self._leg = None if leg is None else Leg(*leg)

    def _means(
        self,
        last: Station,
        station: Station,
        dt: float,
        phi: Vector,
        acceleration: Vector,
        leg: Leg | None,
    ) -> tuple[Vector, Vector]:
        """Return mean rate and mean specific force; the terms are those of the module's page."""
        to_start = conjugate(last.orientation)
        ax, ay, az = acceleration
        f0 = rotate(to_start, (ax, ay, az + self._gravity))
        fx, fy, fz = f0
        wx, wy, wz = phi[0] / dt, phi[1] / dt, phi[2] / dt

        first = cross(phi, f0)
        second = cross(phi, first)
        c1, c2 = turning(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2])
        fx += c2 * second[0] - c1 * first[0]
        fy += c2 * second[1] - c1 * first[1]
        fz += c2 * second[2] - c1 * first[2]
        if self._with_twist:
            cone, k = cross(last.rate, station.rate), dt / 12.0
        elif leg is not None:
            cone, k = cross(leg.phi, phi), 1.0 / (12.0 * dt)
        else:
            cone, k = ZERO, 0.0
        rate = (wx - k * cone[0], wy - k * cone[1], wz - k * cone[2])
        if leg is None:
            return rate, (fx, fy, fz)

        apart = 0.5 * (leg.dt + dt)
        if self._with_twist:
            alpha = _slope(last.rate, station.rate, dt)
        else:
            b, d = leg.phi, leg.dt
            alpha = _slope((b[0] / d, b[1] / d, b[2] / d), (wx, wy, wz), apart)
        slope = rotate(to_start, _slope(leg.acceleration, acceleration, apart))
        k = dt * dt / 12.0
        e1 = cross(alpha, f0)
        e2 = cross((wx, wy, wz), slope)
        return rate, (
            fx + k * (e1[0] - e2[0]),
            fy + k * (e1[1] - e2[1]),
            fz + k * (e1[2] - e2[2]),
        )


def _slope(a: Vector, b: Vector, dt: float) -> Vector:
    return ((b[0] - a[0]) / dt, (b[1] - a[1]) / dt, (b[2] - a[2]) / dt)


def _sum(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _mean(a: Vector, b: Vector) -> Vector:
    return (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2]))
