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

"""What a format is asked, and what it gives back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ImuNoiseError, InputError, ParameterError, UnknownNameError
from ...model.spec import SENSORS, ImuSpec, TriadSpec

MEANINGS = ("density", "per-sample")
"""What the noise figures of a file may be that does not say."""


@dataclass(frozen=True)
class Ask:
    """What the user says about a file that the file itself may leave open.

    Attributes
    ----------
    where : str
        The file, for messages.
    rate : float or None
        Rate [Hz] at which figures per sample hold.
    meaning : str or None
        One of `MEANINGS`.
    name : str or None
        Which IMU of several is meant.
    used : set of str
        Which of `meaning` and `name` a format has made use of.
    """

    where: str
    rate: float | None = None
    meaning: str | None = None
    name: str | None = None
    used: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

    def reading(self) -> str | None:
        """Return `meaning`, where the file leaves it open."""
        self.used.add("meaning")
        return self.meaning

    def check_used(self) -> None:
        """Refuse what the file has no use for.

        Raises
        ------
        InputError
            A meaning was given where the file leaves none open, or a name where it has none.
        """
        reasons = {
            "meaning": "must be left out: the format says what its noise is",
            "name": "must be left out: the file holds one IMU, without a name",
        }
        for option, allowed in reasons.items():
            given = getattr(self, option)
            if given is not None and option not in self.used:
                raise InputError(f"--{option}", given, allowed)

    def choose(self, names: Iterable[str], kind: str) -> str:
        """Return the one of `names` that is meant.

        Raises
        ------
        InputError
            There are several, and none was named.
        UnknownNameError
            There is none of the name given.
        """
        known = list(names)
        self.used.add("name")
        if self.name is not None:
            if self.name not in known:
                raise UnknownNameError(kind, self.name, known, self.where)
            return self.name
        if len(known) != 1:
            allowed = f"has several: {', '.join(known)}; pass --name with the one you mean"
            raise InputError("file", self.where, allowed)
        return known[0]


@dataclass(frozen=True)
class Imported:
    """A spec, and what its source had besides.

    Attributes
    ----------
    spec : ImuSpec
    notes : list of str
        Sentences on what was not taken over, or on how it was read.
    about : dict
        Name and description, where the source has them.
    """

    spec: ImuSpec
    notes: list[str] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)


def build(where: str, sensors: Mapping[str, Mapping[str, Any]], **figures: Any) -> ImuSpec:
    """Return the spec with these figures by sensor; None is a figure that was not given.

    Raises
    ------
    ParameterError
        The figures contradict each other; the message names the file.
    """
    triads: dict[str, Any] = {}
    for sensor in SENSORS:
        given = {k: _plain(v) for k, v in sensors.get(sensor, {}).items() if v is not None}
        if sensor == "magnetometer" and sensor not in sensors:
            continue
        try:
            triads[sensor] = TriadSpec(**given)
        except ParameterError as error:
            key = f"{where}: {sensor}: {error.key}"
            raise ParameterError(key, error.value, error.allowed) from None
    try:
        return ImuSpec(**{**triads, **{k: v for k, v in figures.items() if v is not None}})
    except ImuNoiseError as error:
        raise ParameterError(f"{where}: {error.key}", error.value, error.allowed) from None


def three(value: Any) -> NDArray[np.float64]:
    """Return a figure as three values for x, y, z."""
    values = np.asarray(value, dtype=np.float64)
    if values.ndim > 1:
        raise ParameterError("figure", values.tolist(), "must be one number, or three (x, y, z)")
    return np.array(np.broadcast_to(values, (3,)))


def _plain(value: Any) -> Any:
    """Return one number in place of three equal ones: that is how the source meant it."""
    if isinstance(value, np.ndarray) and value.shape == (3,) and (value == value[0]).all():
        return float(value[0])
    return value
