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

"""Imu and Odometry messages as bytes, many at once.

The layout is plain little-endian CDR (DDS Interoperability Protocol, section 10: each number
aligned to its size counted from behind the four-byte header). With one frame_id all messages are
equally long, so they are the rows of one array.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..motion.intervals import NANOSECONDS
from ..samples import Array

IMU_TYPE, ODOMETRY_TYPE = "sensor_msgs/msg/Imu", "nav_msgs/msg/Odometry"

_PLAIN = (0, 1, 0, 0)
_BLOCK = 4096
"""So many messages at a time are in memory as bytes."""


def imu_messages(
    stamps: NDArray[np.int64],
    values: Array,
    covariance: Array,
    frame: str,
    orientation: Array | None = None,
    orientation_covariance: Array | None = None,
) -> Iterator[bytes]:
    """Yield sensor_msgs/Imu messages.

    Parameters
    ----------
    stamps : ndarray of int64, shape (T,)
        [ns]
    values : ndarray, shape (T, 6)
        Rate [rad/s] and specific force [m/s^2].
    covariance : ndarray, shape (T, 6, 6)
    frame : str
        The frame_id.
    orientation : ndarray, shape (T, 4), optional
        x, y, z, w; a row of NaN, and leaving it out, say that there is none (REP-145).
    orientation_covariance : ndarray, shape (3, 3), optional
        [rad^2]
    """
    for start in range(0, len(stamps), _BLOCK):
        part = slice(start, start + _BLOCK)
        rows = _rows(stamps[part], _texts(frame), 37)
        numbers = rows["numbers"]
        numbers[:, 0:13] = _unoriented()
        if orientation is not None and orientation_covariance is not None:
            known = ~np.isnan(orientation[part, 0])
            numbers[known, 0:4] = orientation[part][known]
            numbers[known, 4:13] = orientation_covariance.ravel()
        numbers[:, 13:16] = values[part, 0:3]
        numbers[:, 16:25] = covariance[part, 0:3, 0:3].reshape(-1, 9)
        numbers[:, 25:28] = values[part, 3:6]
        numbers[:, 28:37] = covariance[part, 3:6, 3:6].reshape(-1, 9)
        yield from _cut(rows)


def odometry_messages(
    stamps: NDArray[np.int64], values: Array, frame: str, child_frame: str
) -> Iterator[bytes]:
    """Yield nav_msgs/Odometry messages, without covariances.

    Parameters
    ----------
    stamps : ndarray of int64, shape (T,)
        [ns]
    values : ndarray, shape (T, 13)
        Position [m], orientation x, y, z, w, velocity [m/s] and rate [rad/s] in child axes.
    frame, child_frame : str
        The frame_id, and the child_frame_id.
    """
    for start in range(0, len(stamps), _BLOCK):
        part = slice(start, start + _BLOCK)
        rows = _rows(stamps[part], _texts(frame, child_frame), 85)
        rows["numbers"][:, 0:7] = values[part, 0:7]
        rows["numbers"][:, 43:49] = values[part, 7:13]
        yield from _cut(rows)


def _unoriented() -> Array:
    """Return the orientation and its covariance of a message that has none, as ROS makes it."""
    empty = np.zeros(13)
    empty[3] = 1.0
    empty[4] = -1.0
    return empty


def _texts(*texts: str) -> bytes:
    """Return texts as they stand behind a stamp, with what it takes up to the numbers."""
    found = b""
    for text in texts:
        content = text.encode() + b"\0"
        found += b"\0" * (-len(found) % 4) + len(content).to_bytes(4, "little") + content
    # Behind the eight bytes of the stamp.
    return found + b"\0" * (-len(found) % 8)


def _rows(stamps: NDArray[np.int64], texts: bytes, count: int) -> NDArray[np.void]:
    layout = np.dtype(
        [
            ("plain", "u1", 4),
            ("seconds", "<i4"),
            ("nanoseconds", "<u4"),
            ("texts", f"V{len(texts)}"),
            ("numbers", "<f8", count),
        ]
    )
    rows = np.zeros(len(stamps), layout)
    rows["plain"] = _PLAIN
    rows["seconds"], rows["nanoseconds"] = np.divmod(stamps, NANOSECONDS)
    rows["texts"] = np.void(texts)
    return rows


def _cut(rows: NDArray[np.void]) -> Iterator[bytes]:
    size, content = rows.dtype.itemsize, rows.tobytes()
    for place in range(0, len(content), size):
        yield content[place : place + size]
