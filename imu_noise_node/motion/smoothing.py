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

"""Poses with noise in, a pose with its twist out: a quadratic through a window of poses.

A difference of differences of positions carries their noise sigma_p into the acceleration as
sqrt(6) sigma_p/dt^2. A quadratic in time, fitted by least squares to the W poses about one of
them, tells that pose, its velocity and its rate, from which the acceleration follows with

    sigma_a = sigma_p/dt^2 * 12/(W (W^2 - 1)) * sqrt(W - 1 + (W - 1)^2/2)

for steady intervals dt, about 8.5 sigma_p/(W dt)^2; what is told of a pose comes half a window
late. The fit follows constant acceleration exactly; of faster changes it takes off what a mean
over the window would. Least squares on evenly spaced points: Savitzky and Golay, Analytical
Chemistry 36, 1627 (1964).
"""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from ..samples import Array, Truth, Vector
from .intervals import NANOSECONDS, TimePolicy
from .rotations import conjugate, exponential, logarithm, normalised, product, rotate
from .station import finite, usable_orientation


class PoseWindow:
    """The last poses of a stream, and the quadratic through them.

    Stamps must increase, and the body must turn by less than half a turn within half a window.

    Parameters
    ----------
    size : int
        Poses in the window, odd, 3 or more.
    policy : TimePolicy
        Says which gap and which jump no fit may cross: there the window begins anew.

    Attributes
    ----------
    policy : TimePolicy
    waiting : int
        Poses whose turn to be in the middle is still to come.
    ends : int
        Poses that never came to be in the middle, at the ends of a stretch. Every pose added has
        come out, waits, or is one of these.
    """

    def __init__(self, size: int, policy: TimePolicy) -> None:
        self.policy = policy
        self.waiting = 0
        self.ends = 0
        self._size = size
        self._poses: deque[Truth] = deque(maxlen=size)

    def add(self, truth: Truth) -> Truth | None:
        """Take in a pose; return the one in the middle, or None while there are too few.

        Its velocity [m/s] and rate [rad/s] are in body axes. What is no pose is returned as it is.
        """
        position, orientation = truth.position, truth.orientation
        if position is None or orientation is None or not finite(position):
            return truth
        if usable_orientation(orientation) is None:
            return truth
        if self._is_broken(truth.stamp, position):
            self.forget()
        self._poses.append(truth._replace(orientation=normalised(orientation)))
        self.waiting += 1
        if len(self._poses) < self._size:
            return None
        if self.waiting == self._size:
            # The window is full for the first time: those before the middle are too late for it.
            self.ends += self._size // 2
            self.waiting -= self._size // 2
        self.waiting -= 1
        return _fit(self._poses, self._poses[self._size // 2])

    @property
    def is_filling(self) -> bool:
        """Whether there are too few poses for a fit."""
        return len(self._poses) < self._size

    def forget(self) -> None:
        """Begin anew with the next pose."""
        self.ends += self.waiting
        self.waiting = 0
        self._poses.clear()

    def _is_broken(self, stamp: int, position: Vector) -> bool:
        """Whether there is a gap before a pose, or a jump that the velocity does not explain."""
        if not self._poses:
            return False
        last = self._poses[-1]
        dt = (stamp - last.stamp) / NANOSECONDS
        if dt > self.policy.max_gap:
            return True
        before = self._poses[-2] if len(self._poses) > 1 else last
        span = (last.stamp - before.stamp) / NANOSECONDS or 1.0
        ends = zip(_place(before), _place(last), position, strict=True)
        leap = math.hypot(*(p2 - p1 - (p1 - p0) * dt / span for p0, p1, p2 in ends))
        return leap > self.policy.teleport_distance


def _fit(poses: deque[Truth], middle: Truth) -> Truth:
    assert middle.orientation is not None
    times = np.array([p.stamp - middle.stamp for p in poses]) / NANOSECONDS
    half = float(np.abs(times).max())
    still, linear = _quadratic(times / half, np.array([_offset(middle, p) for p in poses]))[:2]
    x, y, z, *turn = still.tolist()
    vx, vy, vz, *turning = (linear / half).tolist()
    orientation = product(middle.orientation, exponential(tuple(turn)))
    px, py, pz = _place(middle)
    velocity = rotate(conjugate(orientation), (vx, vy, vz))
    # The slope of the rotation vector is the rate itself where the vector is nought; here it is
    # what the fit moves the middle by, and half of that times the rate is far below the noise.
    return Truth(middle.stamp, (px + x, py + y, pz + z), orientation, velocity, tuple(turning))


def _quadratic(u: Array, values: Array) -> Array:
    """Return the coefficients of 1, u and u^2, shape (3, k), of the best fit to (n, k) values."""
    terms = np.stack([np.ones_like(u), u, u * u], axis=1)
    return np.asarray(np.linalg.lstsq(terms, values, rcond=None)[0], dtype=np.float64)


def _offset(middle: Truth, pose: Truth) -> tuple[float, ...]:
    """Return where a pose is as seen from the middle: displacement and rotation vector."""
    assert middle.orientation is not None
    assert pose.orientation is not None
    turn = logarithm(product(conjugate(middle.orientation), pose.orientation))
    ends = zip(_place(middle), _place(pose), strict=True)
    return (*(p1 - p0 for p0, p1 in ends), *turn)


def _place(pose: Truth) -> Vector:
    assert pose.position is not None
    return pose.position
