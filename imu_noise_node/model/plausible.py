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


"""Noise densities that no real sensor has: their unit may be another than was meant."""

from __future__ import annotations

import numpy as np

from .spec import UNITS, ImuSpec

PLAUSIBLE_DENSITY = {
    "gyroscope": (1e-8, 2e-2),
    "accelerometer": (1e-7, 0.5),
    "magnetometer": (1e-13, 1e-5),
}
"""Noise densities [u/sqrt(Hz)] that a real sensor could have: strategic units to poor phones."""


def implausible(spec: ImuSpec) -> list[str]:
    """Return a sentence for each noise density that no real sensor has; zero is not one."""
    sentences = []
    for name, triad in spec.triads().items():
        low, high = PLAUSIBLE_DENSITY[name]
        values = np.asarray(0.0 if triad.density is None else triad.density)
        odd = values[(values > 0.0) & ((values < low) | (values > high))]
        if odd.size:
            sentences.append(
                f"{name}.noise_density = {odd[0]:g} {UNITS[name]}/sqrt(Hz) is outside "
                f"{low:g} to {high:g}, where real sensors are: is the unit right?"
            )
    return sentences
