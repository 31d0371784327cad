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

"""What a few seconds at rest say of an IMU."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..samples import Array


@dataclass(frozen=True, eq=False)
class SensorFloor:
    """What one sensor reads at rest, by axis, each of shape (3,).

    Attributes
    ----------
    sensor : str
        "gyroscope" or "accelerometer".
    floor : ndarray
        Of the white noise density, from increments over 50 ms [u/sqrt(Hz)].
    per_reading : ndarray
        Standard deviation of a reading times sqrt(dt) [u/sqrt(Hz)]; what differs from `floor` is
        the sensor's filters and steps.
    mean : ndarray
        [u]
    step : ndarray
        Smallest difference between readings [u].
    wander : ndarray
        Variance of averages over a tenth of the window, by what white noise makes of it.
    """

    sensor: str
    floor: Array
    per_reading: Array
    mean: Array
    step: Array
    wander: Array

    @property
    def worst(self) -> int:
        """Number of the axis with the highest floor."""
        return int(np.argmax(self.floor))


@dataclass(frozen=True)
class StillFloor:
    """What an IMU reads in its quietest window.

    Attributes
    ----------
    source : str
        The recording.
    rate : float
        [Hz]
    start, length : float
        Of the window [s], from the first reading of the recording.
    stamps : tuple of int
        First and last of the window [ns].
    blocks : int
        How many increments there are.
    block : float
        How long each is [s].
    sensors : tuple of SensorFloor
        Gyroscope and accelerometer, or the one that there is.
    notes : tuple of str
        Sentences on what is odd.
    """

    source: str
    rate: float
    start: float
    length: float
    stamps: tuple[int, int]
    blocks: int
    block: float
    sensors: tuple[SensorFloor, ...]
    notes: tuple[str, ...]

    @property
    def uncertainty(self) -> float:
        """Relative standard deviation of each floor."""
        return 1.0 / math.sqrt(2.0 * (self.blocks - 1))

    def sensor(self, name: str) -> SensorFloor | None:
        """Return one of the sensors, or None where the recording lacks it."""
        return next((found for found in self.sensors if found.sensor == name), None)

    @property
    def bias(self) -> Array | None:
        """Mean of the gyroscope [rad/s]: its bias, and what there is of the Earth's rate."""
        gyroscope = self.sensor("gyroscope")
        return None if gyroscope is None else gyroscope.mean

    @property
    def gravity(self) -> float | None:
        """Magnitude of the mean specific force [m/s^2]."""
        force = self.sensor("accelerometer")
        return None if force is None else float(np.linalg.norm(force.mean))

    @property
    def up(self) -> Array | None:
        """Direction of the mean specific force in the sensor's axes, shape (3,): upwards."""
        force = self.sensor("accelerometer")
        return None if force is None else force.mean / np.linalg.norm(force.mean)
