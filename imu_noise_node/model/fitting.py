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


"""Whether a spec fits the model that is to have it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ParameterError
from ..schema import parameters
from .figures import Figures, compile_spec
from .spec import ImuSpec


def fitted(spec: Any, batch: tuple[int, ...]) -> Figures:
    """Return the figures of `spec` for a model of this batch.

    Raises
    ------
    ParameterError
        It is no ImuSpec, or its batch axes do not fit `batch`.
    """
    if not isinstance(spec, ImuSpec):
        raise ParameterError("spec", spec, "must be an ImuSpec; load_profile(name) makes one")
    try:
        figures = compile_spec(spec, len(batch))
        fits = np.broadcast_shapes(*figures.batch_shapes(), batch) == batch
    except ValueError:
        fits = False
    if not fits:
        raise ParameterError("spec", _shapes(spec), f"must have batch axes that fit batch {batch}")
    return figures


def check_sensors(before: Figures, after: Figures) -> None:
    """Raise ParameterError if a magnetometer comes or goes."""
    if after.sensors != before.sensors:
        raise ParameterError(
            "spec", list(after.sensors), f"must be of {', '.join(before.sensors)}"
        )


def check_common(before: ImuSpec, after: ImuSpec) -> None:
    """Raise ParameterError if a figure of the whole IMU differs: its members have it in common."""
    for name in parameters(ImuSpec):
        old, new = getattr(before, name), getattr(after, name)
        if not np.array_equal(old, new):
            raise ParameterError(name, new, f"must be {old} for all members alike")


def _shapes(spec: ImuSpec) -> list[tuple[int, ...]]:
    """Return the shapes of the figures of `spec` that have leading axes."""
    figures = [value for triad in spec.triads().values() for value in vars(triad).values()]
    return sorted({np.shape(value) for value in figures if np.ndim(value) > 1})
