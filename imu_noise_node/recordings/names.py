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

"""The names that people give to columns and arrays, understood."""

from __future__ import annotations

import re
from typing import NamedTuple

TIME = "t"
RATE = "rate"
AXES = ("wx", "wy", "wz", "ax", "ay", "az")
"""What we call the columns of gyroscope xyz and accelerometer xyz."""

_TIMES = ("headerstamp", "stamp", "stamps", "timestamp", "timestamps", "t", "time")
"""Where there are several, the first is the one of the capture."""

_GYROSCOPES = (
    *("w", "wrss", "omega", "g", "gyr", "gyro", "gyroscope", "angularvelocity", "angvel"),
    *("angularrate", "rotationrate"),
)
_ACCELEROMETERS = (
    *("a", "arss", "f", "acc", "accel", "accelerometer", "acceleration", "linearacceleration"),
    *("linacc", "specificforce"),
)
_RATES = ("rate", "ratehz", "samplerate", "samplingrate", "fs")
_PRESSURES = ("pressure", "fluidpressure", "baro", "barometer", "airpressure")

_UNIT = re.compile(r"\s*(?:\[(?P<square>[^\]]*)\]|\((?P<round>[^)]*(?:\([^)]*\)[^)]*)*)\))\s*$")
_STAMP_UNITS = {
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanosec", "nanoseconds"), "ns"),
    **dict.fromkeys(("us", "µs", "μs", "usec", "usecs", "microseconds"), "us"),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
}

_KNOWN = {
    **{name: (TIME, rank) for rank, name in enumerate(_TIMES)},
    **{name + axis: ("w" + axis, 0) for name in _GYROSCOPES for axis in "xyz"},
    **{name + axis: ("a" + axis, 0) for name in _ACCELEROMETERS for axis in "xyz"},
    **{name: ("angular_velocity", 0) for name in _GYROSCOPES if len(name) > 1},
    **{name: ("linear_acceleration", 0) for name in _ACCELEROMETERS if len(name) > 1},
    **dict.fromkeys(_RATES, (RATE, 0)),
    **dict.fromkeys(_PRESSURES, ("pressure", 0)),
}


class Name(NamedTuple):
    """What a name means.

    Attributes
    ----------
    key : str
        `TIME`, one of `AXES`, "angular_velocity" or "linear_acceleration" for three axes at once,
        `RATE` or "pressure"; empty where we do not know.
    rank : int
        Lower is likelier meant.
    unit : str
        As the name states it; empty where it does not. For stamps ns, us, ms or s.
    """

    key: str
    rank: int
    unit: str


def understood(text: str) -> Name:
    """Return what the name of a column or an array means.

    Only its last words count: `field.angular_velocity.x` and `/imu/angular_velocity/x` are the
    rate about x.
    """
    found = _UNIT.search(text)
    unit = (found["square"] or found["round"] or "").strip() if found else ""
    words = re.findall(r"[^\W_]+", text[: found.start()].lower() if found else text.lower())
    timed = _meaning(words[:-1]) if words and words[-1] in _STAMP_UNITS else None
    if timed and timed[0] == TIME:
        return Name(TIME, timed[1], _STAMP_UNITS[words[-1]])
    key, rank = _meaning(words) or ("", 0)
    return Name(key, rank, _STAMP_UNITS.get(unit.lower(), "") if key == TIME else unit)


def _meaning(words: list[str]) -> tuple[str, int] | None:
    """Return key and rank of a name; of two equal ends, one that is the whole name is likelier."""
    for start in range(max(0, len(words) - 4), len(words)):
        tail = "".join(words[start:])
        if tail in _KNOWN:
            key, rank = _KNOWN[tail]
            return key, 2 * rank + (start > 0)
    return None
