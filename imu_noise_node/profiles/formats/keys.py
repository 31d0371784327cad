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

"""The keys of a foreign file: each is taken, ignored on purpose, or told of in a note."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from ...errors import InputError, ParameterError
from ...schema import AXES, MATRIX, Parameter, check


class Keys:
    """A mapping of a foreign file, with a record of which of its keys were asked for.

    Every getter returns None where the key is absent.

    Parameters
    ----------
    mapping : mapping
        What the file has there.
    where : str
        File and place in it, for messages.

    Raises
    ------
    InputError
        `mapping` is none.
    """

    def __init__(self, mapping: Any, where: str) -> None:
        if not isinstance(mapping, Mapping):
            raise InputError(where, mapping, "must be a mapping of figures")
        self.where = where
        self._mapping = mapping
        self._left = dict.fromkeys(mapping)

    def __contains__(self, key: str) -> bool:
        return key in self._mapping

    def raw(self, key: str) -> Any:
        """Return the value of `key` as it stands in the file."""
        self._left.pop(key, None)
        return self._mapping.get(key)

    def number(self, key: str, lower: float = -math.inf, above: bool = False) -> float | None:
        """Return one number; ParameterError where it is none, or below `lower`."""
        value: float | None = self._checked(key, Parameter("", lower=lower, above_lower=above))
        return value

    def axes(self, key: str, lower: float = -math.inf) -> Any:
        """Return one number, or three for x, y, z; ParameterError where it is neither."""
        return self._checked(key, Parameter("", shape=AXES, lower=lower))

    def matrix(self, key: str) -> Any:
        """Return one number, three, or nine by rows (also as three rows of three)."""
        value = self._mapping.get(key)
        if isinstance(value, list) and len(value) == 3 and all(isinstance(v, list) for v in value):
            return self._checked(key, Parameter("", shape=(9,)))
        return self._checked(key, Parameter("", shape=MATRIX))

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false, `default` where the key is absent."""
        found = self._checked(key, Parameter("", kind=bool))
        return default if found is None else bool(found)

    def choice(self, key: str, choices: tuple[str, ...]) -> str | None:
        """Return a text that must be one of `choices`."""
        value: str | None = self._checked(key, Parameter("", kind=str, choices=choices))
        return value

    def below(self, key: str) -> Keys | None:
        """Return the keys of the mapping that stands at `key`."""
        value = self.raw(key)
        return None if value is None else Keys(value, f"{self.where}: {key}")

    def ignore(self, keys: Collection[str]) -> None:
        """Pass over keys that say nothing about the errors of the sensor."""
        for key in list(self._left):
            if key in keys:
                del self._left[key]

    def rest(self) -> list[str]:
        """Return a note about the keys nobody asked for, if there are any."""
        if not self._left:
            return []
        return [f"not taken over of {self.where}: {', '.join(map(str, self._left))}"]

    def _checked(self, key: str, facts: Parameter) -> Any:
        if key not in self._mapping:
            return None
        value = self.raw(key)
        if value is None:
            raise ParameterError(f"{self.where}: {key}", None, facts.allowed)
        return check(f"{self.where}: {key}", value, facts)
