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

"""Profiles to YAML with the source of each figure, as the presets have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from ..model.spec import INERTIAL, ImuSpec, TriadSpec, spell_out_unit
from ..schema import parameters
from .provenance import Provenance, Source
from .writer import to_mapping, value_text


def sourced_text(
    spec: ImuSpec,
    about: Mapping[str, str],
    sources: Mapping[str, Source],
    origins: Mapping[str, Provenance],
) -> str:
    """Return a profile as YAML; `read_profile` finds the same figures and sources in it.

    Parameters
    ----------
    spec : ImuSpec
        Of gyroscope and accelerometer, without figures of the whole unit.
    about : mapping of str to str
        `name`, `description` or `grade`.
    sources : mapping of str to Source
        By key.
    origins : mapping of str to Provenance
        What is known of figures, by "gyroscope.noise_density".
    """
    lines = [f"{key}: {value_text(text)}" for key, text in about.items()]
    lines.append("sources:")
    for key, source in sources.items():
        lines.append(f"  {key}:")
        lines += _texts(asdict(source), 4)
    figures = to_mapping(spec)
    for sensor in INERTIAL:
        if sensor in figures:
            lines.append(f"{sensor}:")
            for name, value in figures[sensor].items():
                lines += _figure(sensor, name, value, origins.get(f"{sensor}.{name}"))
    return "\n".join(lines) + "\n"


def _figure(sensor: str, name: str, value: Any, origin: Provenance | None) -> Iterator[str]:
    unit = spell_out_unit(parameters(TriadSpec)[name].unit, sensor)
    yield f"  {name}:"
    yield f"    value: {value_text(value)}  # {unit}"
    if origin is not None:
        facts = {key: getattr(origin, key) for key in parameters(Provenance)}
        yield from _texts(facts, 4)


def _texts(texts: Mapping[str, str], indent: int) -> list[str]:
    return [f"{'':{indent}}{key}: {value_text(text)}" for key, text in texts.items() if text]
