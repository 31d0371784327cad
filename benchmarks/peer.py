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

"""The package imu-error-model with the same error terms, where it is installed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

MISSING = "imu-error-model is not installed (it needs Python 3.11): left out."


def installed() -> str | None:
    """Return the name with the version, or None."""
    try:
        return f"imu-error-model {version('imu-error-model')}"
    except PackageNotFoundError:
        return None


def config(figures: dict[str, dict[str, Any]]) -> Any:
    """Return its configuration for our figures; flicker from its default of 8 components."""
    import imu_error_model

    return imu_error_model.ImuConfig(
        **{
            sensor: imu_error_model.AxisConfig(
                white_noise_density=triad["noise_density"],
                turn_on_bias_std=triad["turn_on_bias_stddev"],
                bias_std=triad["bias_stddev"],
                bias_correlation_time=triad["bias_correlation_time"],
                flicker_bias_std=triad["bias_instability"],
                flicker_min_correlation_time=triad["bias_instability_band"][0],
                flicker_max_correlation_time=triad["bias_instability_band"][1],
            )
            for sensor, triad in figures.items()
        }
    )


class Peer:
    """Its model, fed with a body at rest. It takes poses, not rates; there is no other way in."""

    def __init__(self, figures: dict[str, dict[str, Any]]) -> None:
        import imu_error_model

        self._model = imu_error_model.ImuModel(config(figures), np.random.default_rng(0))
        self._velocity = np.zeros(3)
        self._orientation = np.eye(3)
        self._time = 0.0
        self._measure(0.0)

    def take(self, intervals: Iterable[float]) -> None:
        """Measure once after each interval [s]."""
        for dt in intervals:
            self._measure(dt)

    def sample(self, dt: float) -> Any:
        """Return one measurement, `dt` [s] after the last."""
        return self._measure(dt)

    def _measure(self, dt: float) -> Any:
        self._time += dt
        return self._model.measure(self._time, self._velocity, self._orientation)
