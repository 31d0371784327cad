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

"""How a parameter is declared once: unit, meaning and bounds beside the dataclass field.

ROS descriptors, checks of YAML files and the documentation are all read from these records.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import ParameterError, UnknownNameError
from .units import has_unit, in_si

AXES = "axes"
"""Shape of a figure that is one number or one per axis, with optional leading batch axes."""

MATRIX = "matrix"
"""Shape of a figure that is one number, three, or the nine of a matrix, row by row."""

_SMALLEST, _LARGEST = 1e-100, 1e100
"""No quantity is outside, and squares and ratios of these do not overflow."""


@dataclass(frozen=True)
class Parameter:
    """What a field means and which values it takes.

    `shape` is () for one number, "axes" for one or three, "matrix" for one, three or nine, (n,)
    for n numbers. `kind` is the Python type of a value. With `kind` float, NaN and infinity are
    never allowed. `sensors` names those that have this figure where not all have it. In `unit`,
    a `u` at the start stands for the unit of the sensor.
    """

    meaning: str
    unit: str = ""
    kind: type = float
    shape: tuple[int, ...] | str = ()
    lower: float = -math.inf
    upper: float = math.inf
    above_lower: bool = False
    choices: tuple[str, ...] = ()
    live: bool = True
    sensors: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The accepted values, in words."""
        if self.choices:
            return f"must be one of {', '.join(self.choices)}"
        if self.kind is not float:
            nouns = {bool: "true or false", int: "a whole number", str: "a text"}
            return f"must be {nouns[self.kind]}{self._bounds()}"
        if self.shape == AXES:
            noun = "a finite number, or three (x, y, z)"
        elif self.shape == MATRIX:
            noun = "a finite number, three (x, y, z), or nine (a matrix, row by row)"
        elif self.shape == ():
            noun = "a finite number"
        else:
            noun = f"{math.prod(int(n) for n in self.shape)} finite numbers"
        return f"must be {noun}{self._bounds()}" + (f" [{self.unit}]" if self.unit else "")

    def _bounds(self) -> str:
        low, high = self.lower > -math.inf, self.upper < math.inf
        lower, upper = (f"{b}" if self.kind is int else f"{b:g}" for b in (self.lower, self.upper))
        if low and high:
            return f" from {lower} to {upper}"
        if low:
            return f" above {lower}" if self.above_lower else f", {lower} or more"
        return f", {upper} or less" if high else ""


def parameter(default: Any, meaning: str, unit: str = "", **facts: Any) -> Any:
    """Declare a dataclass field together with its `Parameter` record."""
    return field(default=default, metadata={"parameter": Parameter(meaning, unit, **facts)})


def record(cls: type, unit: str = "", **facts: Any) -> Any:
    """Declare a dataclass field that holds a record of `cls`, or None.

    `unit` is what `u` stands for in the units of that record.
    """
    return field(metadata={"record": cls, "unit": unit}, **facts)


def parameters(cls: type) -> dict[str, Parameter]:
    """Return the `Parameter` of every field of `cls` declared with `parameter`, in order."""
    return {f.name: f.metadata["parameter"] for f in fields(cls) if "parameter" in f.metadata}


def spell_out(text: str, unit: str) -> str:
    """Return `text` with `unit` in place of `u`: at its start, or right after a bracket."""
    text = re.sub(r"(^|\[)u\^2", rf"\1({unit})^2", text)
    return re.sub(r"(^|\[)u\b", rf"\1{unit}", text)


def check_fields(record: Any, where: str = "") -> None:
    """Replace each field of a frozen dataclass by its checked value; for `__post_init__`.

    Raises
    ------
    ParameterError
        A value of the wrong kind, shape or size.
    """
    for f in fields(record):
        given = getattr(record, f.name)
        if "parameter" in f.metadata and not (given is None and f.default is None):
            value = check(f"{where}{f.name}", given, f.metadata["parameter"])
            object.__setattr__(record, f.name, value)


def check(key: str, value: Any, facts: Parameter) -> Any:
    """Return `value` as the type that `facts` declares.

    Numbers come back as float, several of them as a read-only float64 array; text that reads as
    a number (YAML takes `4e-3` for text), or as one with a unit, is read as one.

    Raises
    ------
    ParameterError
        `value` is not what `facts` allows; the message names `key`.
    """
    if facts.kind is bool:
        if not isinstance(value, bool):
            raise ParameterError(key, value, facts.allowed)
        return value
    if facts.kind is str:
        if not isinstance(value, str) or (facts.choices and value not in facts.choices):
            hint = "YAML takes y, n, on, off for true or false; in quotes, \"'y'\", it is a text"
            raise ParameterError(key, value, facts.allowed, hint if type(value) is bool else "")
        return value
    return _check_number(key, value, facts)


