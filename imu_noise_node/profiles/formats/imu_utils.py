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

"""The output of imu_utils: noise per axis that is a density or a sigma per sample, and a floor.

Versions of the tool differ in whether they multiply the noise (`gyr_n`) by the square root of the
rate, and the file does not say. `gyr_w` is the lowest Allan deviation, whatever the version.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .imported import Ask, Imported, build
from .keys import Keys

TITLE = "imu_utils output"

_SENSORS = {"gyroscope": ("Gyr", "gyr", "rad/s"), "accelerometer": ("Acc", "acc", "m/s^2")}


def is_mine(document: Any) -> bool:
    """Whether a document is in this format."""
    return isinstance(document, dict) and any(
        isinstance(block := document.get(name), dict)
        and any(isinstance(axis, dict) and f"{short}_n" in axis for axis in block.values())
        for name, short, _ in _SENSORS.values()
    )


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures of each axis, read as the user says.

    Raises
    ------
    InputError
        The user does not say whether the noise is a density or per sample, or not at which rate.
    """
    keys = Keys(document, ask.where)
    noise, floor, notes = {}, {}, []
    for sensor, (name, short, _) in _SENSORS.items():
        block = keys.below(name)
        if block is not None:
            noise[sensor], floor[sensor], unread = _axes(block, short)
            notes += unread
    meaning = ask.reading()
    if meaning is None or (meaning == "per-sample" and ask.rate is None):
        raise InputError("file", ask.where, _question(noise, ask.rate))
    if meaning == "per-sample" and ask.rate is not None:
        noise = {sensor: values / math.sqrt(ask.rate) for sensor, values in noise.items()}
    keys.ignore(("type",))
    about = {"name": str(keys.raw("name"))} if "name" in keys else {}
    sensors = {s: {"noise_density": noise[s], "bias_instability": floor[s]} for s in noise}
    notes.append(
        "gyr_w and acc_w are the lowest point of the Allan deviation, read as bias_instability; "
        "the file has no random walk"
    )
    return Imported(build(ask.where, sensors), [*notes, *keys.rest()], about)


def _axes(block: Keys, short: str) -> tuple[NDArray[np.float64], NDArray[np.float64], list[str]]:
    """Return noise and floor of x, y, z, and notes on what else stands there."""
    block.ignore(("unit", "avg-axis"))
    noise, floor = np.zeros(3), np.zeros(3)
    notes: list[str] = []
    for index, name in enumerate(("x-axis", "y-axis", "z-axis")):
        axis = block.below(name)
        found = None if axis is None else axis.number(f"{short}_n", lower=0.0)
        if axis is None or found is None:
            raise InputError(block.where, name, f"must hold {short}_n of that axis")
        noise[index] = found
        floor[index] = axis.number(f"{short}_w", lower=0.0) or 0.0
        notes += axis.rest()
    return noise, floor, [*notes, *block.rest()]


def _question(noise: dict[str, NDArray[np.float64]], rate: float | None) -> str:
    """Return the two readings of the mean noise, and how to choose."""

    def say(factor: float) -> str:
        return ", ".join(
            f"{_SENSORS[sensor][1]} {values.mean() * factor:.3g} {_SENSORS[sensor][2]}/sqrt(Hz)"
            for sensor, values in noise.items()
        )

    example = 200.0 if rate is None else rate
    return (
        f"does not say what its noise is: as densities {say(1.0)}; as sigmas per sample at "
        f"{example:g} Hz they would be {say(1.0 / math.sqrt(example))}; pass --meaning density, "
        "or --meaning per-sample with the --rate of the recording"
    )
