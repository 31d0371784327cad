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

"""Which truth `drift` is to reckon along, and how it is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..bags.files import bag_suffix
from ..errors import InputError
from ..motion.intervals import TimePolicy
from ..schema import Parameter, check
from ..simulation.still import still
from ..simulation.stream import TruthStream, stream_of
from ..simulation.trajectory_files import read_trajectory
from ._progress import bar

_CAPTURES = 20_000_000
"""More than an hour at 4 kHz; the motion of so many fits in memory."""

_DURATION = Parameter("", "s", lower=0.1, upper=1e6)
_RATE = Parameter("", "Hz", lower=4.0, upper=1e5)
"""Of a body at rest; slower, the time between two poses would be a gap."""


@dataclass(frozen=True)
class Asked:
    """A truth.

    Attributes
    ----------
    path : Path or None
        The bag or trajectory; None of a body at rest.
    topic : str or None
        Of the truth in the bag.
    duration, rate : float
        Of a body at rest [s], [Hz].
    """

    path: Path | None
    topic: str | None
    duration: float
    rate: float

    @classmethod
    def read(
        cls, path: Path | None, duration: str | None, topic: str | None, rate: str | None
    ) -> Asked:
        """Return what the arguments say.

        Raises
        ------
        ImuNoiseError
            One is not allowed.
        """
        if path is not None:
            return cls(path.expanduser(), topic and f"/{topic.lstrip('/')}", 0.0, 0.0)
        if topic is not None:
            raise InputError("--topic", topic, "must be left out with --still")
        seconds = check("--still", duration, _DURATION)
        per_second = check("--rate", "100" if rate is None else rate, _RATE)
        if seconds * per_second > _CAPTURES:
            told = f"must be {_CAPTURES / per_second:g} or less at {per_second:g} Hz"
            raise InputError("--still", duration, told)
        if seconds * per_second < 2.0:
            raise InputError("--still", duration, "must be two intervals or more")
        return cls(None, None, float(seconds), float(per_second))


def read_stream(asked: Asked, policy: TimePolicy) -> tuple[TruthStream, tuple[str, ...]]:
    """Return the truth, and what was done to it.

    Raises
    ------
    ImuNoiseError
        It cannot be read, or has no truth.
    """
    if asked.path is None:
        return stream_of(still(asked.duration, asked.rate)), ()
    if asked.path.is_dir() or bag_suffix(asked.path):
        return _from_bag(asked.path, asked.topic), ()
    if asked.topic is not None:
        raise InputError("--topic", asked.topic, "must be left out with a trajectory in text")
    from ..simulation.resampling import resampled

    found = resampled(read_trajectory(asked.path), policy)
    return stream_of(found.trajectory), found.sentences


def _from_bag(path: Path, topic: str | None) -> TruthStream:
    from ..bags.reading import open_bag
    from ..bags.truth import read_truth

    with open_bag(path) as bag, bar("truth") as progress:
        return read_truth(bag, topic, progress=progress)
