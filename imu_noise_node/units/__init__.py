"""Figures as datasheets print them, `0.34 deg/sqrt(h)`, read as numbers in SI units.

A unit is a product of powers of named units: `ug/sqrt(Hz)`, `µg/√Hz`, `m s^-2`, `(rad/s)^2/Hz`.
`g` is gravity, `G` and `gauss` are gauss, `K` is a difference of temperatures only. An angle is a
quantity of its own, so that `0.1 deg` is no scale factor; Hz is 1/s, so that `deg/sqrt(h)` is an
angular rate's noise density. LSB are no unit: what one is worth is another figure.
"""

from .text import CUSTOMARY, has_unit, in_si, si

__all__ = ["CUSTOMARY", "has_unit", "in_si", "si"]
