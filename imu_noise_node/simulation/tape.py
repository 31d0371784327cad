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

"""What a truth comes to before the errors: recorded once, played through any number of sensors.

The pipeline is fed with the truth as in the node, with a sensor in it that only writes down what
it is told. Played, a real one is told the same: the captures between two breaks as one block,
which `ImuModel.run` measures to the bit as one by one. So a truth costs its kinematics once,
however many seeds or profiles follow.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.imu import ImuModel
from ..model.stage import Stateless
from ..motion.intervals import TimePolicy, Verdict
from ..pipeline import Kinematics, Pipeline
from ..samples import Array, Measurement, Truth, Vector

Progress = Callable[[int, int], None]
"""Takes how much is done, and how much there is to do."""

UNKNOWN = (float("nan"),) * 4
"""Stands for the orientation that a truth does not have."""

_OFTEN = 4096
"""So many truth messages pass between two calls of the progress."""


class Break(NamedTuple):
    """Where a sensor is told something else than to measure.

    Attributes
    ----------
    before : int
        Index of the capture that comes next.
    skipped : float or None
        For how long nothing is measured [s]; None where the run begins again.
    """

    before: int
    skipped: float | None


@dataclass(frozen=True, eq=False)
class Tape:
    """The captures of a truth, and what became of all its messages.

    Attributes
    ----------
    messages : ndarray of int64, shape (T,)
        Index of the truth message that each capture comes from.
    stamps : ndarray of int64, shape (T,)
        Of the captures [ns].
    dt : ndarray, shape (T,)
        Time since the capture before each [s].
    truth : ndarray, shape (T, 6)
        True mean over the interval: rate [rad/s] and specific force [m/s^2], sensor axes.
    orientation : ndarray, shape (T, 4)
        Sensor to world at the interval's end, x, y, z, w; NaN where the truth has none.
    breaks : tuple of Break
    counts : dict of Verdict to int
        Every message is in exactly one.
    warnings : tuple of str
        What the node would have warned of.
    """

    messages: NDArray[np.int64]
    stamps: NDArray[np.int64]
    dt: Array
    truth: Array
    orientation: Array
    breaks: tuple[Break, ...]
    counts: Mapping[Verdict, int]
    warnings: tuple[str, ...]

    def play(self, model: ImuModel) -> list[Measurement]:
        """Return what `model`, at the start of its run, measures: a block between any two breaks.

        The blocks hold T captures together; there are none of no captures.
        """
        found: list[Measurement] = []
        start = 0
        for stop, skipped in (*self.breaks, Break(len(self.stamps), None)):
            if stop > start:
                rate, force = self.truth[start:stop, 0:3], self.truth[start:stop, 3:6]
                found.append(model.run(self.dt[start:stop], rate, force))
            if skipped is not None:
                model.skip(skipped)
            elif stop < len(self.stamps):
                model.reset()
            start = stop
        return found


def record(
    truths: Iterable[Truth],
    total: int,
    policy: TimePolicy,
    kinematics: Callable[[Callable[[str], None]], Kinematics],
    progress: Progress | None = None,
) -> Tape:
    """Return what the pipeline makes of `truths`.

    Parameters
    ----------
    truths : iterable of Truth
    total : int
        How many there are.
    policy : TimePolicy
    kinematics : callable
        Takes what takes a warning; returns the kinematics of this kind of truth.
    progress : callable, optional
    """
    warnings: list[str] = []
    sensor = _Recorder()
    pipeline = Pipeline(policy, kinematics(warnings.append), sensor, warnings.append)
    # A tenth of what lists would take.
    messages, stamps, dt, orientation = array("q"), array("q"), array("d"), array("d")
    for index, truth in enumerate(truths):
        sample = pipeline.feed(truth)
        if sample is not None:
            messages.append(index)
            stamps.append(sample.stamp)
            dt.append(sample.dt)
            orientation.extend(sample.orientation or UNKNOWN)
        if progress is not None and index % _OFTEN == 0:
            progress(index, total)
    return Tape(
        np.array(messages),
        np.array(stamps),
        np.array(dt),
        np.array(sensor.told).reshape(-1, 6),
        np.array(orientation).reshape(-1, 4),
        tuple(sensor.breaks),
        dict(pipeline.counts),
        tuple(warnings),
    )


class _Recorder(Stateless):
    """Stands in for the model: measures nothing, and remembers what it was to measure.

    Attributes
    ----------
    told : array of float
        Rate and specific force of each capture, one after the other.
    breaks : list of Break
    """

    def __init__(self) -> None:
        self.told = array("d")
        self.breaks: list[Break] = []
        self._nothing = ImuModel().step(1.0, 0.0, 0.0)

    def step(
        self,
        dt: float,
        angular_velocity: Vector,
        specific_force: Vector,
        temperature: float | None = None,
        magnetic_field: Vector | None = None,
    ) -> Measurement:
        """Remember the truth of one capture: means over `dt` [s], in [rad/s] and [m/s^2]."""
        self.told.extend((*angular_velocity, *specific_force))
        return self._nothing

    def skip(self, dt: float) -> None:
        """Remember that `dt` [s] passed without a capture."""
        self.breaks.append(Break(len(self.told) // 6, dt))

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Remember that the run begins again."""
        self.breaks.append(Break(len(self.told) // 6, None))
