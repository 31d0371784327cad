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

"""docs/parameters.md, written from the schema; nothing here needs ROS."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from ..calibration import CalibrationPolicy
from ..checkpoint import CheckpointPolicy
from ..delivery import DeliveryPolicy
from ..model.spec import SENSORS, UNITS, ImuSpec, TriadSpec
from ..motion.earth import Earth
from ..motion.intervals import TimePolicy
from ..motion.mount import Mount
from ..schema import Parameter, parameters
from ..units import CUSTOMARY
from .fault_settings import FaultSettings
from .node_settings import NodeSettings
from .settings import SECTIONS, catalogue, defaults, unit_of
from .tf_frames import MountSource, TfFrames

_TITLES = {
    NodeSettings: "Node",
    TimePolicy: "Time",
    TfFrames: "TF",
    Mount: "Mount",
    MountSource: "Mount from TF",
    Earth: "Earth",
    DeliveryPolicy: "Delivery",
    CalibrationPolicy: "Calibration",
    CheckpointPolicy: "Checkpoints",
    FaultSettings: "Faults",
    ImuSpec: "Sensor as a whole",
    TriadSpec: "Gyroscope, accelerometer, magnetometer",
}

_INTRODUCTION = """\
# Parameters of the node `imu_noise`

Written by `make docs` from the schema that the node checks its parameters with. The figures of a
sensor are also the keys of a profile and the fields of `ImuSpec` and `TriadSpec` in Python.

- **Default** holds where neither a parameter nor the profile gives a value. *not given* is no
  value; an empty text, `""`, sets a parameter back to it.
- **Live** says whether `ros2 param set` can change it while the node runs. Changes are checked as
  a whole, and a refused one says why.
- Numbers are in the unit shown; NaN and infinity are none. A text may have another unit of the
  same kind: `10 ms`, `0.34 deg/sqrt(h)`, `160, 160, 190 ug/sqrt(Hz)`; see [Units](#units).
- A list in a parameter file is all decimals, all integers or all texts: `[0.0, 0.1, 0.1]`.
"""

_SENSORS = """\
Each sensor has its own: `gyroscope.noise_density`, `accelerometer.noise_density`. In the units,
`u` is that of the sensor:

| Sensor | `u` |
| --- | --- |
{rows}

There is a magnetometer where `magnetic_field` is given.
"""

_UNITS = """\
## Units

Units are products of powers, such as `ug/sqrt(Hz)`, `µg/√Hz`, `m s^-2` or `(deg/s)^2/Hz`. `g` is
9.80665 m/s^2, `G` and `Gauss` are 1e-4 T, `h` is an hour. An angle is no plain number, and a
temperature is in degC; in a figure by temperature, `K` is the same. LSB are not understood.

| A figure in | may be given in, for example |
| --- | --- |
{rows}
"""


def markdown() -> str:
    """Return the whole page."""
    prefixes: dict[type, list[str]] = {}
    for prefix, cls in SECTIONS:
        prefixes.setdefault(cls, []).append(prefix)
    sections = (_section(cls, found) for cls, found in prefixes.items())
    return "\n".join((_INTRODUCTION, *sections, _units()))


def _section(cls: type, prefixes: list[str]) -> str:
    per_sensor = len(prefixes) > 1
    values, shown = defaults({}), "" if per_sensor else prefixes[0]
    rows = [
        _row(
            f"`{shown}{name}`",
            facts.unit,
            _default(values[next(p + name for p in prefixes if p + name in values)]),
            _meaning(facts),
            _values(facts),
            "yes" if facts.live else "no",
        )
        for name, facts in parameters(cls).items()
    ]
    heading = ("Parameter", "Unit", "Default", "Meaning", "Values", "Live")
    table = "\n".join((_row(*heading), _row(*["---"] * len(heading)), *rows))
    parts = [f"## {_TITLES[cls]}", table]
    if per_sensor:
        units = "\n".join(_row(f"`{sensor}`", UNITS[sensor]) for sensor in SENSORS)
        parts.insert(1, _SENSORS.format(rows=units).rstrip())
    return "\n\n".join(parts) + "\n"


def _meaning(facts: Parameter) -> str:
    only = f"; only of the {' and the '.join(facts.sensors)}" if facts.sensors else ""
    return facts.meaning + only


def _values(facts: Parameter) -> str:
    text = facts.allowed.removeprefix("must be ").removesuffix(f" [{facts.unit}]")
    return text.replace("finite ", "")


def _default(value: Any) -> str:
    if value is None:
        return "*not given*"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value or "*empty*"
    return ", ".join(f"{number:.15g}" for number in np.atleast_1d(value))


def _units() -> str:
    units = dict.fromkeys(unit_of(n, f) for n, f in catalogue().items() if f.kind is float)
    known = {unit: CUSTOMARY[unit] for unit in units if unit in CUSTOMARY}
    return _UNITS.format(rows="\n".join(_row(u, ", ".join(more)) for u, more in known.items()))


def _row(*cells: str) -> str:
    # A bar would end the cell.
    escaped = [cell.replace("|", r"\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(markdown(), encoding="utf-8")
