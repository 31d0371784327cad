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

"""Whether what a sensor at rest reads can be in rad/s and m/s^2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..errors import InputError
from ..samples import Array
from .still_floor import SensorFloor

_GRAVITY = 9.80665
_NEAR = 0.05
"""Relative error of gravity with which a sensor may pass: half a metre per second squared."""

_MISTAKES = {"g": (0.9, 1.1), "mg or cm/s^2": (900.0, 1100.0)}
"""Magnitudes of gravity in other units."""

_NOISY = 1e-3
"""Floor of a gyroscope [rad/s/sqrt(Hz)] above those of all presets; in deg/s those of MEMS are."""

_TURNING = 0.35
"""Mean rate [rad/s] beyond the bias of the worst presets, 20 deg/s."""


def check_units(sensors: Sequence[SensorFloor], source: str) -> Iterator[str]:
    """Refuse readings that look like g or deg/s; yield what is odd and may be right.

    Raises
    ------
    InputError
        Gravity is about 1, or the gyroscope is too noisy for radians, also by what the
        accelerometer beside it is.
    """
    by_name = {sensor.sensor: sensor for sensor in sensors}
    force, rate = by_name.get("accelerometer"), by_name.get("gyroscope")
    if force is not None:
        yield from check_gravity(force.mean, source)
    if rate is not None:
        yield from _rates(rate, force, source)


def check_gravity(mean: Array, source: str) -> Iterator[str]:
    """Refuse an accelerometer whose mean at rest, shape (3,), is gravity in another unit.

    Raises
    ------
    InputError
    """
    magnitude = float(np.linalg.norm(mean))
    for unit, (low, high) in _MISTAKES.items():
        if low <= magnitude <= high:
            raise InputError(
                "recording",
                source,
                f"looks like {unit}: the accelerometer reads {magnitude:.4g} at rest, which in "
                "m/s^2 must be about 9.8",
            )
    if abs(magnitude - _GRAVITY) > _NEAR * _GRAVITY:
        yield (
            f"accelerometer: it reads {magnitude:.4g} m/s^2 at rest, not about 9.8: is the unit "
            "right, and gravity in it?"
        )


def check_rate_noise(worst: float, force: float | None, source: str) -> Iterator[str]:
    """Judge the gyroscope's white noise, by that of the accelerometer where there is one.

    In SI units the ratio of the two is 0.005 to 0.3 for every preset; in deg/s it is 1 and more
    for all of the grades consumer and industrial.

    Raises
    ------
    InputError
    """
    if worst > _NOISY:
        said = f"its noise would be {worst:.2g} rad/s/sqrt(Hz)"
        if force is not None and worst > force:
            raise InputError(
                "recording", source, f"looks like deg/s: the gyroscope is at rest and {said}"
            )
        yield f"gyroscope: {said}, more than sensors have: are the rates in rad/s?"


def _rates(rate: SensorFloor, force: SensorFloor | None, source: str) -> Iterator[str]:
    beside = None if force is None else float(force.floor.max())
    yield from check_rate_noise(float(rate.floor.max()), beside, source)
    turning = float(np.linalg.norm(rate.mean))
    if turning > _TURNING:
        yield f"gyroscope: it reads {turning:.3g} rad/s at rest: does it turn, or is that deg/s?"
