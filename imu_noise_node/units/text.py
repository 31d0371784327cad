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

"""From the text of a figure, number and unit, to the number in the unit that is wanted."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from ..errors import ParameterError
from .expression import UnitError, parse, plain
from .known import EXACT, Unit

CUSTOMARY: dict[str, tuple[str, ...]] = {
    "rad/s": ("deg/s", "deg/h"),
    "rad/s/s": ("deg/s^2", "deg/h/s"),
    "rad/s/sqrt(Hz)": ("deg/s/sqrt(Hz)", "deg/sqrt(h)"),
    "rad/s/s/sqrt(Hz)": ("rad/s^2/sqrt(Hz)", "deg/h/sqrt(h)"),
    "(rad/s)^2/Hz": ("(deg/s)^2/Hz",),
    "rad/s/degC": ("deg/s/degC", "mdeg/s/degC"),
    "rad/s/(m/s^2)": ("deg/s/g", "deg/h/g"),
    "rad/s/(m/s^2)^2": ("deg/s/g^2", "deg/h/g^2"),
    "m/s^2": ("g", "mg"),
    "m/s^2/s": ("mg/s", "ug/s"),
    "m/s^2/sqrt(Hz)": ("ug/sqrt(Hz)", "m/s/sqrt(h)"),
    "m/s^2/s/sqrt(Hz)": ("m/s^3/sqrt(Hz)", "ug/s/sqrt(Hz)"),
    "(m/s^2)^2/Hz": ("mg^2/Hz",),
    "m/s^2/degC": ("mg/degC", "ug/degC"),
    "m/s^2/(m/s^2)^2": ("mg/g^2", "ug/g^2"),
    "T": ("uT", "mGauss"),
    "T/s": ("uT/s", "nT/s"),
    "T/sqrt(Hz)": ("nT/sqrt(Hz)", "uGauss/sqrt(Hz)"),
    "T/s/sqrt(Hz)": ("nT/s/sqrt(Hz)",),
    "(T)^2/Hz": ("nT^2/Hz",),
    "T/degC": ("nT/degC", "mGauss/degC"),
    "1": ("%", "ppm"),
    "1/degC": ("%/degC", "ppm/degC"),
    "rad": ("deg", "mrad"),
    "deg": ("rad", "arcmin"),
    "rad^2": ("deg^2", "mrad^2"),
    "m": ("cm", "mm"),
    "s": ("ms", "h"),
    "Hz": ("kHz",),
}
"""What datasheets use, beside the SI units as the schema spells them."""

_LONGEST = 1000
"""Characters; the patterns below try many ways to read a text that is no figure."""

_NUMBER = r"[-+−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+−]?[0-9]+)?"
_PLUS_MINUS = re.compile(r"(?<![^\s,\[])(?:±|\+/?[-−])\s*(?=\.?[0-9])")
"""What stands in front of the size of a figure that may have either sign."""

_BEGINNING = re.compile(rf"\s*\[?\s*{_NUMBER}")
_FIGURES = re.compile(
    rf"(?P<open>\[\s*)?(?P<numbers>{_NUMBER}(?:(?:\s*,\s*|\s+){_NUMBER})*)(?(open)\s*\])"
    r"(?P<unit>.*)",
    re.DOTALL,
)


def si(text: str, unit: str, key: str = "figure") -> float:
    """Return the number that `text` means in `unit`.

    Parameters
    ----------
    text : str
        A number and its unit, such as `60 ug/sqrt(Hz)`. A number alone is in `unit` already, and
        a `±` in front of it means nothing.
    unit : str
        The unit wanted, such as `m/s^2/sqrt(Hz)`; `1` for a number without unit.
    key : str
        What the figure is, for messages.

    Raises
    ------
    ParameterError
        No finite number, a unit that does not exist, or one of another kind.
    """
    found = _read(text, unit, key)
    if not isinstance(found, float):
        raise _refusal(text, unit, key, "there is more than one number")
    return found


def in_si(value: Any, unit: str, key: str) -> Any:
    """Return `value` with every text in it that has a unit read as numbers in `unit`.

    One text may hold several numbers: `160, 160, 190 ug/sqrt(Hz)`, or `[1 deg/s, 2 deg/s, 0]`. In
    a list where one item has a unit, all others but zeros must have one, too.

    Raises
    ------
    ParameterError
        As for `si`, or an item of a list lacks a unit that another has.
    """
    if not has_unit(value):
        return value
    if isinstance(value, str):
        text = value.strip()
        if text[:1] == "[" and text[-1:] == "]":
            return in_si(text[1:-1].split(","), unit, key)
        return _read(text, unit, key)
    items = [
        si(item, unit, key) if isinstance(item, str) else in_si(item, unit, key) for item in value
    ]
    for given, item in zip(value, items, strict=True):
        if isinstance(item, int | float) and item != 0.0 and not has_unit(_unsigned(given)):
            number = f"{item:g}" if abs(item) < 1e100 else "so large a number"
            raise ParameterError(
                key, value, f"must have a unit with {number}, too, as another number has one"
            )
    return items


def has_unit(value: Any) -> bool:
    """Return whether `value` is, or a list of it contains, a text of more than a number."""
    if isinstance(value, list | tuple):
        return any(map(has_unit, value))
    if not isinstance(value, str):
        return False
    value = value[:_LONGEST]
    try:
        float(value)
    except ValueError:
        return _BEGINNING.match(_unsigned(value)) is not None
    return False


def _unsigned(value: Any) -> Any:
    """Return a text without the `±` in front of its numbers, anything else as it is."""
    return _PLUS_MINUS.sub("", value) if isinstance(value, str) else value


def _read(text: str, unit: str, key: str) -> float | list[float]:
    if len(text) > _LONGEST:
        raise _refusal(text, unit, key, "it is too long")
    found = _FIGURES.fullmatch(_unsigned(text).strip())
    if found is None:
        raise _refusal(text, unit, key, "")
    numbers, rest = re.split(r"\s*,\s*|\s+", found["numbers"]), found["unit"].strip()
    if "," in rest:
        figures: list[float] = in_si(text.split(","), unit, key)
        return figures
    if rest[:1] == "/":
        # `0.02 1/degC` is one number, as is `0.02 /degC`.
        numbers = numbers[:-1] if len(numbers) > 1 and numbers[-1] == "1" else numbers
        rest = f"1{rest}"
    try:
        given, wanted = parse(rest or unit), parse(unit)
    except UnitError as error:
        raise _refusal(text, unit, key, str(error)) from None
    if given.dimension != wanted.dimension:
        raise _refusal(text, unit, key, "")
    if unit == "degC" and rest and plain(rest) != "degC":
        # A difference in kelvin is one in degC, but a temperature is not.
        raise _refusal(text, unit, key, "a temperature in K is larger by 273.15")
    figures = [_scaled(number, given, wanted) for number in numbers]
    if not all(map(math.isfinite, figures)):
        raise _refusal(text, unit, key, "the number is too large")
    return figures if len(figures) > 1 else figures[0]


def _scaled(number: str, given: Unit, wanted: Unit) -> float:
    exact = EXACT.multiply(EXACT.create_decimal(plain(number)), given.factor)
    return float(EXACT.divide(exact, wanted.factor))


def _refusal(text: str, unit: str, key: str, why: str) -> ParameterError:
    return ParameterError(key, text, f"must be {_number_in(unit)}", why)


def _number_in(unit: str) -> str:
    others = CUSTOMARY.get(unit, ())
    if unit == "1":
        return f"a number without unit, or one in {_either(others)}"
    return f"a number in {_either((unit, *others))}"


def _either(names: Sequence[str]) -> str:
    return " or ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
