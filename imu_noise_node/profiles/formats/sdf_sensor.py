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

"""Where the noise of an imu sensor stands in XML: by axis, or in the older form for all three."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ...errors import ParameterError
from ...schema import Parameter, check

AXES = ("x", "y", "z")
GROUPS = {
    "gyroscope": ("angular_velocity", "rate"),
    "accelerometer": ("linear_acceleration", "accel"),
}
"""The element of each sensor, and its name in the older form."""

_SIGNED = ("mean", "bias_mean")
_POSITIVE = (
    *("stddev", "bias_stddev", "dynamic_bias_stddev", "dynamic_bias_correlation_time"),
    "precision",
)
IGNORED = (
    *("update_rate", "always_on", "visualize", "topic", "pose", "frame_id", "gz_frame_id"),
    *("ignition_frame_id", "plugin", "enable_metrics", "imu", "orientation_reference_frame"),
    *("enable_orientation", "angular_velocity", "linear_acceleration", "noise"),
)
"""Elements of sensor and imu that are read, or say nothing about its errors."""


def figure_names() -> tuple[str, ...]:
    """Return the names of the figures of a noise element."""
    return (*_SIGNED, *_POSITIVE)


def imu_sensors(root: Element) -> dict[str, Element]:
    """Return the imu sensors by name; where names repeat, that of the parent comes before it."""
    found = [
        (str(parent.get("name") or parent.get("reference") or ""), sensor)
        for parent in root.iter()
        for sensor in parent.findall("sensor")
        if sensor.get("type") == "imu"
    ]
    if root.tag == "sensor" and root.get("type") == "imu":
        found.append(("", root))
    names = [sensor.get("name") or "imu" for _, sensor in found]
    sensors: dict[str, Element] = {}
    for name, (parent, sensor) in zip(names, found, strict=True):
        label = name if names.count(name) == 1 else f"{parent}/{name}"
        number = sum(key.partition("#")[0] == label for key in sensors)
        sensors[f"{label}#{number + 1}" if number else label] = sensor
    return sensors


def axis_noise(sensor: Element, group: str, axis: str, where: str) -> dict[str, float]:
    """Return the figures of one axis as they stand there; none where it has no noise.

    Raises
    ------
    ParameterError
        A figure that is no number, or below 0 where it must not be; an unknown type of noise.
    """
    new, old = GROUPS[group]
    noise = sensor.find(f"imu/{new}/{axis}/noise")
    place = f"{where}: {new}/{axis}"
    kind = None if noise is None else noise.get("type") or noise.findtext("type")
    if noise is None:
        whole = sensor.find("imu/noise")
        noise = None if whole is None else whole.find(old)
        place = f"{where}: noise/{old}"
        kind = None if whole is None else whole.get("type") or whole.findtext("type")
    if noise is None or kind == "none":
        return {}
    if kind not in (None, "gaussian", "gaussian_quantized"):
        allowed = "must be none, gaussian or gaussian_quantized"
        raise ParameterError(f"{place}: noise type", kind, allowed)
    return {
        element.tag: _number(element, f"{place}/{element.tag}")
        for element in noise
        if element.tag in figure_names()
    }


def unread(sensor: Element, where: str) -> list[str]:
    """Return a note about elements that were neither read nor ignored on purpose."""
    imu = sensor.find("imu")
    names = [e.tag for e in [*sensor, *(() if imu is None else imu)] if e.tag not in IGNORED]
    for noise in sensor.iter("noise"):
        known = {*figure_names(), "type", "rate", "accel"}
        names += [f"noise/{e.tag}" for e in noise if e.tag not in known]
    unique = dict.fromkeys(names)
    return [f"not taken over of {where}: {', '.join(unique)}"] if unique else []


def _number(element: Element, key: str) -> float:
    text = (element.text or "").strip()
    if "$" in text:
        raise ParameterError(key, text, "must be a number: run xacro on the file first")
    facts = Parameter("") if element.tag in _SIGNED else Parameter("", lower=0.0)
    number: float = check(key, text, facts)
    return number
