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

"""Fault schedules: files that list what fails and when."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError, UnknownNameError, nearest
from ..model.fault_spec import Fault, check_faults
from ..model.spec import SENSORS
from ..schema import from_mapping, parameters
from .documents import read_document

_ABOUT = ("name", "description", "sources")
"""Keys of a schedule that describe it."""

_FACTS = parameters(Fault)


def load_faults(path: str | Path, sensors: tuple[str, ...] = SENSORS) -> tuple[Fault, ...]:
    """Return the faults that a YAML or JSON file has in a list under `faults`.

    Each is a mapping of the fields of `Fault`; figures may be texts with units, `0.5 deg/s`.
    They must be faults of an IMU with these `sensors`.

    Raises
    ------
    InputError
        The file cannot be read, or is no mapping with such a list.
    UnknownNameError, ParameterError
        A key or a value that is not allowed; the message names file, place in the list and key.
    """
    path = Path(path).expanduser()
    content = read_document(path)
    if not isinstance(content, Mapping) or not isinstance(content.get("faults"), list):
        raise InputError("file", str(path), "must be a mapping with a list under 'faults'")
    for key in content:
        if key not in ("faults", *_ABOUT):
            raise UnknownNameError("key", key, ("faults", *_ABOUT), str(path))
    faults = [
        _fault(item, f"{path}: faults[{index}]") for index, item in enumerate(content["faults"])
    ]
    try:
        return check_faults(faults, sensors)
    except ParameterError as error:
        raise ParameterError(f"{path}: {error.key}", error.value, error.allowed) from None


def _fault(item: Any, where: str) -> Fault:
    if not isinstance(item, Mapping):
        raise ParameterError(where, item, "must be a mapping with a mode, target, ...")
    try:
        fault: Fault = from_mapping(Fault, item, where)
    except ParameterError as error:
        key = error.key.removeprefix(f"{where}: ")
        near = nearest(str(error.value), _FACTS[key].choices)
        hint = f"did you mean '{near}'?" if near else error.hint
        raise ParameterError(f"{where}: {key}", error.value, error.allowed, hint) from None
    return fault
