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

"""Kalibr's imu.yaml.

Kalibr divides the density by the square root of the interval to get the sigma of a reading
(`ImuParameters.getGyroStatistics`, kalibr_common/ConfigReader.py), and gives the derivative of its
bias spline the random walk as its power (`addBiasMotionTerms`, IccSensors.py): both are ours.
"""

from __future__ import annotations

from ..model.spec import INERTIAL, ImuSpec, TriadSpec
from ..profiles.formats.kalibr import FIGURES
from ..profiles.formats.kalibr_export import kalibr_text
from .figures import FilterFigures
from .settings import DENSITY, WALK, Setting, Settings, four

TITLE = "Kalibr"


def settings(figures: FilterFigures) -> Settings:
    """Return the imu.yaml, and its four figures."""
    text, notes = plain_text(figures)
    return Settings("kalibr_imu.yaml", text, table(figures), notes)


def plain_text(
    figures: FilterFigures, of_zero: str = "which Kalibr refuses"
) -> tuple[str, tuple[str, ...]]:
    """Return the imu.yaml of a sensor that has white noise and a random walk alone, and notes.

    `of_zero` is what the reader of the file makes of a random walk of 0.
    """
    gyroscope, accelerometer = (
        TriadSpec(noise_density=sensor.density, random_walk=sensor.random_walk)
        for sensor in figures.sensors()
    )
    spec = ImuSpec(gyroscope=gyroscope, accelerometer=accelerometer)
    text, notes = kalibr_text(spec, figures.rate, of_zero=of_zero)
    return text, tuple(notes)


def table(figures: FilterFigures) -> tuple[Setting, ...]:
    """Return the four figures by Kalibr's names."""
    found = four(figures)._asdict()
    return tuple(
        Setting(FIGURES[name][figure], found[f"{name}_{key}"], units[name])
        for name in INERTIAL
        for figure, key, units in (
            ("noise_density", "noise", DENSITY),
            ("random_walk", "walk", WALK),
        )
    )
