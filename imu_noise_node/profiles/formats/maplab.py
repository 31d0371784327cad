"""maplab's IMU files: densities and walks below `sigmas`, and where the sensor saturates."""

from __future__ import annotations

from typing import Any

from .imported import Ask, Imported, build
from .keys import Keys

TITLE = "maplab IMU yaml"

IGNORED = ("id", "hardware_id", "sensor_type", "gravity_magnitude_mps2", "topic", "description")


def is_mine(document: Any) -> bool:
    """Whether a document is in this format."""
    sigmas = document.get("sigmas") if isinstance(document, dict) else None
    return isinstance(sigmas, dict) and any(
        key in sigmas for key in ("gyro_noise_density", "acc_noise_density")
    )


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures."""
    keys = Keys(document, ask.where)
    sigmas = Keys(keys.raw("sigmas"), f"{ask.where}: sigmas")
    sensors = {
        sensor: {
            "noise_density": sigmas.number(f"{short}_noise_density", lower=0.0),
            "random_walk": sigmas.number(f"{short}_bias_random_walk_noise_density", lower=0.0),
            "range": keys.number(saturation, lower=0.0),
        }
        for sensor, short, saturation in (
            ("gyroscope", "gyro", "saturation_gyro_max_radps"),
            ("accelerometer", "acc", "saturation_accel_max_mps2"),
        )
    }
    keys.ignore(IGNORED)
    return Imported(build(ask.where, sensors), [*sigmas.rest(), *keys.rest()])
