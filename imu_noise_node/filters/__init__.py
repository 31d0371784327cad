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

"""Settings of public filters from the figures of a sensor, one file for each filter.

A filter is a module with `TITLE` and `settings(figures)`. Its docstring says where in the filter's
source the figures are used, and so what they mean there.
"""

from __future__ import annotations

from typing import Protocol

from . import kalibr, madgwick, openvins, px4, robot_localization, vins_fusion
from .equivalent import figures_of
from .figures import FilterFigures, SensorFigures
from .settings import Setting, Settings

__all__ = [
    "FILTERS",
    "Filter",
    "FilterFigures",
    "SensorFigures",
    "Setting",
    "Settings",
    "figures_of",
]


class Filter(Protocol):
    """What a module of this package has."""

    TITLE: str

    def settings(self, figures: FilterFigures) -> Settings:
        """Return the settings for a sensor."""


FILTERS: tuple[Filter, ...] = (kalibr, openvins, vins_fusion, px4, robot_localization, madgwick)
"""The filters, in the order in which they are shown."""