def check_texts(
    cls: type, values: Mapping[str, Any], unit: str, where: str = ""
) -> dict[str, Any]:
    """Return `values` for the fields of `cls`, texts in units of the sensor as numbers in SI.

    Those in other units are left, since `check` reads them.

    Parameters
    ----------
    unit : str
        What `u` stands for in the units of `cls`; where it is empty, nothing is read.
    where : str
        What comes before the name of a field, for messages.

    Raises
    ------
    ParameterError
        As for `check`.
    """
    read = dict(values)
    for name, facts in parameters(cls).items():
        if unit and has_unit(values.get(name)) and _is_of_sensor(facts):
            spelt_out = replace(facts, unit=spell_out(facts.unit, unit))
            read[name] = check(f"{where}{name}", values[name], spelt_out)
    return read


def _is_of_sensor(facts: Parameter) -> bool:
    return re.match(r"u\b", facts.unit) is not None


def _check_number(key: str, value: Any, facts: Parameter) -> Any:
    numbers = _numbers(_in_si(key, value, facts) if facts.kind is float else value)
    if numbers is None or not _allowed(numbers, facts):
        raise ParameterError(key, value, facts.allowed)
    sizes = np.abs(numbers[numbers != 0.0])
    if facts.kind is float and ((sizes > _LARGEST) | (sizes < _SMALLEST)).any():
        sizes_allowed = f"must be 0, or of a size from {_SMALLEST:g} to {_LARGEST:g}"
        raise ParameterError(key, value, sizes_allowed)
    if facts.kind is int:
        # A large seed is more than a float can hold.
        return value if isinstance(value, int) else int(numbers.item())
    if numbers.ndim == 0 or facts.shape == ():
        return numbers.item()
    numbers.flags.writeable = False
    return numbers


def _in_si(key: str, value: Any, facts: Parameter) -> Any:
    if has_unit(value) and _is_of_sensor(facts):
        raise ParameterError(
            key,
            value,
            "must be a number in SI units here, where it is not known of which sensor it is",
            "imu_noise_node.units.si reads text with a unit, as do profiles and ROS parameters",
        )
    return in_si(value, facts.unit or "1", key)


def _allowed(numbers: NDArray[np.float64], facts: Parameter) -> bool:
    return bool(
        np.isfinite(numbers).all()
        and _fits(numbers, facts.shape)
        and (numbers >= facts.lower).all()
        and (numbers <= facts.upper).all()
        and not (facts.above_lower and (numbers == facts.lower).any())
        and not (facts.kind is int and (numbers != np.rint(numbers)).any())
    )


def _numbers(value: Any) -> NDArray[np.float64] | None:
    if value is None or _has_truth_value(value):
        return None
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None


def _has_truth_value(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_truth_value, value))
    return isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_


def _fits(numbers: NDArray[np.float64], shape: tuple[int, ...] | str) -> bool:
    if shape == AXES:
        return numbers.ndim == 0 or numbers.shape[-1] in (1, 3)
    if shape == MATRIX:
        return numbers.ndim == 0 or numbers.shape[-1] in (1, 3, 9)
    if shape == ():
        return numbers.size == 1
    if shape == (9,) and numbers.shape[-2:] == (3, 3):
        return True
    return numbers.shape[-1:] == shape


def from_mapping(cls: type, mapping: Mapping[str, Any], where: str, unit: str = "") -> Any:
    """Build the dataclass `cls` from a mapping, nested dataclasses from nested mappings.

    Parameters
    ----------
    where : str
        Where the mapping comes from (a file), for messages.
    unit : str
        What `u` stands for in the units of `cls`.

    Raises
    ------
    UnknownNameError, ParameterError
        A key or a value that the schema does not allow.
    """
    known = {f.name: f for f in fields(cls)}
    values: dict[str, Any] = {}
    for key, value in mapping.items():
        if key not in known:
            raise UnknownNameError("key", key, known, where)
        values[key] = _nested(known[key], key, value, where)
    values = check_texts(cls, values, unit, f"{where}: ")
    try:
        return cls(**values)
    except ParameterError as error:
        key, allowed = f"{where}: {error.key}", spell_out(error.allowed, unit or "u")
        raise type(error)(key, error.value, allowed, error.hint) from None


def _nested(f: Field[Any], key: str, value: Any, where: str) -> Any:
    if "record" not in f.metadata:
        if value is None:
            raise ParameterError(f"{where}: {key}", None, "has no value; leave the line out")
        return value
    if not isinstance(value, Mapping):
        raise ParameterError(f"{where}: {key}", value, "must be a mapping of figures")
    return from_mapping(f.metadata["record"], value, f"{where}: {key}", f.metadata["unit"])
