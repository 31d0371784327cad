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

"""`<sensor type="imu">` of SDF and of URDF for Gazebo: noise per sample, by axis.

What Gazebo does with it (GaussianNoiseModel of gz-sensors): each sample has white noise of `mean`
and `stddev`. A bias is drawn at the start from `bias_mean` and `bias_stddev`, with a random sign.
With a dynamic bias it is also the start of a Gauss-Markov process: `dynamic_bias_stddev` is what
drives that, per sqrt(s), so that its stationary sigma is dynamic_bias_stddev * sqrt(tau / 2).
"""

from __future__ import annotations

import math
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...errors import InputError
from ...schema import Parameter, check
from .imported import Ask, Imported, build
from .sdf_sensor import AXES, GROUPS, axis_noise, figure_names, imu_sensors, unread

TITLE = "SDF or URDF with an imu sensor"


def is_mine(document: Any) -> bool:
    """Whether a document is XML; whether it has an IMU, `read` says."""
    return isinstance(document, Element)


def read(document: Element, ask: Ask) -> Imported:
    """Return the figures of the imu sensor, or of the one of several that `ask` names.

    Raises
    ------
    InputError
        There is no imu sensor, or it has no noise, or nobody says at which rate.
    ParameterError
        A value that is not a number.
    """
    sensors = imu_sensors(document)
    if not sensors:
        raise InputError("file", ask.where, "must have a sensor of type imu; it has none")
    name = ask.choose(sensors, "imu sensor")
    sensor, where = sensors[name], f"{ask.where}: sensor {name}"
    raw = {group: [axis_noise(sensor, group, axis, where) for axis in AXES] for group in GROUPS}
    if not any(axis for axes in raw.values() for axis in axes):
        raise InputError("file", ask.where, f"must have a noise in its sensor {name}; it has none")
    rate = _rate(sensor, where, ask, raw)
    figures = {group: _figures(axes, rate) for group, axes in raw.items()}
    notes = [*_meaning(raw), *unread(sensor, where)]
    return Imported(build(where, figures), notes, {"name": name})


def _rate(sensor: Element, where: str, ask: Ask, raw: dict[str, Any]) -> float:
    """Return the rate [Hz] that the figures per sample are for."""
    text = sensor.findtext("update_rate")
    if text is not None:
        facts = Parameter("", unit="Hz", lower=0.0)
        found: float = check(f"{where}: update_rate", text.strip(), facts)
        # Of 0, Gazebo makes one sample in each step of its physics.
        if found > 0.0:
            return found
    if ask.rate is not None:
        return ask.rate
    if not any(axis.get("stddev") for axes in raw.values() for axis in axes):
        return 1.0
    raise InputError(
        "file",
        ask.where,
        "gives noise per sample and no update_rate: at how many samples per second is it? "
        "pass --rate HZ",
    )


def _figures(axes: list[dict[str, float]], rate: float) -> dict[str, Any]:
    """Return our figures from those of Gazebo, by name."""
    column = {name: np.array([axis.get(name, 0.0) for axis in axes]) for name in figure_names()}
    time = column["dynamic_bias_correlation_time"]
    drive = np.where(time > 0.0, column["dynamic_bias_stddev"], 0.0)
    moving = drive > 0.0
    return {
        "noise_density": column["stddev"] / math.sqrt(rate),
        "constant_bias": column["mean"] + column["bias_mean"],
        "turn_on_bias_stddev": column["bias_stddev"],
        "bias_stddev": drive * np.sqrt(time / 2.0),
        "bias_correlation_time": np.where(moving, time, 0.0),
        "resolution": column["precision"],
    }


def _meaning(raw: dict[str, list[dict[str, float]]]) -> list[str]:
    """Return notes where Gazebo's bias has a law that ours has not."""
    axes = [axis for group in raw.values() for axis in group]
    notes = []
    if any(axis.get("bias_mean") for axis in axes):
        notes.append("bias_mean keeps its sign here; Gazebo gives it a random one in each run")
    moving = [axis for axis in axes if axis.get("dynamic_bias_stddev")]
    if any(axis.get("bias_stddev") for axis in moving):
        notes.append("bias_stddev is kept for the run; in Gazebo it fades with the dynamic bias")
    if not all(axis.get("dynamic_bias_correlation_time") for axis in moving):
        notes.append("dynamic_bias_stddev without a correlation time has no effect, as in Gazebo")
    return notes
