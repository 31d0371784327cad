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

"""What a reader of recordings is told, where the file does not say it itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import ParameterError
from ..units import CUSTOMARY, has_unit, si

NANOSECONDS = 1_000_000_000

STAMP_UNITS = {"ns": 0, "us": 3, "ms": 6, "s": 9}
"""Units of stamps, each as the power of ten that it is in nanoseconds."""


@dataclass(frozen=True)
class Options:
    """How to read a file.

    Attributes
    ----------
    columns : mapping of str to str
        By what it is (`t`, `wx`, ...) the name or number of a column, or the name of an array.
    stamp_unit : str or None
        One of `STAMP_UNITS`.
    gyroscope_unit, accelerometer_unit : str or None
        As `deg/s`, or `0.05 deg/s` where the numbers are counts.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    stamp_unit: str | None = None
    gyroscope_unit: str | None = None
    accelerometer_unit: str | None = None

    def __post_init__(self) -> None:
        """Refuse units that there are not."""
        if self.stamp_unit is not None and self.stamp_unit not in STAMP_UNITS:
            raise ParameterError("stamp_unit", self.stamp_unit, "must be ns, us, ms or s")
        self.scale("wx")
        self.scale("ax")

    def scale(self, axis: str, stated: str | None = None) -> float:
        """Return what to multiply the numbers of an axis by.

        Parameters
        ----------
        axis : str
            One of `names.AXES`.
        stated : str or None
            The unit that the file itself gives; the one that was asked for goes before it.

        Raises
        ------
        ParameterError
            No unit of this sensor's, or none at all.
        """
        text = self.unit(axis) or stated
        if text is None:
            return 1.0
        sensor, si_unit = ("gyroscope", "rad/s") if axis[0] == "w" else ("accelerometer", "m/s^2")
        key = f"{sensor}_unit" if self.unit(axis) else f"the file's unit of {axis}"
        try:
            scale = si(text if has_unit(text) else f"1 {text}", si_unit)
        except ParameterError as error:
            some = " or ".join(CUSTOMARY[si_unit])
            allowed = f"must be a unit, as {some}, or what one count is, as 0.05 {si_unit}"
            raise ParameterError(key, text, allowed, error.hint) from None
        if scale <= 0.0:
            raise ParameterError(key, text, "must be positive")
        return scale

    def unit(self, axis: str) -> str | None:
        """Return the unit that was asked for for an axis."""
        return self.gyroscope_unit if axis[0] == "w" else self.accelerometer_unit
