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
