"""Numbers read straight from serialised messages.

A deserialiser that makes objects takes many times as long as reading the bag. In messages of a
header and nothing but numbers, these stand at fixed places behind the header's frame_id, in CDR
(DDS Interoperability Protocol, section 10: each number is aligned to its size, counted from behind
the first four bytes) as in the serialisation of ROS 1 (nothing is aligned; `seq` is in front).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from struct import Struct
from struct import error as StructError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..samples import Array
from .reading import Bag, Topic

BLOCK = 16384
"""Rows."""

NANOSECONDS = 1_000_000_000

_LITTLE_ENDIAN = b"\x00\x01"
# Behind the four bytes of CDR or of `seq`, the same in both.
_STAMP_AND_LENGTH = Struct("<iII")
_FRAME_ID = 4 + _STAMP_AND_LENGTH.size


@dataclass(frozen=True)
class Layout:
    """Where the numbers of a message type are.

    Attributes
    ----------
    message_type : str
        As in "sensor_msgs/msg/Imu".
    numbers : Struct
        What follows the header; a double comes first.
    fields : callable
        Returns the same numbers of a message object.
    """

    message_type: str
    numbers: Struct
    fields: Callable[[Any], tuple[float, ...]]


def _imu_fields(message: Any) -> tuple[float, ...]:
    w, f = message.angular_velocity, message.linear_acceleration
    return (w.x, w.y, w.z, f.x, f.y, f.z)


# Orientation and nine covariances, rate, nine covariances, specific force.
IMU = Layout("sensor_msgs/msg/Imu", Struct("<104x3d72x3d"), _imu_fields)
PRESSURE = Layout(
    "sensor_msgs/msg/FluidPressure", Struct("<d"), lambda message: (message.fluid_pressure,)
)


def blocks(bag: Bag, topic: Topic, layout: Layout) -> Iterator[tuple[NDArray[np.int64], Array]]:
    """Yield stamps of the headers [ns], shape (n,), and numbers, shape (n, k), until all are read.

    Raises
    ------
    InputError
        The bag is damaged, or a message is.
    """
    rows = _rows(bag, topic, layout)
    while some := list(islice(rows, BLOCK)):
        stamps = np.array([stamp for stamp, _ in some], dtype=np.int64)
        yield stamps, np.array([numbers for _, numbers in some], dtype=np.float64)


def _rows(bag: Bag, topic: Topic, layout: Layout) -> Iterator[tuple[int, tuple[float, ...]]]:
    number = 0
    try:
        for number, (_, raw) in enumerate(bag.raw(topic), start=1):
            if bag.is_ros1 or raw[:2] == _LITTLE_ENDIAN:
                yield _plain_row(raw, layout, bag.is_ros1)
            else:
                message = bag.deserialize(raw, topic)
                stamp = message.header.stamp
                yield stamp.sec * NANOSECONDS + stamp.nanosec, layout.fields(message)
    except StructError:
        problem = f"message {number} of {topic.name} is too short"
        raise InputError("bag", str(bag.path), problem) from None


def _plain_row(raw: bytes, layout: Layout, is_ros1: bool) -> tuple[int, tuple[float, ...]]:
    seconds, nanoseconds, length = _STAMP_AND_LENGTH.unpack_from(raw, 4)
    end = _FRAME_ID + length
    start = end if is_ros1 else 4 + ((end - 4 + 7) & -8)
    return seconds * NANOSECONDS + nanoseconds, layout.numbers.unpack_from(raw, start)
