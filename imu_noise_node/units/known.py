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

"""The units that have a name, each as a factor and a dimension."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from ..errors import nearest

EXACT = Context(prec=50, traps=[])
"""So many digits that a figure is rounded once, on its way to a double; overflow is infinity."""

_PI = Decimal("3.14159265358979323846264338327950288419716939937510")

Dimension = tuple[Fraction, ...]
"""Exponents of length, time, angle, temperature, magnetic flux density."""


@dataclass(frozen=True)
class Unit:
    """`factor` times the product of m, s, rad, K and T to the powers that `dimension` lists."""

    factor: Decimal
    dimension: Dimension

    def __mul__(self, other: Unit) -> Unit:
        """Return the product of two units."""
        dimension = tuple(a + b for a, b in zip(self.dimension, other.dimension, strict=True))
        return Unit(EXACT.multiply(self.factor, other.factor), dimension)

    def __pow__(self, exponent: Fraction) -> Unit:
        """Return a power, also a broken one, of the unit."""
        power = EXACT.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
        dimension = tuple(a * exponent for a in self.dimension)
        return Unit(EXACT.power(self.factor, power), dimension)


def _dimension(length: int = 0, time: int = 0, angle: int = 0, **more: int) -> Dimension:
    powers = (length, time, angle, more.get("temperature", 0), more.get("magnetic", 0))
    return tuple(map(Fraction, powers))


ONE = Unit(Decimal(1), _dimension())

_LENGTH = _dimension(length=1)
_TIME = _dimension(time=1)
_ANGLE = _dimension(angle=1)
_RATE = _dimension(angle=1, time=-1)
_ACCELERATION = _dimension(length=1, time=-2)
_TEMPERATURE = _dimension(temperature=1)
_MAGNETIC = _dimension(magnetic=1)

_DEGREE = EXACT.divide(_PI, Decimal(180))
_PREFIXES = {"p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "k": 3, "M": 6}

_TABLE: tuple[tuple[str, str, Decimal | str, Dimension], ...] = (
    ("m", "numck", "1", _LENGTH),
    ("ft", "", "0.3048", _LENGTH),
    ("s sec", "num", "1", _TIME),
    ("min", "", "60", _TIME),
    ("h hr hour", "", "3600", _TIME),
    ("Hz", "umkM", "1", _dimension(time=-1)),
    ("rad", "num", "1", _ANGLE),
    ("deg", "um", _DEGREE, _ANGLE),
    ("arcmin", "", EXACT.divide(_DEGREE, Decimal(60)), _ANGLE),
    ("arcsec", "um", EXACT.divide(_DEGREE, Decimal(3600)), _ANGLE),
    ("degree degrees", "", _DEGREE, _ANGLE),
    ("dps", "um", _DEGREE, _RATE),
    ("dph", "m", EXACT.divide(_DEGREE, Decimal(3600)), _RATE),
    ("rpm", "", EXACT.divide(_PI, Decimal(30)), _RATE),
    # No kilo: kg is another thing.
    ("g", "num", "9.80665", _ACCELERATION),
    ("Gal", "um", "0.01", _ACCELERATION),
    ("degC K", "m", "1", _TEMPERATURE),
    ("T", "pnum", "1", _MAGNETIC),
    ("G Gs gauss Gauss", "num", "1e-4", _MAGNETIC),
    ("%", "", "0.01", _dimension()),
    ("ppm", "", "1e-6", _dimension()),
    ("ppb", "", "1e-9", _dimension()),
)
"""Names of a unit, the prefixes it is used with, its factor and dimension."""


def _with_prefixes() -> dict[str, Unit]:
    units = {}
    for names, prefixes, factor, dimension in _TABLE:
        for name in names.split():
            units[name] = Unit(Decimal(factor), dimension)
            for prefix in prefixes:
                scaled = EXACT.scaleb(Decimal(factor), _PREFIXES[prefix])
                units[prefix + name] = Unit(scaled, dimension)
    return units


UNITS = _with_prefixes()
"""Every unit by every name that it has, prefix included."""


def resembling(name: str) -> str:
    """Return the name of a unit that `name` may have been meant for, or an empty string."""
    # A slip of case first: `hz` is nearer to `h` than to `Hz` where letters are counted.
    slips = [known for known in UNITS if known.casefold() == name.casefold()]
    return slips[0] if slips else nearest(name, UNITS)
