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

"""The records that travel the signal path: Truth, Motion, Measurement.

Vectors are plain tuples of floats up to the error model, and arrays from there on: one sample's
worth of arithmetic is several times faster on floats than on three-element arrays.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
"""x, y, z, w; turns sensor or body axes into world axes."""


class Truth(NamedTuple):
    """What the simulator says about the body at one instant.

    Odometry truth has pose and twist; Imu truth has `angular_velocity`, `specific_force` and,
    where its source knows it, `orientation`.

    Attributes
    ----------
    stamp : int
        Capture time [ns].
    position : Vector or None
        Of the body origin in the world [m].
    orientation : Quaternion or None
        Body to world.
    velocity : Vector or None
        Of the body origin [m/s], in the frame that `twist_frame` names.
    angular_velocity : Vector or None
        [rad/s], in the same frame; body axes for Imu truth.
    specific_force : Vector or None
        [m/s^2], body axes.
    """

    stamp: int
    position: Vector | None = None
    orientation: Quaternion | None = None
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    specific_force: Vector | None = None


class Motion(NamedTuple):
    """What a perfect sensor feels over one interval: means in its own turning axes.

    Attributes
    ----------
    dt : float
        Length of the interval [s].
    angular_velocity : Vector
        [rad/s]
    specific_force : Vector
        [m/s^2]
    orientation : Quaternion or None
        Sensor to world at the interval's end.
    """

    dt: float
    angular_velocity: Vector
    specific_force: Vector
    orientation: Quaternion | None


class Origin(Protocol):
    """Where a measurement came from; works out what was in it when asked."""

    def truth(self) -> Array:
        """Return what went in [u], shape as the measurement's values."""

    def response(self) -> Array:
        """Return what the sensor makes of it without bias and noise [u], same shape."""

    def bias(self) -> Array:
        """Return the bias [u], shape as the measurement's values."""

    def covariance(self) -> Array:
        """Return the covariance [u^2], shape (6, 6) or with leading axes."""


class Channels:
    """Values of all axes, with a view for each sensor.

    Attributes
    ----------
    values : ndarray, shape (..., 6), or (..., 9) with a magnetometer
        Gyroscope xyz [rad/s], accelerometer xyz [m/s^2], magnetometer xyz [T].
    """

    __slots__ = ("values",)

    def __init__(self, values: Array) -> None:
        self.values = values

    @property
    def angular_velocity(self) -> Array:
        """Gyroscope [rad/s], shape (..., 3)."""
        return self.values[..., 0:3]

    @property
    def linear_acceleration(self) -> Array:
        """Accelerometer [m/s^2], shape (..., 3)."""
        return self.values[..., 3:6]

    @property
    def magnetic_field(self) -> Array | None:
        """Magnetometer [T], shape (..., 3), or None where there is none."""
        return self.values[..., 6:9] if self.values.shape[-1] > 6 else None


class Measurement(Channels):
    """What the sensor reads: shape (*batch, K) from `step`, (T, *batch, K) from `run`.

    K is 6, or 9 with a magnetometer.
    """

    __slots__ = ("_origin",)

    def __init__(self, values: Array, origin: Origin) -> None:
        self.values = values
        self._origin = origin

    @property
    def truth(self) -> Channels:
        """What went in."""
        return Channels(self._origin.truth())

    @property
    def response(self) -> Channels:
        """What went in as the sensor renders it without bias and noise.

        That is the truth changed by scale factor, misalignment, cross-axis and g-sensitivity,
        non-linearity and bandwidth.
        """
        return Channels(self._origin.response())

    @property
    def bias(self) -> Channels:
        """The slow errors added in the sample, as expected at the start of its interval.

        What remains, measured - response - bias, is the noise that the sample covariance
        describes, as long as the range is not reached and no stage of the user's adds its own.
        """
        return Channels(self._origin.bias())

    @property
    def covariance(self) -> Array:
        """Covariance of all axes [u^2], shape (K, K); from `run` (T, K, K).

        In a batch its axes come before the matrix, each 1 long where the members are alike.
        """
        return self._origin.covariance()

    @property
    def angular_velocity_covariance(self) -> Array:
        """Gyroscope covariance [(rad/s)^2], shape (..., 3, 3)."""
        return self._origin.covariance()[..., 0:3, 0:3]

    @property
    def linear_acceleration_covariance(self) -> Array:
        """Accelerometer covariance [(m/s^2)^2], shape (..., 3, 3)."""
        return self._origin.covariance()[..., 3:6, 3:6]

    @property
    def magnetic_field_covariance(self) -> Array | None:
        """Magnetometer covariance [T^2], shape (..., 3, 3), or None where there is none."""
        return self._origin.covariance()[..., 6:9, 6:9] if self.values.shape[-1] > 6 else None

    def __repr__(self) -> str:
        """Show the values."""
        rate, force = self.angular_velocity, self.linear_acceleration
        return f"Measurement(angular_velocity={rate}, linear_acceleration={force})"

    def __getitem__(self, index: int) -> Measurement:
        """Return the sample at `index` of a run."""
        return Measurement(self.values[index], _Picked(self._origin, index))

    def less(self, offset: Array) -> Measurement:
        """Return the measurement with `offset` [u], shape (..., K), taken off values and bias."""
        return Measurement(self.values - offset, _Shifted(self._origin, offset))


class _Picked:
    """One sample of a run."""

    def __init__(self, run: Origin, index: int) -> None:
        self._run = run
        self._index = index

    def truth(self) -> Array:
        picked: Array = self._run.truth()[self._index]
        return picked

    def response(self) -> Array:
        picked: Array = self._run.response()[self._index]
        return picked

    def bias(self) -> Array:
        picked: Array = self._run.bias()[self._index]
        return picked

    def covariance(self) -> Array:
        picked: Array = self._run.covariance()[self._index]
        return picked


class _Shifted:
    """A sample that something known has been taken off from."""

    def __init__(self, origin: Origin, offset: Array) -> None:
        self._origin = origin
        self._offset = offset

    def truth(self) -> Array:
        return self._origin.truth()

    def response(self) -> Array:
        return self._origin.response()

    def bias(self) -> Array:
        return self._origin.bias() - self._offset

    def covariance(self) -> Array:
        return self._origin.covariance()
