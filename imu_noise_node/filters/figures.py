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

"""What a filter is told of an IMU."""

from __future__ import annotations

from dataclasses import dataclass

from ..samples import Array


@dataclass(frozen=True, eq=False)
class SensorFigures:
    """What a filter is told of one sensor, by axis, each of shape (3,).

    Attributes
    ----------
    sensor : str
    density : ndarray
        White noise N [u/sqrt(Hz)].
    random_walk : ndarray
        K [u/s/sqrt(Hz)].
    time_scale : ndarray
        Averaging time at which K stands for all slow terms [s].
    start : ndarray
        Root mean square of the bias when the sensor is switched on [u].
    stands_for : tuple of str
        The slow terms that are no random walk.
    """

    sensor: str
    density: Array
    random_walk: Array
    time_scale: Array
    start: Array
    stands_for: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class FilterFigures:
    """What filters are told of an IMU that is read at one rate.

    Attributes
    ----------
    rate : float
        [Hz]
    gyroscope, accelerometer : SensorFigures
    sample_covariance : ndarray, shape (6, 6)
        Of one reading, given the biases [u^2].
    notes : tuple of str
        Sentences on what filters cannot be told.
    """

    rate: float
    gyroscope: SensorFigures
    accelerometer: SensorFigures
    sample_covariance: Array
    notes: tuple[str, ...]

    def sensors(self) -> tuple[SensorFigures, SensorFigures]:
        """Return both, in stacking order."""
        return self.gyroscope, self.accelerometer
