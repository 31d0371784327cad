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

"""To an SDF sensor for Gazebo: noise per sample at one rate, by axis.

The constant bias is written as `mean`, which Gazebo adds as it is, and not as `bias_mean`, whose
sign it draws anew in each run.
"""

from __future__ import annotations

import math
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from ...model.spec import ImuSpec
from .export import column, density, unwritten
from .sdf_sensor import AXES, GROUPS

FINEST = 1e-6
"""Gazebo takes no precision up to this one."""

_WRITTEN = (
    *("constant_bias", "turn_on_bias_stddev", "bias_stddev", "bias_correlation_time"),
    "resolution",
)


def sdf_text(spec: ImuSpec, rate: float) -> tuple[str, list[str]]:
    """Return the text of a `<sensor>` for `rate` [Hz], and notes on what it leaves out."""
    sensor = Element("sensor", name="imu", type="imu")
    SubElement(sensor, "always_on").text = "1"
    SubElement(sensor, "update_rate").text = repr(rate)
    imu, notes = SubElement(sensor, "imu"), []
    for name, (group, _) in GROUPS.items():
        columns, said = _columns(spec, name, rate)
        notes += said
        parent = SubElement(imu, group)
        for index, axis in enumerate(AXES):
            _noise(SubElement(parent, axis), {k: float(v[index]) for k, v in columns.items()})
    ElementTree.indent(sensor)
    text = ElementTree.tostring(sensor, encoding="unicode") + "\n"
    return text, [*notes, *unwritten(spec, _WRITTEN)]


def _columns(
    spec: ImuSpec, name: str, rate: float
) -> tuple[dict[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]], list[str]]:
    """Return Gazebo's figures of x, y, z by their names there, and notes."""
    triad = getattr(spec, name)
    noise, notes = density(name, triad, rate)
    time = column(name, triad, "bias_correlation_time")
    precision = column(name, triad, "resolution")
    turn_on = column(name, triad, "turn_on_bias_stddev")
    drive = column(name, triad, "bias_stddev") * np.sqrt(2.0 / np.where(time > 0.0, time, 1.0))
    if ((precision > 0.0) & (precision <= FINEST)).any():
        notes.append(f"{name}: Gazebo takes no precision of {FINEST:g} or less")
    if ((drive > 0.0) & (turn_on > 0.0)).any():
        notes.append(f"{name}: in Gazebo the turn-on bias fades with the dynamic bias")
    walk = column(name, triad, "random_walk")
    if walk.any() and not drive.any():
        notes.append(
            f"{name}: Gazebo has no random walk; a dynamic_bias_stddev of {walk.max():.4g} with a "
            "dynamic_bias_correlation_time much longer than a run is nearly one"
        )
    columns = {
        "mean": column(name, triad, "constant_bias"),
        "stddev": noise * math.sqrt(rate),
        "bias_stddev": turn_on,
        "dynamic_bias_stddev": drive,
        "dynamic_bias_correlation_time": np.where(drive > 0.0, time, 0.0),
        "precision": precision,
    }
    return columns, notes


def _noise(parent: Element, figures: dict[str, float]) -> None:
    # Classic Gazebo rounds to the precision only with this type; gz with either.
    kind = "gaussian_quantized" if figures["precision"] else "gaussian"
    noise = SubElement(parent, "noise", type=kind)
    for name, value in figures.items():
        if value or name in ("mean", "stddev"):
            SubElement(noise, name).text = repr(value)
