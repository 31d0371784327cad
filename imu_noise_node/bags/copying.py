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

"""A bag copied message by message, with new ones in between.

Messages keep their bytes, times, types and offered QoS. Of a ROS 1 bag the copy is in the
serialisation of ROS 2: types that ROS 2 Jazzy has become those, and others keep their own fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import MissingPackageError
from .reading import Bag
from .twins import copier

try:
    from rosbags.interfaces import Connection
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore
except ImportError:
    raise MissingPackageError("rosbags", "a bag", "pip install rosbags") from None

Progress = Callable[[int, int], None]

_OFTEN = 1024
"""So many messages pass between two calls of the progress."""


@dataclass(frozen=True)
class Added:
    """Messages of one topic that go into a bag.

    Attributes
    ----------
    topic : str
    message_type : str
        As in "sensor_msgs/msg/Imu".
    times : sequence of int
        When each is to come [ns], rising.
    messages : iterator of bytes
        As many, in CDR.
    """

    topic: str
    message_type: str
    times: Sequence[int]
    messages: Iterator[bytes]


def write_new(folder: Path, added: Sequence[Added]) -> None:
    """Write a new rosbag2 (mcap) in `folder` with these topics; one that is empty stays out."""
    with _writer(folder) as bag:
        _Inserted(bag, added).rest()


def copy_with(
    bag: Bag, folder: Path, added: Sequence[Added], progress: Progress | None = None
) -> None:
    """Write a copy of `bag` as a new rosbag2 (mcap) in `folder`, with `added` in between.

    A message that comes at the same time as one of the bag comes after it.

    Raises
    ------
    InputError
        The bag is damaged.
    """
    total = sum(topic.count for topic in bag.topics)
    with _writer(folder) as copy:
        write = copier(bag, copy)
        inserted = _Inserted(copy, added)
        for index, (connection, time, data) in enumerate(bag.everything()):
            inserted.before(time)
            write(connection, time, data)
            if progress is not None and index % _OFTEN == 0:
                progress(index, total)
        inserted.rest()


def _writer(folder: Path) -> Writer:
    # Version 8 of the metadata is the older of those that rosbags writes: more releases read it.
    return Writer(folder, version=8, storage_plugin=StoragePlugin.MCAP)


class _Inserted:
    """Puts the new messages between the others, each in its time."""

    def __init__(self, bag: Writer, added: Sequence[Added]) -> None:
        types = get_typestore(Stores.ROS2_JAZZY)
        self._bag = bag
        self._waiting = [
            _Channel(bag.add_connection(a.topic, a.message_type, typestore=types), a)
            for a in added
        ]

    def before(self, time: int) -> None:
        """Write what comes before `time` [ns]."""
        for channel in self._waiting:
            while channel.next is not None and channel.next < time:
                self._bag.write(channel.connection, channel.next, channel.take())

    def rest(self) -> None:
        """Write all that is left, in the order of time."""
        while waiting := [c for c in self._waiting if c.next is not None]:
            first = min(waiting, key=lambda channel: channel.next or 0)
            self._bag.write(first.connection, first.next or 0, first.take())


class _Channel:
    """The messages of one new topic that are not yet written."""

    def __init__(self, connection: Connection, added: Added) -> None:
        self.connection = connection
        self._times = iter(added.times)
        self._messages = added.messages
        self.next: int | None = next(self._times, None)

    def take(self) -> bytes:
        """Return the next message, and go on to the one after it."""
        self.next = next(self._times, None)
        return next(self._messages)
