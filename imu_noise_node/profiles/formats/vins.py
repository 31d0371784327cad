"""VINS-Fusion and VINS-Mono: four figures among the settings of an estimator."""

from __future__ import annotations

import math
from typing import Any

from ...errors import InputError
from .imported import Ask, Imported, build
from .keys import Keys

TITLE = "VINS-Fusion or VINS-Mono config"


def is_mine(document: Any) -> bool:
    """Whether a document is in this format."""
    return isinstance(document, dict) and {"acc_n", "gyr_n"} <= document.keys()


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures, as densities unless the user says that they are per sample.

    The estimator adds acc_n to each sample and acc_w dt to the bias at each: per sample, both are
    sqrt(rate) times the density and the walk. Yet what people write there comes from Kalibr or
    imu_utils. All other keys are its settings, and ignored on purpose.

    Raises
    ------
    InputError
        Figures per sample, and no rate.
    """
    factor = 1.0
    how = "densities and random walks; --meaning per-sample --rate HZ reads them per sample"
    if ask.reading() == "per-sample":
        if ask.rate is None:
            raise InputError("file", ask.where, "has figures per sample: pass their rate, --rate")
        factor = 1.0 / math.sqrt(ask.rate)
        how = f"figures per sample at {ask.rate:g} Hz"
    keys = Keys(document, ask.where)

    def figure(key: str) -> float | None:
        value = keys.number(key, lower=0.0)
        return None if value is None else value * factor

    sensors = {
        "gyroscope": {"noise_density": figure("gyr_n"), "random_walk": figure("gyr_w")},
        "accelerometer": {"noise_density": figure("acc_n"), "random_walk": figure("acc_w")},
    }
    notes = [
        f"acc_n, gyr_n, acc_w, gyr_w are read as {how}",
        "they are what an estimator is told, often many times what the sensor has",
    ]
    return Imported(build(ask.where, sensors), notes)
