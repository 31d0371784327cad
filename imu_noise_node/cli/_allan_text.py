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

"""What `allan` prints: the terms of each axis with their confidence, and ratios to a profile."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..analysis.allan import AllanCurves
from ..analysis.allan_slope import slope_noise
from ..analysis.allan_terms import LETTERS, TERMS, Array
from ..analysis.fit import AxisFit
from ..model.spec import INERTIAL, ImuSpec
from ..profiles.loader import Profile
from ..units import si

_LABEL, _COLUMN = 23, 24
_BETWEEN = "  "

_Line = tuple[str, Iterable[str]]
"""What stands in front, and a cell for each axis."""


class _Term(NamedTuple):
    """A term in SI, and in the unit of datasheets."""

    name: str
    meaning: str
    si: str
    customary: str


_TERMS = {
    "gyroscope": (
        _Term("noise_density", "white noise", "rad/s/sqrt(Hz)", "deg/sqrt(h)"),
        _Term("bias_instability", "bias instability", "rad/s", "deg/h"),
        _Term("random_walk", "random walk", "rad/s/s/sqrt(Hz)", "deg/h/sqrt(h)"),
        _Term("quantization", "quantization", "rad", "arcsec"),
    ),
    "accelerometer": (
        _Term("noise_density", "white noise", "m/s^2/sqrt(Hz)", "ug/sqrt(Hz)"),
        _Term("bias_instability", "bias instability", "m/s^2", "ug"),
        _Term("random_walk", "random walk", "m/s^2/s/sqrt(Hz)", "ug/s/sqrt(Hz)"),
        _Term("quantization", "quantization", "m/s", "mm/s"),
    ),
}
_AXES = dict(zip(INERTIAL, (slice(0, 3), slice(3, 6)), strict=True))


def allan_text(curves: AllanCurves, fits: Sequence[AxisFit | None]) -> str:
    """Return what was read, and a table for each sensor that there is."""
    about = [
        f"{curves.source}",
        f"  {curves.duration:,.0f} s; averaging times {curves.taus[0]:.4g} s to "
        f"{curves.taus[-1]:,.5g} s, 1/{curves.duration / curves.taus[-1]:.0f} of the record",
        *([f"  {_ASSUMED}"] if curves.assumed else []),
        *(f"  {note}" for note in curves.notes),
    ]
    readings = {"deviation at 1 s": curves.at(1.0), "slope alone": slope_noise(curves)}
    tables = [
        _aligned(_table(sensor, fits[axes], {k: v[axes] for k, v in readings.items()}))
        for sensor, axes in _AXES.items()
        if any(fits[axes])
    ]
    unknown = [_UNKNOWN] if any(_UNTOLD in table for table in tables) else []
    return "\n\n".join(["\n".join(about), *tables, "\n".join([_LEGEND, *unknown])])


def comparison_text(fits: Sequence[AxisFit | None], profile: Profile) -> str:
    """Return the ratios of what was fitted to the figures of a profile."""
    tables = [
        _aligned(_ratios(sensor, fits[axes], profile.spec))
        for sensor, axes in _AXES.items()
        if any(fits[axes])
    ]
    return "\n".join([f"Measured, in units of {profile.name} ({profile.path.name})", *tables])


_ASSUMED = (
    "this length is assumed, for the curves do not say it, and K and all intervals depend on it: "
    "--duration states it"
)
_UNTOLD = "unknown"
_UNKNOWN = "Of a term that is unknown the record tells nothing: it is too short."
_LEGEND = (
    "In brackets the 95 % interval. A term that is not seen is below the figure with 95 % "
    "confidence.\n'slope alone' takes all up to 10 s for white noise, as allan_variance_ros does."
)


def _table(
    sensor: str, fits: Sequence[AxisFit | None], readings: Mapping[str, Array]
) -> Iterator[_Line]:
    yield sensor.capitalize(), "xyz"
    for term in _TERMS[sensor]:
        yield f"{LETTERS[term.name]}, {term.meaning}", ()
        yield f"  {term.si}", (_figure(axis, term.name) for axis in fits)
        one = si(f"1 {term.customary}", term.si)
        found = [_value(axis, term.name) for axis in fits]
        if any(found):
            texts = (f"{number / one:.4g}" if number else "" for number in found)
            yield f"  {term.customary}", texts
        if term.name == "noise_density":
            for what, numbers in readings.items():
                if np.isfinite(numbers).any():
                    yield f"  {what}", (f"{n:.3e}" for n in numbers)
    yield (
        "fitted from",
        ("no noise" if axis is None else f"{axis.shortest:.4g} s" for axis in fits),
    )
    if any(axis is not None and axis.misfit > 0.0 for axis in fits):
        yield (
            "misfit of the deviation",
            ("" if axis is None else f"{50.0 * axis.misfit:.1f} %" for axis in fits),
        )


def _figure(axis: AxisFit | None, name: str) -> str:
    """Return a figure with its interval, in the fewest letters."""
    if axis is None:
        return "no noise"
    place = TERMS.index(name)
    low, value, high = (float(a[place]) for a in (axis.lower, axis.values, axis.upper))
    if not axis.seen[place]:
        return f"not seen, < {high:.2e}" if math.isfinite(high) else _UNTOLD
    down, up = 100.0 * (low / value - 1.0), 100.0 * (high / value - 1.0)
    if not math.isfinite(up):
        return f"{value:.3e} [{_percent(down)}% or more]"
    return f"{value:.3e} [{_percent(down)} {_percent(up)}%]"


def _percent(number: float) -> str:
    return f"{number:+.2g}" if abs(number) < 99.5 else f"{number:+.0f}"


def _value(axis: AxisFit | None, name: str) -> float:
    place = TERMS.index(name)
    return float(axis.values[place]) if axis is not None and axis.seen[place] else 0.0


def _ratios(sensor: str, fits: Sequence[AxisFit | None], spec: ImuSpec) -> Iterator[_Line]:
    yield sensor.capitalize(), "xyz"
    triad = spec.triads()[sensor]
    given = {
        "noise_density": triad.density,
        "bias_instability": triad.bias_instability,
        "random_walk": triad.random_walk,
    }
    for name, figure in given.items():
        theirs = np.broadcast_to(0.0 if figure is None else figure, 3)
        pairs = zip(fits, theirs, strict=True)
        yield f"  {LETTERS[name]}", (_ratio(axis, name, float(t)) for axis, t in pairs)


def _ratio(axis: AxisFit | None, name: str, theirs: float) -> str:
    if axis is None:
        return "no noise"
    place = TERMS.index(name)
    if theirs == 0.0:
        return "it has none"
    low, value, high = (float(a[place]) / theirs for a in (axis.lower, axis.values, axis.upper))
    if low > 0.0:
        return f"{value:.3g} [{low:.3g} to {high:.3g}]"
    return f"not seen, < {high:.3g}" if math.isfinite(high) else _UNTOLD


def _aligned(lines: Iterable[_Line]) -> str:
    """Return lines whose columns are as wide as their widest cell."""
    table = [[label, *cells] for label, cells in lines]
    widths = [_LABEL, *(3 * [_COLUMN])]
    for row in table:
        widths[: len(row)] = map(max, widths, map(len, row))
    return "\n".join(_BETWEEN.join(map(str.ljust, row, widths)).rstrip() for row in table)
