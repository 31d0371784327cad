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

"""What `profile show` prints: each figure with its source."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..model.spec import ImuSpec, TriadSpec, spell_out_unit
from ..profiles.loader import Profile
from ..profiles.provenance import Provenance
from ..schema import Parameter, parameters
from ..units import has_unit

_WIDTH = 99
_INDENT = 4 + max(map(len, (*parameters(TriadSpec), *parameters(ImuSpec))))
"""Column at which the values stand: two behind the longest name of a figure."""


def show_text(profile: Profile) -> str:
    """Return the figures, by sensor, and the sources."""
    about = [f"{profile.name} ({profile.path})"]
    about += [line for line in (profile.description, _grade(profile)) if line]
    groups = ["\n".join(about), *_groups(profile)]
    if profile.sources:
        groups.append("\n".join(_sources(profile)))
    return "\n\n".join(groups)


def _grade(profile: Profile) -> str:
    return f"grade: {profile.grade}" if profile.grade else ""


def _groups(profile: Profile) -> Iterator[str]:
    spec = profile.spec
    for sensor, triad in spec.triads().items():
        own = {k.split(".")[1]: v for k, v in profile.provenance.items() if k.startswith(sensor)}
        facts = parameters(TriadSpec)
        lines = [
            line
            for name, origin in own.items()
            for line in _figure(name, triad, origin, facts[name], sensor)
        ]
        yield "\n".join([sensor.capitalize(), *(lines or ["  no figures: it is perfect"])])
    unit = [
        line
        for name, origin in profile.provenance.items()
        if name in parameters(ImuSpec)
        for line in _figure(name, spec, origin, parameters(ImuSpec)[name], "")
    ]
    if unit:
        yield "\n".join(["Unit", *unit])


def _figure(
    name: str, spec: Any, origin: Provenance, facts: Parameter, sensor: str
) -> Iterator[str]:
    unit = "" if facts.unit == "1" else spell_out_unit(facts.unit, sensor)
    text = _in_si(getattr(spec, name), unit)
    if has_unit(origin.written):
        written = _written(origin.written)
        text = written if _is_in(origin.written, unit) else f"{written} = {text}"
    if name == "noise_density" and getattr(spec, "noise_type", "") == "single-sided":
        text += f", single-sided; two-sided {_in_si(spec.density, unit)}"
    yield from _wrapped(text, _head(name))
    cited = ", ".join(text for text in (origin.source, origin.where) if text)
    note = " ".join(text for text in (origin.what, f"[{cited}]" if cited else "") if text)
    if note:
        yield from _wrapped(note, " " * _INDENT)


def _sources(profile: Profile) -> Iterator[str]:
    yield "Sources"
    for key, source in profile.sources.items():
        day = f" ({source.date})" if source.date else ""
        yield from _wrapped(f"{source.title}{day}", _head(key))
        if source.address:
            yield f"{'':{_INDENT}}{source.address}"


def _wrapped(text: str, head: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=head,
        subsequent_indent=" " * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _head(name: str) -> str:
    return f"  {name:{_INDENT - 4}}  "


def _is_in(written: Any, unit: str) -> bool:
    """Return whether a text, or each of several, is numbers and this unit, spelt as here."""
    if isinstance(written, list):
        return all(_is_in(item, unit) for item in written)
    if not unit or not isinstance(written, str) or not written.endswith(unit):
        return False
    try:
        return bool(
            [float(number) for number in re.split(r"[\s,]+", written[: -len(unit)].strip())]
        )
    except ValueError:
        return False


def _in_si(value: Any, unit: str) -> str:
    return f"{_number(value)} {unit}".strip()


def _written(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _number(value: Any) -> str:
    if isinstance(value, str):
        return value
    return ", ".join(f"{number:.4g}" for number in np.asarray(value, dtype=float).ravel())
