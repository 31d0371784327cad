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

"""OpenVINS' matrices: what a sensor reads of the truth besides its noise.

The gyroscope reads Tw R_IMUtoGYRO w + Tg f, the accelerometer Ta R_IMUtoACC f. Ours reads
M (1 + s) x + G f with ones on the diagonal of M: so each column of the product is divided by its
diagonal, which is 1 + s.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ParameterError
from .keys import Keys


def intrinsics(keys: Keys) -> dict[str, dict[str, Any]]:
    """Return `scale_factor`, `cross_axis` and `g_sensitivity` by sensor; no figure for identity.

    Raises
    ------
    ParameterError
        A matrix that is not three by three, or turns an axis away from itself.
    """
    gyroscope = linear(keys.where, "Tw", _three_by_three(keys, "Tw", "R_IMUtoGYRO"))
    accelerometer = linear(keys.where, "Ta", _three_by_three(keys, "Ta", "R_IMUtoACC"))
    sensitivity = _matrix(keys, "Tg")
    if sensitivity is not None and sensitivity.any():
        gyroscope["g_sensitivity"] = sensitivity.ravel()
    return {"gyroscope": gyroscope, "accelerometer": accelerometer}


def linear(where: str, key: str, matrix: NDArray[np.float64]) -> dict[str, Any]:
    """Return the figures with which our model reads `matrix` times the truth.

    Raises
    ------
    ParameterError
        A diagonal that is not above 0: that is another mounting, and no error of a sensor.
    """
    diagonal = matrix.diagonal()
    if not (diagonal > 0.0).all():
        allowed = "must have a diagonal above 0; how the sensor is mounted is said elsewhere"
        raise ParameterError(f"{where}: {key}", matrix.tolist(), allowed)
    figures: dict[str, Any] = {}
    if (diagonal != 1.0).any():
        figures["scale_factor"] = diagonal - 1.0
    unit = matrix / diagonal
    if (unit != np.eye(3)).any():
        figures["cross_axis"] = unit.ravel()
    return figures


def _three_by_three(keys: Keys, shape: str, rotation: str) -> NDArray[np.float64]:
    product: NDArray[np.float64] = np.eye(3)
    for key in (shape, rotation):
        found = _matrix(keys, key)
        if found is not None:
            product = product @ found
    return product


def _matrix(keys: Keys, key: str) -> NDArray[np.float64] | None:
    if key not in keys:
        return None
    values = np.asarray(keys.matrix(key))
    if values.size != 9:
        allowed = "must be three rows of three"
        raise ParameterError(f"{keys.where}: {key}", values.tolist(), allowed)
    return values.reshape(3, 3)
