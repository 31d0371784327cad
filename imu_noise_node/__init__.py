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

"""The IMU that behaves like its datasheet, at any rate.

Conventions, everywhere in the package:

- SI units and radians. Axes x forward, y left, z up (REP-103); world axes east, north, up.
- Quaternions x, y, z, w. The rotation of a body turns body axes into world axes.
- An accelerometer measures specific force: at rest and level it reads (0, 0, +9.80665).
- Stacked axes are gyroscope xyz, accelerometer xyz and, where there is one, magnetometer xyz, in
  the last dimension of an array; before it come batch axes, before those time: (T, *batch, K).
- Time is whole nanoseconds from message to message; intervals are seconds.
- A noise density N [u/sqrt(Hz)] is two-sided: averaged over dt, a sample has sigma N/sqrt(dt).
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import ImuNoiseError, InputError, ParameterError, UnknownNameError
    from .model.condition import Condition, State
    from .model.fault_spec import Fault
    from .model.filter_model import FilterModel
    from .model.imu import ImuModel
    from .model.spec import ImuSpec, TriadSpec
    from .model.theory import Theory
    from .profiles.loader import load_profile, presets
    from .samples import Measurement, Motion, Truth

__all__ = [
    "Condition",
    "Fault",
    "FilterModel",
    "ImuModel",
    "ImuNoiseError",
    "ImuSpec",
    "InputError",
    "Measurement",
    "Motion",
    "ParameterError",
    "State",
    "Theory",
    "TriadSpec",
    "Truth",
    "UnknownNameError",
    "load_profile",
    "presets",
]

_HOMES = {
    "errors": ("ImuNoiseError", "InputError", "ParameterError", "UnknownNameError"),
    "model.condition": ("Condition", "State"),
    "model.fault_spec": ("Fault",),
    "model.filter_model": ("FilterModel",),
    "model.imu": ("ImuModel",),
    "model.spec": ("ImuSpec", "TriadSpec"),
    "model.theory": ("Theory",),
    "profiles.loader": ("load_profile", "presets"),
    "samples": ("Measurement", "Motion", "Truth"),
}


def __getattr__(name: str) -> Any:
    """Return a public name from its module, which is imported by the first who asks for it.

    A process then lives from its first moment, and not from when all of NumPy has been read.
    """
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
