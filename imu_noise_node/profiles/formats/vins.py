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


def noise_factor(rate: float) -> float:
    """Return what acc_n is, by the density, for the estimator to have N^2 dt of noise per step.

    It makes acc_n^2 dt^2/2 of it: the mean of the readings at both ends, taken for independent of
    those of the next step (`V` in vins_estimator/src/factor/integration_base.h).
    """
    return math.sqrt(2.0 * rate)


def walk_factor(rate: float) -> float:
    """Return what acc_w is, by the walk: the estimator makes acc_w^2 dt^2 of it per step."""
    return math.sqrt(rate)


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures, as densities unless the user says that they are per sample.

    Per sample, they are as the estimator's own arithmetic has them, `noise_factor` and
    `walk_factor`. Yet what people write there comes from Kalibr or imu_utils. All other keys are
    its settings, and ignored on purpose.

    Raises
    ------
    InputError
        Figures per sample, and no rate.
    """
    noise = walk = 1.0
    how = "densities and random walks; --meaning per-sample --rate HZ reads them per sample"
    if ask.reading() == "per-sample":
        if ask.rate is None:
            raise InputError("file", ask.where, "has figures per sample: pass their rate, --rate")
        noise, walk = noise_factor(ask.rate), walk_factor(ask.rate)
        how = (
            f"figures per sample at {ask.rate:g} Hz, as the estimator uses them: noise over "
            "sqrt(2 rate), walk over sqrt(rate)"
        )
    keys = Keys(document, ask.where)

    def figure(key: str, factor: float) -> float | None:
        value = keys.number(key, lower=0.0)
        return None if value is None else value / factor

    sensors = {
        "gyroscope": {
            "noise_density": figure("gyr_n", noise),
            "random_walk": figure("gyr_w", walk),
        },
        "accelerometer": {
            "noise_density": figure("acc_n", noise),
            "random_walk": figure("acc_w", walk),
        },
    }
    notes = [
        f"acc_n, gyr_n, acc_w, gyr_w are read as {how}",
        "they are what an estimator is told, often many times what the sensor has",
    ]
    return Imported(build(ask.where, sensors), notes)
