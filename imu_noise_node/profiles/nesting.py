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

"""How deep and how large a document may be, so that a small file cannot become a huge one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

DEEPEST = 50
"""Mappings and lists within each other; what reads a document calls itself for each."""

MOST_VALUES = 200_000
"""Values in a document, those of an alias counted wherever it stands."""

TOO_DEEP = f"must not be nested deeper than {DEEPEST} levels"
TOO_MANY = f"must have no more than {MOST_VALUES} values, those behind aliases counted"


def is_too_deep(document: Any) -> bool:
    """Return whether lists and mappings stand in each other deeper than `DEEPEST`."""
    level: list[Any] = [document]
    for _ in range(DEEPEST + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterable[Any]:
    """Return the lists and mappings that stand right in `value`."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return ()
    return (inner for inner in value if isinstance(inner, dict | list))
