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
from dataclasses import replace
from typing import Any

import numpy as np

from ..model.spec import INERTIAL, ImuSpec, TriadSpec
from ..profiles.formats.export import rms
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


def seen_alone(spec: ImuSpec, fits: Sequence[AxisFit | None]) -> tuple[ImuSpec, list[str]]:
    """Return a fitted spec for a format with one figure for three axes, and what was not seen.

    The 0 of an axis where a term was not seen is no figure, and has no part in a mean.

    Parameters
    ----------
    spec : ImuSpec
        See `fitted_spec`.
    fits : sequence of AxisFit or None, length 6
    """
    unseen: list[str] = []
    triads: dict[str, Any] = spec.triads()
    for sensor, axes in _SENSORS.items():
        for term in ("noise_density", "random_walk"):
            values = _values(fits[axes], term)
            seen = values > 0.0
            if not seen.any():
                unseen.append(f"{sensor}.{term}: not seen on any axis")
            elif not seen.all():
                figure: Any = {term: rms(values[seen])}
                triads[sensor] = replace(triads[sensor], **figure)
                names = " and ".join(np.array(list("xyz"))[seen])
                said = f"seen on {names} alone; their root mean square is written"
                unseen.append(f"{sensor}.{term}: {said}")
    return ImuSpec(gyroscope=triads["gyroscope"], accelerometer=triads["accelerometer"]), unseen


def source(curves: AllanCurves, origin: str, today: datetime.date) -> dict[str, Source]:
    """Return what the curves are of, `origin` in words, as the source of the figures."""
    title = (
        f"overlapping Allan deviation, {origin}, "
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
    if not np.isfinite(axis.upper[place]):
        return f"above {axis.lower[place]:.3g}" if axis.seen[place] else "unknown"
    if not axis.seen[place]:
        return f"below {axis.upper[place]:.3g}"
    return f"{axis.lower[place]:.3g} to {axis.upper[place]:.3g}"
