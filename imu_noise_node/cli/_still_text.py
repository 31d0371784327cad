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

"""What `still` prints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import numpy as np

from ..analysis.still_floor import SensorFloor, StillFloor
from ..analysis.still_pressure import PressureNoise
from ..model.spec import UNITS
from ..samples import Array
from ..units import si

_DATASHEET = {
    "gyroscope": ("deg/s/sqrt(Hz)", "deg/sqrt(h)"),
    "accelerometer": ("ug/sqrt(Hz)", "m/s/sqrt(h)"),
}
"""Units in which datasheets have white noise."""

_MEANING = """\
A floor, not N: the sensor's own filters take away noise that is faster than the increments, and
its slow noise does not show in so short a time. Of many windows this is the quietest, too. `allan`
finds N in some hours at rest."""


def still_text(found: StillFloor, pressure: PressureNoise | None) -> str:
    """Return the figures of each sensor, what is odd about them, and what they mean."""
    groups = ["\n".join(_head(found))]
    groups += ["\n".join(_sensor(found, sensor)) for sensor in found.sensors]
    if pressure is not None:
        groups.append("\n".join(_pressure(pressure)))
    if found.notes:
        groups.append("\n".join(_wrapped(f"note: {note}") for note in found.notes))
    return "\n\n".join([*groups, _MEANING])


def _head(found: StillFloor) -> Iterator[str]:
    yield found.source
    yield (
        f"still for {found.length:.4g} s from {found.start:.6g} s on, at {found.rate:.6g} Hz: "
        f"{found.blocks} increments over {1e3 * found.block:.3g} ms"
    )


def _sensor(found: StillFloor, sensor: SensorFloor) -> Iterator[str]:
    unit = f"{UNITS[sensor.sensor]}/sqrt(Hz)"
    yield f"{sensor.sensor.capitalize():19}{'x':>12}{'y':>12}{'z':>12}"
    yield _row("floor", sensor.floor, unit) + f", each ± {found.uncertainty:.1%}"
    for customary in _DATASHEET[sensor.sensor]:
        yield _row("", sensor.floor / si(f"1 {customary}", unit), customary)
    yield _row("from one reading", sensor.per_reading, unit) + ": its sigma times sqrt(dt)"
    worst = sensor.floor[sensor.worst]
    yield f"  {'worst axis':17}{'xyz'[sensor.worst]:>12}{worst:>12.4g}{'':12}  {unit}"
    if sensor.sensor == "gyroscope":
        yield _row("bias", sensor.mean, UNITS[sensor.sensor])
        yield _row("", sensor.mean / si("1 deg/s", "rad/s"), "deg/s")
    elif found.gravity is not None and found.up is not None:
        yield _row("mean", sensor.mean, UNITS[sensor.sensor])
        yield _row("up", found.up, f"of gravity, {found.gravity:.5g} m/s^2")


def _pressure(pressure: PressureNoise) -> Iterator[str]:
    yield "Barometer"
    yield (
        f"  variance     {pressure.sigma**2:.4g} Pa^2, sigma {pressure.sigma:.4g} Pa ± "
        f"{pressure.uncertainty:.1%}, about {pressure.mean:.6g} Pa"
    )
    yield f"  readings     {pressure.distinct} distinct ones of {pressure.readings}"


def _row(name: str, values: Array, unit: str) -> str:
    numbers = "".join(f"{number:>12.4g}" for number in np.asarray(values))
    return f"  {name:17}{numbers}  {unit}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, width=99, subsequent_indent="      ")
