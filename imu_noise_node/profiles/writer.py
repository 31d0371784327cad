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

"""Profiles to files: the figures that a spec was given, with their units."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..model.spec import ImuSpec, TriadSpec, figures_given, spell_out_unit
from ..schema import Parameter, parameters

_BLANK = ImuSpec()


def to_mapping(spec: ImuSpec) -> dict[str, Any]:
    """Return the figures of a spec that differ from their defaults, as a profile has them.

    Returns
    -------
    dict
        Numbers, texts, lists and mappings of them. `from_mapping` makes an equal spec of it.
    """
    mapping: dict[str, Any] = {}
    for name, triad in spec.triads().items():
        figures = {key: _plain(value) for key, value in figures_given(triad).items()}
        # That there is a magnetometer is a figure of its own.
        if figures or getattr(_BLANK, name) is None:
            mapping[name] = figures
    for name in parameters(ImuSpec):
        value = getattr(spec, name)
        if not np.array_equal(value, getattr(_BLANK, name)):
            mapping[name] = _plain(value)
    return mapping


def json_text(spec: ImuSpec, about: Mapping[str, str] | None = None) -> str:
    """Return a profile as JSON; `about` are the texts that describe it."""
    return json.dumps({**(about or {}), **to_mapping(spec)}, indent=2, ensure_ascii=False) + "\n"


def yaml_text(spec: ImuSpec, about: Mapping[str, str] | None = None) -> str:
    """Return a profile as YAML with the unit of each figure; `about` describes it."""
    lines = [f"{key}: {_text(value)}" for key, value in (about or {}).items()]
    top, inner = parameters(ImuSpec), parameters(TriadSpec)
    for key, value in to_mapping(spec).items():
        if not isinstance(value, dict):
            lines.append(_line(key, value, top.get(key), ""))
            continue
        lines.append(f"{key}:" if value else f"{key}: {{}}")
        lines += [f"  {_line(name, v, inner.get(name), key)}" for name, v in value.items()]
    # A file of comments alone, or of nothing, is no mapping.
    return "\n".join(lines or ["{}"]) + "\n"


def _line(name: str, value: Any, facts: Parameter | None, sensor: str) -> str:
    unit = "" if facts is None or facts.unit == "1" else spell_out_unit(facts.unit, sensor)
    return f"{name}: {value_text(value)}" + (f"  # {unit}" if unit else "")


def value_text(value: Any) -> str:
    """Return a number, a text or a list of them as YAML."""
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else number_text(value)


def number_text(value: float) -> str:
    """Return a number that every YAML reader takes for one: `1.0e-05`, not Python's `1e-05`."""
    return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))


def _text(value: str) -> str:
    """Return a text in quotes where YAML needs them; those of JSON are valid YAML."""
    plain = re.fullmatch(r"[A-Za-z][\w ./()-]*", value) and value.lower() not in _WORDS
    return value if plain and value == value.rstrip() else json.dumps(value, ensure_ascii=False)


_WORDS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value
