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

"""Numbers read straight from serialised messages, many messages at a time.

A deserialiser that makes objects takes many times as long as reading the bag. In messages of a
header and nothing but numbers, these stand at fixed places behind the header's frame_id, in CDR
(DDS Interoperability Protocol, section 10: each number is aligned to its size, counted from behind
the first four bytes) as in the serialisation of ROS 1 (nothing is aligned; `seq` is in front).
Messages with frame_ids of one length are therefore rows of one array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..samples import Array
from .reading import Bag, Topic, explained

BLOCK = 16384
"""Messages."""

NANOSECONDS = 1_000_000_000

_LITTLE_ENDIAN = b"\x00\x01"
# Behind four bytes, in both: seconds, nanoseconds, length of the frame_id, and the frame_id.
_SECONDS, _LENGTH, _FRAME_ID = 4, 12, 16

Block = tuple[NDArray[np.int64], Array]
"""Stamps [ns], shape (n,), and values, shape (n, k)."""


@dataclass(frozen=True)
class Layout:
    """Where the numbers of a message type are.

    Attributes
    ----------
    message_type : str
        As in "sensor_msgs/msg/Imu".
    doubles : tuple of (int, int)
        Offsets [bytes] from the first double behind the header, and how many are wanted there.
    fields : callable
        Returns the same numbers of a message object.
    """

    message_type: str
    doubles: tuple[tuple[int, int], ...]
    fields: Callable[[Any], tuple[float, ...]]


def _imu_fields(message: Any) -> tuple[float, ...]:
    w, f = message.angular_velocity, message.linear_acceleration
    return (w.x, w.y, w.z, f.x, f.y, f.z)


# Four doubles of orientation and nine of its covariance, three of rate and nine, specific force.
IMU = Layout("sensor_msgs/msg/Imu", ((8 * 13, 3), (8 * 25, 3)), _imu_fields)
PRESSURE = Layout(
    "sensor_msgs/msg/FluidPressure", ((0, 1),), lambda message: (message.fluid_pressure,)
)


def blocks(bag: Bag, topic: Topic, layout: Layout) -> Iterator[Block]:
    """Yield stamps of the headers [ns], shape (n,), and numbers, shape (n, k), until all are read.

    Raises
    ------
    InputError
        The bag is damaged, or a message is.
    """
    messages = (raw for _, raw in bag.raw(topic))
    while some := list(islice(messages, BLOCK)):
        for kind, alike in groupby(some, partial(_kind, bag.is_ros1)):
            if bag.is_ros1 or kind[0] == _LITTLE_ENDIAN:
                yield _table(list(alike), layout, bag, topic)
            else:
                yield _one_by_one(list(alike), layout, bag, topic)


def _kind(is_ros1: bool, raw: bytes) -> tuple[bytes, int, bytes]:
    """Return what messages have in common that can be read together."""
    return b"" if is_ros1 else raw[:2], len(raw), raw[_LENGTH:_FRAME_ID]


def _table(alike: Sequence[bytes], layout: Layout, bag: Bag, topic: Topic) -> Block:
    end = _FRAME_ID + int.from_bytes(alike[0][_LENGTH:_FRAME_ID], "little")
    start = end if bag.is_ros1 else 4 + ((end - 4 + 7) & -8)
    last = max(offset + 8 * count for offset, count in layout.doubles)
    if len(alike[0]) < start + last:
        problem = f"has a message on {topic.name} that is too short for its type"
        raise InputError("bag", str(bag.path), problem)
    names = [f"{offset}" for offset, _ in layout.doubles]
    row = np.dtype(
        {
            "names": ["stamp", *names],
            "formats": ["(2,)<u4", *(f"({count},)<f8" for _, count in layout.doubles)],
            "offsets": [_SECONDS, *(start + offset for offset, _ in layout.doubles)],
            "itemsize": len(alike[0]),
        }
    )
    table = np.frombuffer(b"".join(alike), row)
    seconds, nanoseconds = table["stamp"].astype(np.int64).T
    return seconds * NANOSECONDS + nanoseconds, np.hstack([table[name] for name in names])


def _one_by_one(alike: Sequence[bytes], layout: Layout, bag: Bag, topic: Topic) -> Block:
    messages = [bag.deserialize(raw, topic) for raw in alike]
    with explained(bag.path):
        times = [message.header.stamp for message in messages]
        stamps = [time.sec * NANOSECONDS + time.nanosec for time in times]
        return np.array(stamps, dtype=np.int64), np.array([layout.fields(m) for m in messages])
