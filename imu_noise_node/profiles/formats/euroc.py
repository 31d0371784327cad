"""sensor.yaml of EuRoC and other ASL data sets, and Kimera's ImuParams: Kalibr's four figures."""

from __future__ import annotations

from typing import Any

from .imported import Ask, Imported, build
from .kalibr import FIGURES, four
from .keys import Keys

TITLE = "EuRoC sensor.yaml, Kimera ImuParams.yaml"

IGNORED = (
    # EuRoC: what the sensor is and where.
    *("sensor_type", "comment", "T_BS", "rate_hz"),
    # Kimera: settings of its estimator.
    *("imu_preintegration_type", "imu_bias_init_sigma", "do_imu_rate_time_alignment"),
    *("time_alignment_window_size_s", "time_alignment_variance_threshold_scaling"),
    *("imu_integration_sigma", "imu_time_shift", "n_gravity", "do_initial_time_alignment"),
)


def is_mine(document: Any) -> bool:
    """Whether a document is in this format: Kalibr's figures, but a rate under another name."""
    names = {key for figures in FIGURES.values() for key in figures.values()}
    return isinstance(document, dict) and "rate_hz" in document and not names.isdisjoint(document)


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures."""
    keys = Keys(document, ask.where)
    sensors, notes = four(keys)
    keys.ignore(IGNORED)
    return Imported(build(ask.where, sensors), [*notes, *keys.rest()])
