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


"""Which figures of one triad go together; `schema.check_fields` has looked at each by itself.

The functions take a `TriadSpec`, and raise ParameterError where figures contradict each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ParameterError

if TYPE_CHECKING:
    from .spec import TriadSpec


def check_noise(triad: TriadSpec) -> None:
    """Check that noise is given in one way; bring its covariance to shape (*batch, 3, 3)."""
    if triad.noise_covariance is not None and triad.noise_density is not None:
        raise ParameterError(
            "noise_covariance",
            triad.noise_covariance.ravel().tolist(),
            "must be left out where noise_density is given",
        )
    _square(triad, "noise_covariance")
    _exclude(triad, "bandwidth", "integration_time")
    if triad.noise_covariance is not None and np.any(triad.bandwidth):
        raise ParameterError(
            "bandwidth", triad.bandwidth, "must be left out where noise_covariance is given"
        )


def check_misalignment(triad: TriadSpec) -> None:
    """Check that it is given in one way; bring its covariance to shape (*batch, 3, 3)."""
    if triad.misalignment_covariance is not None and np.any(triad.misalignment_stddev):
        raise ParameterError(
            "misalignment_covariance",
            triad.misalignment_covariance.ravel().tolist(),
            "must be left out where misalignment_stddev is given",
        )
    _square(triad, "misalignment_covariance")


def check_cross_axis(triad: TriadSpec) -> None:
    """Check that a whole matrix has ones on its diagonal."""
    matrix = np.asarray(triad.cross_axis)
    if matrix.shape[-1:] == (9,) and (matrix[..., [0, 4, 8]] != 1.0).any():
        raise ParameterError(
            "cross_axis", matrix.tolist(), "of nine values must have ones on the diagonal"
        )


def check_band(triad: TriadSpec) -> None:
    """Check that the band of the bias instability is one."""
    band = triad.bias_instability_band
    if not (band[..., 0] < band[..., 1]).all():
        raise ParameterError(
            "bias_instability_band", band.tolist(), "must be two times [s], shorter one first"
        )


def need(triad: TriadSpec, name: str, other: str, unit: str) -> None:
    """Refuse `name` on an axis where `other` is not given."""
    if np.any(_both(triad, name, other, lambda a, b: a & ~b)):
        raise ParameterError(other, 0.0, f"must be above 0 [{unit}] where {name} is given")


def _exclude(triad: TriadSpec, name: str, other: str) -> None:
    """Refuse `name` on an axis where `other` is given."""
    if np.any(_both(triad, name, other, np.logical_and)):
        raise ParameterError(
            name, getattr(triad, name), f"must be left out where {other} is given"
        )


def _both(triad: TriadSpec, name: str, other: str, rule: Any) -> Any:
    there = [np.asarray(getattr(triad, n)) != 0.0 for n in (name, other)]
    try:
        return rule(*there)
    except ValueError:
        raise ParameterError(
            other, there[1].shape, f"must have a shape that fits {name}"
        ) from None


def _square(triad: TriadSpec, name: str) -> None:
    """Bring a covariance to shape (*batch, 3, 3) and check that it is one."""
    matrix = getattr(triad, name)
    if matrix is None:
        return
    if matrix.shape[-2:] != (3, 3):
        matrix = matrix.reshape(*matrix.shape[:-1], 3, 3)
        object.__setattr__(triad, name, matrix)
    scale = np.abs(matrix).max(initial=0.0)
    symmetric = np.abs(matrix - np.swapaxes(matrix, -1, -2)).max(initial=0.0) <= 1e-9 * scale
    if not symmetric or np.linalg.eigvalsh(matrix).min(initial=0.0) < -1e-9 * scale:
        raise ParameterError(
            name,
            matrix.ravel().tolist(),
            "must be symmetric and positive semidefinite, nine values row by row",
        )
