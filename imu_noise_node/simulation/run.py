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

"""One truth through the whole path: what the node would have made of it, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..model.imu import ImuModel
from ..model.spec import ImuSpec
from ..motion.intervals import TimePolicy, Verdict
from ..motion.mount import Mount
from ..recordings.record import ImuRecord
from ..samples import Array, Measurement
from .scene import Scene
from .stream import TruthStream, stream_of
from .tape import Progress, Tape
from .trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class ImuRun:
    """What one sensor has measured of one truth.

    Attributes
    ----------
    tape : Tape
        What it was to measure.
    seed : int
    measurements : list of Measurement
        In blocks, T captures together.
    """

    tape: Tape
    seed: int
    measurements: list[Measurement]

    @property
    def stamps(self) -> NDArray[np.int64]:
        """Of the captures [ns], shape (T,)."""
        return self.tape.stamps

    @property
    def dt(self) -> Array:
        """Time since the capture before each [s], shape (T,)."""
        return self.tape.dt

    @property
    def truth(self) -> Array:
        """True mean rate [rad/s] and specific force [m/s^2], sensor axes, shape (T, 6)."""
        return self.tape.truth

    @property
    def orientation(self) -> Array:
        """True orientation, sensor to world, shape (T, 4); NaN where the truth has none."""
        return self.tape.orientation

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """What became of all truth messages."""
        return self.tape.counts

    @cached_property
    def values(self) -> Array:
        """What the sensor reads, rate [rad/s] and specific force [m/s^2], shape (T, 6)."""
        return _joined([m.values for m in self.measurements], (6,))

    @cached_property
    def bias(self) -> Array:
        """The slow errors in the readings, shape (T, 6); see `Measurement.bias`."""
        return _joined([m.bias.values for m in self.measurements], (6,))

    @cached_property
    def covariance(self) -> Array:
        """Of the readings, shape (T, 6, 6); a view of one matrix where it is always the same."""
        found = [m.covariance for m in self.measurements]
        if found and all(c.strides[0] == 0 and np.array_equal(c[0], found[0][0]) for c in found):
            return np.broadcast_to(found[0][0], (len(self.stamps), 6, 6))
        return _joined(found, (6, 6))


def simulate(
    truth: Trajectory | ImuRecord | TruthStream,
    spec: ImuSpec | None = None,
    seed: int = 0,
    *,
    rate: float = 0.0,
    gravity: float = 9.80665,
    mount: Mount | None = None,
    progress: Progress | None = None,
) -> ImuRun:
    """Return what an IMU with the errors of `spec` measures of `truth`.

    The samples are those of the node to the bit, with the parameters of the same names.

    Parameters
    ----------
    truth : Trajectory, ImuRecord or TruthStream
        Poses; the readings of a perfect IMU, gravity included; or messages, twists in body axes.
    spec : ImuSpec, optional
        A perfect sensor by default; a magnetometer in it is left out.
    seed : int, optional
        0 or more.
    rate : float, optional
        Highest rate of samples [Hz]; 0 takes every message. The truth is never resampled here.
    gravity : float, optional
        [m/s^2]
    mount : Mount, optional
        Where the sensor sits on the body; at its origin by default.
    progress : callable, optional
        Takes how many messages are through, and how many there are.

    Raises
    ------
    ParameterError
        An argument that is not allowed.
    """
    where = Mount() if mount is None else mount
    scene = Scene(gravity=gravity, policy=TimePolicy(rate=rate), mount=where)
    return measure(scene.record(stream_of(truth), progress), spec, seed)


def measure(
    tape: Tape, spec: ImuSpec | None = None, seed: int = 0, covariance: str = "sample"
) -> ImuRun:
    """Return what an IMU measures of the motion on `tape`; see `simulate`."""
    # As in the node, which has a magnetometer only where there is a field.
    bare = None if spec is None else replace(spec, magnetometer=None)
    model = ImuModel(bare, seed, covariance=covariance)
    return ImuRun(tape, model.seed, tape.play(model))


def _joined(blocks: list[Array], shape: tuple[int, ...]) -> Array:
    if len(blocks) == 1:
        return blocks[0]
    return np.concatenate([np.empty((0, *shape)), *blocks])
