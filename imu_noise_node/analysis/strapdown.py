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

"""Dead reckoning: from what a gyroscope and an accelerometer read to attitude and position.

P. G. Savage, Strapdown inertial navigation integration algorithm design, Journal of Guidance,
Control, and Dynamics 21(1, 2), 1998: two samples' coning and sculling, over a flat Earth that does
not turn.
"""

from __future__ import annotations

import numpy as np

from ..samples import Array


class Strapdown:
    """Attitude, velocity and position, integrated from readings; any number at once.

    Parameters
    ----------
    attitude : ndarray, shape (*batch, 3, 3)
        Sensor axes to those of the world, z up.
    velocity, position : ndarray, shape (*batch, 3)
        World axes [m/s], [m].
    gravity : float
        [m/s^2]
    """

    def __init__(
        self, attitude: Array, velocity: Array, position: Array, gravity: float = 9.80665
    ) -> None:
        self.attitude = attitude
        self.velocity = velocity
        self.position = position
        self._gravity = np.array([0.0, 0.0, -gravity])
        self._before: tuple[float, Array, Array] | None = None

    def advance(self, dt: float, rate: Array, force: Array) -> None:
        """Go on by one reading.

        Parameters
        ----------
        dt : float
            Time since the reading before [s].
        rate, force : ndarray, shape (*batch, 3)
            Mean angular rate [rad/s] and specific force [m/s^2] over that time, sensor axes.
        """
        angle, push = rate * dt, force * dt
        turn, thrust = angle, push + _turning(angle, push)
        if self._before is not None:
            last_dt, last_angle, last_push = self._before
            # 1/12 where the intervals are equal. For others: of rates and forces that change
            # linearly, dt^3/12 times the cross product of value and slope is left out.
            weight = dt**2 / (6.0 * last_dt * (last_dt + dt))
            turn = turn + weight * np.cross(last_angle, angle)
            sculling = np.cross(last_angle, push) + np.cross(last_push, angle)
            thrust = thrust + weight * sculling
        change = times(self.attitude, thrust) + self._gravity * dt
        self.position = self.position + dt * (self.velocity + 0.5 * change)
        self.velocity = self.velocity + change
        self.attitude = self.attitude @ rotations(turn)
        self._before = (dt, angle, push)


def rotations(vectors: Array) -> Array:
    """Return the matrices of rotation vectors [rad], shape (*batch, 3) to (*batch, 3, 3)."""
    square = np.sum(vectors**2, axis=-1)
    first, second = _coefficients(square)
    sine = 1.0 - square * second
    cross = skew(vectors)
    turned: Array = (
        np.eye(3) + sine[..., None, None] * cross + first[..., None, None] * (cross @ cross)
    )
    return turned


def rotation_vectors(matrices: Array) -> Array:
    """Return the rotation vectors [rad] of matrices, the short way round."""
    difference = 0.5 * (matrices - np.swapaxes(matrices, -1, -2))
    axis = np.stack([difference[..., 2, 1], difference[..., 0, 2], difference[..., 1, 0]], axis=-1)
    sine = np.sqrt(np.sum(axis**2, axis=-1))
    cosine = 0.5 * (np.trace(matrices, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    scale = np.where(sine > 1e-12, angle / np.where(sine > 0.0, sine, 1.0), 1.0)
    return scale[..., None] * axis


def skew(vectors: Array) -> Array:
    """Return the matrices that do `vectors` x ..., shape (*batch, 3, 3)."""
    found = np.zeros((*vectors.shape, 3))
    found[..., 2, 1], found[..., 0, 2], found[..., 1, 0] = np.moveaxis(vectors, -1, 0)
    return found - np.swapaxes(found, -1, -2)


def times(matrices: Array, vectors: Array) -> Array:
    """Return matrices times vectors, shapes (*batch, 3, 3) and (*batch, 3)."""
    product: Array = (matrices @ vectors[..., None])[..., 0]
    return product


def _turning(angle: Array, push: Array) -> Array:
    """Return what a push over an interval lacks in the axes at its start, if all is steady."""
    first, second = _coefficients(np.sum(angle**2, axis=-1))
    once = np.cross(angle, push)
    return first[..., None] * once + second[..., None] * np.cross(angle, once)


def _coefficients(square: Array) -> tuple[Array, Array]:
    """Return (1 - cos t)/t^2 and (t - sin t)/t^3 for t^2."""
    small = square < 1e-3
    t2 = np.where(small, 1.0, square)
    t = np.sqrt(t2)
    series = (
        0.5 - square * (1.0 / 24.0 - square / 720.0),
        1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0),
    )
    closed = (1.0 - np.cos(t)) / t2, (t - np.sin(t)) / (t2 * t)
    return np.where(small, series[0], closed[0]), np.where(small, series[1], closed[1])
