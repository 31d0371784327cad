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

"""From the text of a unit to the unit: a product of powers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from .known import ONE, UNITS, Unit, resembling

_LONGEST = 100
"""Characters; brackets within brackets go no deeper than Python's stack."""

_SAME = str.maketrans(
    {"µ": "u", "μ": "u", "º": "°", "·": "*", "⋅": "*", "×": "*", "−": "-", "\u00a0": " "}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPERSCRIPT = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")

_TOKEN = re.compile(
    r"\s*(?:(?P<root>sqrt|rt|√)|(?P<name>[A-Za-z]+|%)|(?P<index>(?<=[A-Za-z])[0-9]+)"
    r"|(?P<number>[0-9]*\.?[0-9]+)|(?P<sign>\S))"
)


class UnitError(ValueError):
    """A text that is no unit; the message says why."""


@lru_cache(maxsize=1024)
def parse(text: str) -> Unit:
    """Return the unit that `text` spells; an empty one is no unit, 1.

    Raises
    ------
    UnitError
        A name that no unit has, or a text that is no product of powers.
    """
    if len(text) > _LONGEST:
        raise UnitError("the unit is too long")
    parser = _Parser(plain(text))
    return parser.whole() if parser.kind else ONE


def plain(text: str) -> str:
    """Return `text` in ASCII where it has signs for the same, `√` aside."""
    text = text.translate(_SAME).replace("℃", "degC").replace("°", "deg").replace("**", "^")
    return _SUPERSCRIPT.sub(lambda found: f"^{found[0].translate(_SUPERSCRIPTS)}", text).strip()


class _Parser:
    """Reads a product by recursive descent; `kind` and `token` are what comes next."""

    def __init__(self, text: str) -> None:
        self._rest = self._tokens(text)
        self._advance()

    def whole(self) -> Unit:
        unit = self._product()
        if self.kind:
            raise UnitError(f"'{self.token}' closes no bracket")
        return unit

    @staticmethod
    def _tokens(text: str) -> Iterator[tuple[str, str]]:
        for found in _TOKEN.finditer(text):
            yield str(found.lastgroup), found[found.lastgroup or 0]

    def _advance(self) -> str:
        last = getattr(self, "token", "")
        self.kind, self.token = next(self._rest, ("", ""))
        return last

    def _take(self, sign: str) -> bool:
        if self.kind != "sign" or self.token != sign:
            return False
        self._advance()
        return True

    def _product(self) -> Unit:
        unit = self._power()
        while self.kind and self.token != ")":
            if self._take("/"):
                unit *= self._power() ** Fraction(-1)
            else:
                # A product needs no sign.
                self._take("*")
                unit *= self._power()
        return unit

    def _power(self) -> Unit:
        unit = self._factor()
        if self.kind == "index":
            # As in `m/s2`.
            return unit ** Fraction(self._advance())
        return unit ** self._exponent() if self._take("^") else unit

    def _factor(self) -> Unit:
        kind, token = self.kind, self._advance()
        if kind == "root":
            return self._factor() ** Fraction(1, 2)
        if kind == "name":
            return _named(token)
        if token == "(":
            unit = self._product()
            self._close()
            return unit
        if token == "1":
            return ONE
        raise UnitError(f"a unit is missing before '{token}'" if token else "a unit is missing")

    def _exponent(self) -> Fraction:
        bracket = self._take("(")
        sign = -1 if self._take("-") else 1
        exponent = sign * self._number()
        if bracket:
            if self._take("/"):
                divisor = self._number()
                if not divisor:
                    raise UnitError("an exponent is divided by zero")
                exponent /= divisor
            self._close()
        return exponent

    def _number(self) -> Fraction:
        if self.kind != "number":
            raise UnitError("an exponent is missing")
        return Fraction(self._advance())

    def _close(self) -> None:
        if not self._take(")"):
            raise UnitError("a bracket is not closed")


def _named(name: str) -> Unit:
    if name not in UNITS:
        near = resembling(name)
        raise UnitError(f"no unit '{name}'" + (f": did you mean '{near}'?" if near else ""))
    return UNITS[name]
