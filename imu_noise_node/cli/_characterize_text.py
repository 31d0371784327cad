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

"""What `characterize` prints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..filters import FilterFigures, SensorFigures, Settings
from ..filters.settings import DENSITY, WALK
from ..model.spec import UNITS
from ..samples import Array

_INFLATION = """\
These are the figures of the sensor at rest. In a vehicle, vibration, scale factors, wrong times
and whatever else a filter does not model come on top; published settings are 2 to 20 times as
large. Raise noise and walk until the innovations are as large as the filter says:
docs/filters.md."""


def characterize_text(
    name: str,
    figures: FilterFigures,
    found: Sequence[tuple[str, Settings]],
    folder: Path | None,
) -> str:
    """Return the sensor's figures, the settings of each filter, and where the files are."""
    groups = [f"{name} at {figures.rate:g} Hz"]
    groups += ["\n".join(_sensor(sensor)) for sensor in figures.sensors()]
    groups += [_notes(figures.notes)] if figures.notes else []
    groups += ["\n".join(_settings(title, settings)) for title, settings in found]
    groups.append(_INFLATION)
    if folder is not None:
        names = ", ".join([*(settings.file for _, settings in found), "matrices.npz and .yaml"])
        groups.append(textwrap.fill(f"In {folder}: {names}", width=99))
    return "\n\n".join(groups)


def _sensor(sensor: SensorFigures) -> Iterator[str]:
    yield f"{sensor.sensor.capitalize():17}{'x':>12}{'y':>12}{'z':>12}"
    yield _row("white noise", sensor.density, DENSITY[sensor.sensor])
    yield _row("random walk", sensor.random_walk, WALK[sensor.sensor])
    yield _row("bias at start", sensor.start, f"{UNITS[sensor.sensor]}, 1 sigma")


def _settings(title: str, settings: Settings) -> Iterator[str]:
    yield title
    width = max(len(setting.name) for setting in settings.settings)
    for setting in settings.settings:
        yield f"  {setting.name:{width}}  {setting.value:<10.4g}  {setting.unit}"
    yield _notes(settings.notes)


def _notes(notes: Sequence[str]) -> str:
    return "\n".join(
        textwrap.fill(f"note: {note}", width=99, initial_indent="  ", subsequent_indent=" " * 8)
        for note in notes
    )


def _row(name: str, values: Array, unit: str) -> str:
    return f"  {name:15}{''.join(f'{value:>12.4g}' for value in values)}  {unit}"
