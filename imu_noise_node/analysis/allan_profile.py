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

"""From fitted terms to the figures of a profile."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..model.spec import INERTIAL, ImuSpec, TriadSpec
from ..profiles.provenance import Provenance, Source
from .allan import AllanCurves
from .allan_terms import LETTERS, TERMS, Array
from .fit import AxisFit

KEY = "allan"
"""Key of the record among the sources of the profile."""

_DIGITS = 4

_SENSORS = dict(zip(INERTIAL, (slice(0, 3), slice(3, 6)), strict=True))

_WRITTEN = tuple(term for term in TERMS if term != "quantization")
"""Quantization of the angle is nothing that the model has: its `resolution` is of the rate."""


def fitted_spec(fits: Sequence[AxisFit | None], bands: tuple[Array, Array]) -> ImuSpec:
    """Return the spec with the N, B and K that were seen, to four digits; 0 for what was not.

    Parameters
    ----------
    fits : sequence of AxisFit or None, length 6
    bands : tuple of ndarray, shape (2,)
        As given to `fit`.
    """
    gyroscope, accelerometer = (
        _triad(fits[axes], band) for axes, band in zip(_SENSORS.values(), bands, strict=True)
    )
    return ImuSpec(gyroscope=gyroscope, accelerometer=accelerometer)


def provenance(fits: Sequence[AxisFit | None]) -> dict[str, Provenance]:
    """Return what is to be said of each figure, by "gyroscope.noise_density"."""
    found = {}
    for sensor, axes in _SENSORS.items():
        for term in _WRITTEN:
            said = [_interval(axis, term) for axis in fits[axes]]
            what = f"fitted {LETTERS[term]}; 95 % {', '.join(said)}; an Allan figure"
            found[f"{sensor}.{term}"] = Provenance(None, what=what, source=KEY)
        flat = Provenance(None, what="over which B was taken to be flat", source=KEY)
        found[f"{sensor}.bias_instability_band"] = flat
    return found


def source(curves: AllanCurves, today: datetime.date) -> dict[str, Source]:
    """Return the record as the source of the figures."""
    title = (
        f"overlapping Allan deviation of {curves.duration:.0f} s at rest, "
        f"averaging times {curves.taus[0]:.4g} s to {curves.taus[-1]:.4g} s"
    )
    return {KEY: Source(title=title, address=curves.source, date=today.isoformat())}


def _triad(fits: Sequence[AxisFit | None], band: Array) -> TriadSpec:
    figures: dict[str, Any] = {term: _values(fits, term) for term in _WRITTEN}
    given = {term: values for term, values in figures.items() if values.any()}
    if "bias_instability" in given:
        given["bias_instability_band"] = band
    return TriadSpec(**given)


def _values(fits: Sequence[AxisFit | None], term: str) -> Array:
    place = TERMS.index(term)
    return np.array(
        [
            float(f"{axis.values[place]:.{_DIGITS}g}")
            if axis is not None and axis.seen[place]
            else 0.0
            for axis in fits
        ]
    )


def _interval(axis: AxisFit | None, term: str) -> str:
    place = TERMS.index(term)
    if axis is None:
        return "none"
    if not axis.seen[place]:
        return f"below {axis.upper[place]:.3g}"
    return f"{axis.lower[place]:.3g} to {axis.upper[place]:.3g}"
