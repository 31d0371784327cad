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

"""Vectors that are constant in one frame, averaged in another that turns against it."""

from __future__ import annotations

from ..samples import Quaternion, Vector
from .rotations import conjugate, cross, rotate, turning


def mean_turned(vector: Vector, phi: Vector) -> Vector:
    """Return the mean of Exp(u phi) `vector` over 0 <= u <= 1.

    v + c1 phi x v + c2 phi x (phi x v), with c1 = (1 - cos t)/t^2, c2 = (t - sin t)/t^3 and
    t = |phi|.

    Parameters
    ----------
    vector : Vector
    phi : Vector
        Rotation vector [rad].
    """
    first = cross(phi, vector)
    second = cross(phi, first)
    c1, c2 = turning(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2])
    return (
        vector[0] + c1 * first[0] + c2 * second[0],
        vector[1] + c1 * first[1] + c2 * second[1],
        vector[2] + c1 * first[2] + c2 * second[2],
    )


def mean_in_sensor(vector: Vector, phi: Vector, orientation: Quaternion) -> Vector:
    """Return the mean of a vector of the world over an interval, in the sensor's turning axes.

    Going back from the end, where the sensor sees b, it is the mean of Exp(u phi) b: exact for a
    constant rate.

    Parameters
    ----------
    vector : Vector
        World axes.
    phi : Vector
        Rotation over the interval [rad], sensor axes.
    orientation : Quaternion
        Sensor to world at the interval's end.
    """
    return mean_turned(rotate(conjugate(orientation), vector), phi)


def increments(rate: Vector, force: Vector, dt: float) -> tuple[Vector, Vector]:
    """Return what an interval adds to angle and velocity, in the sensor's axes at its start.

    Rate and force are means in turning axes; for a constant rate the increments are exact.

    Parameters
    ----------
    rate, force : Vector
        [rad/s], [m/s^2]
    dt : float
        [s]

    Returns
    -------
    Vector
        Rotation vector [rad].
    Vector
        Velocity increment [m/s].
    """
    phi = (rate[0] * dt, rate[1] * dt, rate[2] * dt)
    x, y, z = mean_turned(force, phi)
    return phi, (x * dt, y * dt, z * dt)
