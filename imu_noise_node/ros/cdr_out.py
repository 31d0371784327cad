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

"""Messages written straight into their serialised form.

rclpy reads every field of a message object into a C structure and that into bytes, for each
publication anew. Of an Imu only the stamp and a few numbers change, and they stand at fixed places
once the frame's name is known (CDR as in `cdr`), so that they are written over in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Any

from geometry_msgs.msg import Vector3Stamped
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import Imu, MagneticField, Temperature

from .cdr import ORIGIN, PLAIN, aligned
from .conversions import NANOSECONDS

NUMBERS: dict[type, int] = {Imu: 37, MagneticField: 12, Temperature: 2, Vector3Stamped: 3}
"""By kind of message, how many doubles follow its header; there is nothing else in it."""

_STAMP = Struct("<iI")
_LENGTH = Struct("<I")
_DOUBLE = 8
_PACKERS = [Struct(f"<{count}d") for count in range(1 + max(NUMBERS.values()))]


class Bytes:
    """One message of a kind in `NUMBERS`, written over and over; numbers are zero at first.

    Parameters
    ----------
    kind : type
        Of the message.
    frame : str
        Its frame_id.
    """

    def __init__(self, kind: type, frame: str) -> None:
        name = frame.encode() + b"\0"
        text = _STAMP.size + _LENGTH.size
        first = ORIGIN + aligned(text + len(name), _DOUBLE)
        self._kind = kind
        self._first = first
        self._buffer = bytearray(first + _DOUBLE * NUMBERS[kind])
        self._buffer[:ORIGIN] = PLAIN
        _LENGTH.pack_into(self._buffer, ORIGIN + _STAMP.size, len(name))
        self._buffer[ORIGIN + text : ORIGIN + text + len(name)] = name
        # A middleware may write otherwise; it still reads this.
        self._is_spoken = bytes(serialize_message(kind())[:ORIGIN]) == PLAIN

    def set_stamp(self, stamp: int) -> None:
        """Write the header's stamp [ns]."""
        _STAMP.pack_into(self._buffer, ORIGIN, *divmod(stamp, NANOSECONDS))

    def set(self, place: int, values: Sequence[float]) -> None:
        """Write numbers, the first of which is number `place` of the message."""
        start = self._first + _DOUBLE * place
        _PACKERS[len(values)].pack_into(self._buffer, start, *values)

    def message(self) -> Any:
        """Return what a publisher takes: the bytes, or a message where those will not do."""
        raw = bytes(self._buffer)
        return raw if self._is_spoken else deserialize_message(raw, self._kind)
