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

"""Truth messages as they came, one after the other, as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..motion.rotations import ZERO, rotate
from ..recordings.record import ImuRecord
from ..samples import Array, Quaternion, Truth, Vector
from .trajectory import Trajectory

ODOMETRY, POSE, IMU = "odometry", "pose", "imu"
"""Kinds of truth: pose and twist, pose alone, and the readings of a perfect IMU."""

COLUMNS = {ODOMETRY: 13, POSE: 7, IMU: 10}
"""How many numbers a message of each kind has."""

_BLOCK = 4096
"""So many rows at a time become objects."""


@dataclass(frozen=True, eq=False)
class TruthStream:
    """Truth messages in the order in which they came.

    Attributes
    ----------
    source : str
        What sentences about it begin with: the file, and in a bag the topic.
    kind : str
        ODOMETRY, POSE or IMU.
    stamps : ndarray of int64, shape (T,)
        As the messages have them [ns].
    times : ndarray of int64, shape (T,)
        When they were recorded [ns].
    values : ndarray, shape (T, COLUMNS[kind])
        Position xyz [m], orientation xyzw, velocity xyz [m/s] and rate xyz [rad/s], as odometry
        has them; of a pose only the first seven. Of an IMU orientation xyzw, NaN where there is
        none, rate xyz [rad/s] and specific force xyz [m/s^2].
    """

    source: str
    kind: str
    stamps: NDArray[np.int64]
    times: NDArray[np.int64]
    values: Array

    def __len__(self) -> int:
        """Return how many messages there are."""
        return len(self.stamps)

    def truths(self) -> Iterator[Truth]:
        """Yield what the node would make of each message."""
        make = _MAKERS[self.kind]
        for start in range(0, len(self.stamps), _BLOCK):
            part = slice(start, start + _BLOCK)
            rows = self.values[part].tolist()
            for stamp, row in zip(self.stamps[part].tolist(), rows, strict=True):
                yield make(stamp, row)


def stream_of(truth: Trajectory | ImuRecord | TruthStream) -> TruthStream:
    """Return a trajectory as odometry (twist in body axes) or poses, a record as Imu messages."""
    if isinstance(truth, TruthStream):
        return truth
    stamps = np.asarray(truth.stamps, dtype=np.int64)
    if isinstance(truth, ImuRecord):
        unknown = np.full((len(stamps), 4), np.nan)
        values = np.column_stack([unknown, np.asarray(truth.values).T])
        return TruthStream(truth.source, IMU, stamps, stamps, values)
    poses = [truth.position, truth.orientation]
    if truth.velocity is None or truth.angular_velocity is None:
        return TruthStream(truth.source, POSE, stamps, stamps, np.column_stack(poses))
    inverse = truth.orientation * (-1.0, -1.0, -1.0, 1.0)
    twist = [_turned(inverse, truth.velocity), truth.angular_velocity]
    return TruthStream(truth.source, ODOMETRY, stamps, stamps, np.column_stack([*poses, *twist]))


def _turned(orientation: Array, vectors: Array) -> Array:
    """Return each vector turned by its quaternion, which need not be quite of unit length."""
    lengths = np.linalg.norm(orientation, axis=1)
    # What is no orientation is refused later, with its reason.
    unit: Any = orientation.T / np.where(lengths > 0.0, lengths, 1.0)
    columns: Any = vectors.T
    # It is written out in products and sums, which arrays have as well as numbers.
    return np.column_stack(rotate(tuple(unit), tuple(columns)))


def _odometry(stamp: int, row: list[float]) -> Truth:
    px, py, pz, qx, qy, qz, qw, vx, vy, vz, wx, wy, wz = row
    return Truth(stamp, (px, py, pz), (qx, qy, qz, qw), (vx, vy, vz), (wx, wy, wz))


def _pose(stamp: int, row: list[float]) -> Truth:
    px, py, pz, qx, qy, qz, qw = row
    return Truth(stamp, (px, py, pz), (qx, qy, qz, qw), ZERO, ZERO)


def _imu(stamp: int, row: list[float]) -> Truth:
    qx, qy, qz, qw, wx, wy, wz, fx, fy, fz = row
    # Only NaN is not equal to itself.
    orientation: Quaternion | None = (qx, qy, qz, qw) if qx == qx else None
    rate: Vector = (wx, wy, wz)
    return Truth(
        stamp, orientation=orientation, angular_velocity=rate, specific_force=(fx, fy, fz)
    )


_MAKERS = {ODOMETRY: _odometry, POSE: _pose, IMU: _imu}
