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

"""Profiles by name or path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError, UnknownNameError
from ..model.spec import SENSORS, ImuSpec
from ..schema import Parameter, check, from_mapping
from .documents import JSON_SUFFIXES, YAML_SUFFIXES, read_document
from .provenance import Provenance, Source, read_sources, separate

GRADES = ("consumer", "industrial", "tactical", "navigation", "strategic")
"""Grades of IMUs, from the worst to the best; the presets of these names stand for them."""

_PRESETS = Path(__file__).parent / "presets"

_ABOUT = {
    "name": Parameter("what the sensor is called", kind=str),
    "description": Parameter("the sensor in a few words", kind=str),
    "grade": Parameter("class of accuracy", kind=str, choices=GRADES),
}
"""Keys of a profile that describe it and are no figures; `sources` is one more."""


_SOME = f"{', '.join(SENSORS[:-1])} or {SENSORS[-1]}"


@dataclass(frozen=True, eq=False)
class Profile:
    """The figures of a sensor, and what is known of them.

    Attributes
    ----------
    name, description, grade : str
        What the file says of itself; `name` is at least that of the file, `grade` one of `GRADES`
        or empty.
    path : Path
        The file.
    spec : ImuSpec
        The figures.
    provenance : mapping of str to Provenance
        What is known of each figure in the file, by "gyroscope.noise_density".
    sources : mapping of str to Source
        The documents that state the figures, by the key that `Provenance.source` names.
    """

    name: str
    description: str
    grade: str
    path: Path
    spec: ImuSpec
    provenance: Mapping[str, Provenance]
    sources: Mapping[str, Source]


def presets() -> dict[str, Path]:
    """Return the files of the presets that come with the package, by name."""
    return {path.stem: path for path in sorted(_PRESETS.glob("*.yaml"))}


def load_profile(name: str | Path) -> ImuSpec:
    """Return the spec of a preset, or of the profile file at a path; see `read_profile`."""
    return read_profile(name).spec


def read_profile(name: str | Path) -> Profile:
    """Return a preset, or the profile in a file.

    Parameters
    ----------
    name : str or Path
        A text with a slash or a suffix of YAML or JSON is a path, any other is a preset's name.

    Raises
    ------
    UnknownNameError
        No such preset, or a key that the schema does not have.
    InputError, ParameterError
        The file cannot be read, or a figure is not allowed.
    """
    path = _find(name)
    content = read_document(path)
    if not isinstance(content, dict):
        raise InputError("file", str(path), f"must be a mapping with figures under {_SOME}")
    figures = _figures(content, path)
    about = {
        key: check(f"{path}: {key}", content[key], facts)
        for key, facts in _ABOUT.items()
        if key in content
    }
    sources = read_sources(content.get("sources", {}), path)
    plain, provenance = separate(figures, sources, path)
    return Profile(
        name=about.get("name", path.stem),
        description=about.get("description", ""),
        grade=about.get("grade", ""),
        path=path,
        spec=from_mapping(ImuSpec, plain, str(path)),
        provenance=provenance,
        sources=sources,
    )


def _find(name: str | Path) -> Path:
    if not isinstance(name, str | Path):
        raise ParameterError("profile", name, "must be a preset's name, or a path")
    path = Path(name).expanduser()
    if "/" in str(name) or path.suffix.lower() in (*YAML_SUFFIXES, *JSON_SUFFIXES):
        return path
    known = presets()
    if str(name) not in known:
        raise UnknownNameError("profile", str(name), known)
    return known[str(name)]


def _figures(content: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return the part of a file that is figures, once all its keys are known ones."""
    known = [*_ABOUT, "sources", *(f.name for f in fields(ImuSpec))]
    for key in content:
        if key not in known:
            raise UnknownNameError("key", key, known, str(path))
    return {k: v for k, v in content.items() if k not in _ABOUT and k != "sources"}
