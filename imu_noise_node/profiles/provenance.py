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

"""Where a figure comes from: what it is, and the source that states it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError, UnknownNameError
from ..model.spec import ImuSpec
from ..schema import check, check_fields, from_mapping, parameter, parameters


@dataclass(frozen=True)
class Source:
    """A document that states figures.

    Raises
    ------
    ParameterError
        A field that is no text, an empty title, or a date that is no day.
    """

    title: str = parameter("", "what the document is", kind=str)
    address: str = parameter("", "where it can be read", kind=str)
    date: str = parameter("", "the day on which it was looked at, as 2026-11-30", kind=str)

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.title.strip():
            raise ParameterError("title", self.title, "must say what the source is")
        if self.date and not _is_day(self.date):
            raise ParameterError("date", self.date, "must be a day, as 2026-11-30")


@dataclass(frozen=True)
class Provenance:
    """What is known of a figure beside its value.

    Attributes
    ----------
    written : object
        The value as the file has it: a number, a text with a unit, or a list of them.
    """

    written: Any
    what: str = parameter("", "what the figure is, in words", kind=str)
    where: str = parameter("", "where in the source it stands", kind=str)
    source: str = parameter("", "key of the source that states it", kind=str)

    def __post_init__(self) -> None:
        check_fields(self)


_KEYS = ("value", *parameters(Provenance))
"""Keys of a figure that is written as a mapping."""


def read_sources(content: Any, path: Path) -> dict[str, Source]:
    """Return the sources by key; `content` is the `sources` of the profile at `path`.

    Raises
    ------
    UnknownNameError, ParameterError, InputError
        A key or a value that a source does not have.
    """
    where = f"{path}: sources"
    if not isinstance(content, Mapping):
        raise InputError(where, content, "must be a mapping of title, address and date by key")
    found: dict[str, Source] = {}
    for key, entry in content.items():
        if not isinstance(entry, Mapping):
            raise InputError(f"{where}: {key}", entry, "must have a title, an address and a date")
        # YAML makes a date of what looks like one.
        texts = {k: v.isoformat() if _is_date(v) else v for k, v in entry.items()}
        found[str(key)] = from_mapping(Source, texts, f"{where}: {key}")
    return found


def separate(
    figures: Mapping[str, Any], sources: Mapping[str, Source], path: Path
) -> tuple[dict[str, Any], dict[str, Provenance]]:
    """Take the figures of the profile at `path` apart.

    Returns
    -------
    tuple
        The figures with plain values, nested as they were, and the provenance of each by
        "gyroscope.noise_density".

    Raises
    ------
    UnknownNameError, ParameterError
        A key that a figure's mapping does not have, or a source that is not listed.
    """
    plain: dict[str, Any] = {}
    origin: dict[str, Provenance] = {}
    records = {f.name for f in fields(ImuSpec) if "record" in f.metadata}
    for key, value in figures.items():
        if key in records and isinstance(value, Mapping):
            plain[key] = {}
            for name, figure in value.items():
                found = _provenance(figure, sources, f"{path}: {key}: {name}")
                plain[key][name] = found.written
                origin[f"{key}.{name}"] = found
        else:
            origin[key] = _provenance(value, sources, f"{path}: {key}")
            plain[key] = origin[key].written
    return plain, origin


def _provenance(figure: Any, sources: Mapping[str, Source], where: str) -> Provenance:
    if not isinstance(figure, Mapping):
        return Provenance(figure)
    for key in figure:
        if key not in _KEYS:
            raise UnknownNameError("key", key, _KEYS, where)
    if figure.get("value") is None:
        raise ParameterError(f"{where}: value", None, "must be given")
    facts = parameters(Provenance)
    texts = {
        key: check(f"{where}: {key}", text, facts[key])
        for key, text in figure.items()
        if key != "value"
    }
    if "source" in texts and texts["source"] not in sources:
        if not sources:
            raise ParameterError(
                f"{where}: source", texts["source"], "must be a key of sources, and there are none"
            )
        raise UnknownNameError("source", texts["source"], sources, where)
    return Provenance(figure["value"], **texts)


def _is_date(value: Any) -> bool:
    return isinstance(value, datetime.date)


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
