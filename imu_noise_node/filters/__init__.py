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
