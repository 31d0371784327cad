"""How a parameter is declared once: unit, meaning and bounds beside the dataclass field.

ROS descriptors, checks of YAML files and the documentation are all read from these records.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import ParameterError, UnknownNameError

AXES = "axes"
"""Shape of a figure that is one number or one per axis, with optional leading batch axes."""

_SMALLEST, _LARGEST = 1e-100, 1e100
"""No quantity is outside, and squares and ratios of these do not overflow."""


@dataclass(frozen=True)
class Parameter:
    """What a field means and which values it takes.

    `shape` is () for one number, "axes" for one or three, (n,) for n numbers. `kind` is the
    Python type of a value. With `kind` float, NaN and infinity are never allowed.
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


def parameters(cls: type) -> dict[str, Parameter]:
    """Return the `Parameter` of every field of `cls` declared with `parameter`, in order."""
    return {f.name: f.metadata["parameter"] for f in fields(cls) if "parameter" in f.metadata}


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
    a number (YAML takes `4e-3` for text) is read as one.

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
            raise ParameterError(key, value, facts.allowed)
        return value
    return _check_number(key, value, facts)


def _check_number(key: str, value: Any, facts: Parameter) -> Any:
    numbers = _numbers(value)
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
    except (TypeError, ValueError):
        return None


def _has_truth_value(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_truth_value, value))
    return isinstance(value, bool) or getattr(value, "dtype", None) == np.bool_


def _fits(numbers: NDArray[np.float64], shape: tuple[int, ...] | str) -> bool:
    if shape == AXES:
        return numbers.ndim == 0 or numbers.shape[-1] in (1, 3)
    if shape == ():
        return numbers.size == 1
    if shape == (9,) and numbers.shape[-2:] == (3, 3):
        return True
    return numbers.shape[-1:] == shape


def from_mapping(cls: type, mapping: Mapping[str, Any], where: str) -> Any:
    """Build the dataclass `cls` from a mapping, nested dataclasses from nested mappings.

    Parameters
    ----------
    where : str
        Where the mapping comes from (a file), for messages.

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
    try:
        return cls(**values)
    except ParameterError as error:
        raise type(error)(f"{where}: {error.key}", error.value, error.allowed) from None


def _nested(f: Field[Any], key: str, value: Any, where: str) -> Any:
    factory = f.default_factory
    if "parameter" in f.metadata or factory is MISSING:
        if value is None:
            raise ParameterError(f"{where}: {key}", None, "has no value; leave the line out")
        return value
    if not isinstance(value, Mapping):
        raise ParameterError(f"{where}: {key}", value, "must be a mapping of figures")
    return from_mapping(type(factory()), value, f"{where}: {key}")
