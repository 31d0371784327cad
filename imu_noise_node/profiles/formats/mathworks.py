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

"""Parameters of MathWorks' imuSensor, as YAML or as the JSON that its `loadparams` reads.

Percent become fractions, and the magnetometer's microtesla tesla. With NoiseType single-sided,
both NoiseDensity and RandomWalk belong to half the bandwidth: imuSensor's noise is
NoiseDensity / sqrt(2) two-sided, its walk RandomWalk * sqrt(2).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .imported import Ask, Imported, build, three
from .intrinsics import linear
from .keys import Keys

TITLE = "MathWorks imuSensor parameters"

FLOOR = math.sqrt(2.0 * math.log(2.0) / math.pi)
"""Flat Allan deviation of flicker noise, by its coefficient: 0.664."""

GROUPS = {
    "gyroscope": "Gyroscope",
    "accelerometer": "Accelerometer",
    "magnetometer": "Magnetometer",
}
IGNORED = (
    *("IMUType", "SampleRate", "Temperature", "MagneticField", "ReferenceFrame", "RandomStream"),
    *("Seed", "PartNumber", "Manufacturer", "Description"),
)
_SIDES = ("double-sided", "single-sided")


def is_mine(document: Any) -> bool:
    """Whether a document is in this format: groups at the top, or below names of parts."""
    return isinstance(document, dict) and (
        _is_part(document) or any(map(_is_part, document.values()))
    )


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures; of several parts, those of the one that `ask` names."""
    keys, about = Keys(document, ask.where), {}
    if not _is_part(document):
        part = ask.choose([name for name, value in document.items() if _is_part(value)], "part")
        keys, about = Keys(document[part], f"{ask.where}: {part}"), {"name": str(part)}
    sensors, notes = {}, []
    for sensor, group in GROUPS.items():
        inner = keys.below(group)
        if inner is not None:
            sensors[sensor], said = _group(inner, 1e-6 if sensor == "magnetometer" else 1.0)
            notes += said
    keys.ignore(IGNORED)
    return Imported(build(ask.where, sensors), [*notes, *keys.rest()], about)


def _group(keys: Keys, unit: float) -> tuple[dict[str, Any], list[str]]:
    """Return the figures of one sensor in SI; `unit` is the SI value of its unit."""
    side = keys.choice("NoiseType", _SIDES) or _SIDES[0]

    def times(key: str, factor: float, lower: float = -math.inf) -> Any:
        value = keys.axes(key, lower)
        return None if value is None else value * factor

    figures = {
        "noise_density": times("NoiseDensity", unit, lower=0.0),
        "noise_type": side if "NoiseDensity" in keys else None,
        "random_walk": times(
            "RandomWalk", unit * (math.sqrt(2.0) if side == _SIDES[1] else 1.0), lower=0.0
        ),
        "bias_instability": times("BiasInstability", unit * FLOOR, lower=0.0),
        "constant_bias": times("ConstantBias", unit),
        "temperature_bias": times("TemperatureBias", unit),
        "temperature_scale_factor": times("TemperatureScaleFactor", 0.01),
        "resolution": times("Resolution", unit, lower=0.0),
        "range": _range(keys, unit),
        **_misalignment(keys),
    }
    if "AccelerationBias" in keys:
        figures["g_sensitivity"] = three(keys.axes("AccelerationBias"))
    return figures, [*_flicker(keys, figures["bias_instability"]), *keys.rest()]


def _range(keys: Keys, unit: float) -> float | None:
    """Return the full scale; MATLAB writes an unlimited one as Inf, and JSON cannot."""
    value = keys.raw("MeasurementRange")
    if value is None or str(value).strip().lower() in ("inf", ".inf", "infinity"):
        return None
    found = keys.number("MeasurementRange", lower=0.0, above=True)
    return None if found is None else found * unit


def _misalignment(keys: Keys) -> dict[str, Any]:
    """Return what an axis reads of the others: one number, three by source, or the matrix [%]."""
    percent = keys.matrix("AxesMisalignment")
    if percent is None:
        return {}
    values = np.asarray(percent) / 100.0
    matrix = values.reshape(3, 3) if values.size == 9 else np.tile(three(values), (3, 1))
    if values.size != 9:
        np.fill_diagonal(matrix, 1.0)
    return linear(keys.where, "AxesMisalignment", matrix)


def _flicker(keys: Keys, floor: Any) -> list[str]:
    """Return notes on the bias instability, which imuSensor makes with a filter of its own."""
    filtered = keys.raw("BiasInstabilityCoefficients") is not None
    if floor is None or not np.any(floor):
        return []
    quoted = float(np.asarray(floor).max()) / FLOOR
    notes = [
        f"{keys.where}: BiasInstability is read as a flicker coefficient, whose floor is 0.664 "
        f"times it; if yours is a datasheet's floor, set bias_instability to {quoted:.4g}"
    ]
    how = "BiasInstabilityCoefficients are" if filtered else "imuSensor's filter of two samples is"
    return [*notes, f"{keys.where}: {how} not taken over: the floor is flat from 1 to 1000 s"]


def _is_part(value: Any) -> bool:
    return isinstance(value, dict) and any(
        isinstance(value.get(group), dict) for group in GROUPS.values()
    )
