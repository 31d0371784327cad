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

"""What a writer of settings gives back."""

from __future__ import annotations

from typing import NamedTuple

from ..model.spec import INERTIAL, UNITS
from ..profiles.formats.export import rms
from .figures import FilterFigures


class Setting(NamedTuple):
    """A figure of a filter, by its name there."""

    name: str
    value: float
    unit: str


class Settings(NamedTuple):
    """The settings of one filter.

    Attributes
    ----------
    file : str
        Name of the file to write them to.
    text : str
        What to write.
    settings : tuple of Setting
        The figures in it.
    notes : tuple of str
        Sentences on how they are meant.
    """

    file: str
    text: str
    settings: tuple[Setting, ...]
    notes: tuple[str, ...]


class Four(NamedTuple):
    """White noise and random walk of both sensors, of three axes the root mean square."""

    gyroscope_noise: float
    gyroscope_walk: float
    accelerometer_noise: float
    accelerometer_walk: float


def four(figures: FilterFigures) -> Four:
    """Return the figures for a filter that has one for the three axes of a sensor."""
    gyroscope, accelerometer = figures.sensors()
    return Four(
        *(rms(gyroscope.density), rms(gyroscope.random_walk)),
        *(rms(accelerometer.density), rms(accelerometer.random_walk)),
    )


DENSITY = {name: f"{UNITS[name]}/sqrt(Hz)" for name in INERTIAL}
WALK = {name: f"{UNITS[name]}/s/sqrt(Hz)" for name in INERTIAL}
"""Units of white noise and random walk."""
