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

"""Kalibr's imu.yaml, which allan_variance_ros and OpenVINS write, too; flat or below `imu0`."""

from __future__ import annotations

from typing import Any

from .imported import Ask, Imported, build
from .intrinsics import intrinsics
from .keys import Keys

TITLE = "Kalibr imu.yaml (also allan_variance_ros, OpenVINS)"

FIGURES = {
    "gyroscope": {
        "noise_density": "gyroscope_noise_density",
        "random_walk": "gyroscope_random_walk",
    },
    "accelerometer": {
        "noise_density": "accelerometer_noise_density",
        "random_walk": "accelerometer_random_walk",
    },
}
"""Kalibr's name of each figure; units and meanings are ours."""

IGNORED = ("rostopic", "update_rate", "time_offset", "T_i_b", "T_ib", "model", "comment")
"""Names, times and places, which are no errors of the sensor."""


def is_mine(document: Any) -> bool:
    """Whether a document is in this format."""
    return isinstance(document, dict) and (_flat(document) or any(map(_flat, document.values())))


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures; of several IMUs, those of the one that `ask` names."""
    if _flat(document):
        return _one(Keys(document, ask.where))
    blocks = [name for name, value in document.items() if _flat(value)]
    name = ask.choose(blocks, "IMU")
    imported = _one(Keys(document[name], f"{ask.where}: {name}"))
    others = [str(key) for key in document if key not in blocks]
    notes = [f"not taken over of {ask.where}: {', '.join(others)}"] if others else []
    return Imported(imported.spec, [*imported.notes, *notes], {"name": str(name)})


def four(keys: Keys) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the four figures of Kalibr by sensor, and a note for each density that is not there.

    Raises
    ------
    ParameterError
        A figure is not a number of 0 or more.
    """
    sensors = {
        sensor: {figure: keys.axes(key, lower=0.0) for figure, key in figures.items()}
        for sensor, figures in FIGURES.items()
    }
    missing = [FIGURES[s]["noise_density"] for s in FIGURES if sensors[s]["noise_density"] is None]
    return sensors, [f"{keys.where} has no {key}: that sensor is without noise" for key in missing]


def _one(keys: Keys) -> Imported:
    sensors, notes = four(keys)
    found = intrinsics(keys)
    keys.ignore(IGNORED)
    spec = build(keys.where, {s: {**sensors[s], **found[s]} for s in sensors})
    return Imported(spec, [*notes, *keys.rest()])


def _flat(value: Any) -> bool:
    keys = {key for figures in FIGURES.values() for key in figures.values()}
    return isinstance(value, dict) and not keys.isdisjoint(value)
