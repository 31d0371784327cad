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

"""The presets as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.spec import UNITS, ImuSpec, TriadSpec
from ..profiles.loader import GRADES, Profile, presets, read_profile
from ..units import si

_NONE = "-"


@dataclass(frozen=True)
class _Column:
    """A figure of a sensor in the unit that datasheets have it in."""

    title: str
    unit: str
    sensor: str
    figure: Callable[[TriadSpec], Any]
    per: str = ""

    def text(self, spec: ImuSpec) -> str:
        """Return the figure of the worst axis, or a dash where there is none."""
        found = self.figure(spec.triads()[self.sensor])
        worst = 0.0 if found is None else float(np.max(found))
        one = si(f"1 {self.unit}", f"{UNITS[self.sensor]}{self.per}")
        return f"{worst / one:.3g}" if worst > 0.0 else _NONE


def _noise(triad: TriadSpec) -> Any:
    return triad.density


def _floor(triad: TriadSpec) -> Any:
    return triad.bias_instability


_COLUMNS = (
    _Column("gyro N", "deg/sqrt(h)", "gyroscope", _noise, "/sqrt(Hz)"),
    _Column("gyro B", "deg/h", "gyroscope", _floor),
    _Column("accel N", "m/s/sqrt(h)", "accelerometer", _noise, "/sqrt(Hz)"),
    _Column("accel B", "ug", "accelerometer", _floor),
)


def list_text() -> str:
    """Return a table for the terminal: two lines of titles, then one line for each preset."""
    titles = ["name", "grade", *(column.title for column in _COLUMNS), "description"]
    units = ["", "", *(column.unit for column in _COLUMNS), ""]
    rows = [[key, *_cells(p), p.description] for key, p in _sorted_presets()]
    return "\n".join(_aligned([titles, units, *rows]))


def list_markdown() -> str:
    """Return the same as a Markdown table, with the full names of the sensors."""
    titles = ["name", "sensor", "grade", *(f"{c.title} [{c.unit}]" for c in _COLUMNS)]
    rows = [[f"`{key}`", p.name, *_cells(p)] for key, p in _sorted_presets()]
    rule = ["---", "---", "---", *("---:" for _ in _COLUMNS)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [titles, rule, *rows])


def _cells(profile: Profile) -> list[str]:
    return [profile.grade or _NONE, *(column.text(profile.spec) for column in _COLUMNS)]


def _sorted_presets() -> list[tuple[str, Profile]]:
    """Return the five grades in their order, then the sensors by grade and name."""
    found = [(key, read_profile(key)) for key in presets()]
    return sorted(found, key=lambda entry: (entry[0] not in GRADES, _rank(entry[1]), entry[0]))


def _rank(profile: Profile) -> int:
    return GRADES.index(profile.grade) if profile.grade in GRADES else len(GRADES)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Yield lines with texts to the left and numbers, between second and last, to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            f"{cell:>{width}}" if 2 <= place < len(row) - 1 else f"{cell:{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
