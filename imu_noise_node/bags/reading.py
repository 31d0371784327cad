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

"""Bags of ROS 1 and ROS 2, opened for reading."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ImuNoiseError, InputError, MissingPackageError
from .files import openable

try:
    from rosbags.highlevel import AnyReader
    from rosbags.typesys import Stores, get_typestore
except ImportError:
    raise MissingPackageError("rosbags", "a bag", "pip install rosbags") from None

_LISTED = 30
"""Topics that a sentence lists at most."""


@dataclass(frozen=True)
class Topic:
    """A topic of a bag.

    Attributes
    ----------
    name : str
        Full name.
    message_type : str
        As in "sensor_msgs/msg/Imu", also in bags of ROS 1.
    count : int
        How many messages the bag has.
    """

    name: str
    message_type: str
    count: int

    def __str__(self) -> str:
        """Say all of it, for lists in messages."""
        return f"{self.name} ({self.message_type}, {self.count})"


class Bag:
    """An open bag; `open_bag` makes them.

    Attributes
    ----------
    path : Path
        As it was asked for.
    reader : AnyReader
        What reads it.
    topics : list of Topic
        By name; a topic with two types stands twice.
    """

    def __init__(self, path: Path, reader: AnyReader) -> None:
        self.path = path
        self.reader = reader
        counts: dict[tuple[str, str], int] = {}
        for connection in reader.connections:
            key = (connection.topic, connection.msgtype)
            counts[key] = counts.get(key, 0) + connection.msgcount
        self.topics = [Topic(*key, counts[key]) for key in sorted(counts)]

    @property
    def is_ros1(self) -> bool:
        """Whether messages are serialised as in ROS 1, and not as CDR."""
        return not self.reader.is2

    def choose(self, message_type: str, name: str | None = None) -> Topic:
        """Return the topic of this type that has messages, or the one of this name.

        Raises
        ------
        InputError
            No such topic, one of another type, several and no name, or no messages. The message
            lists what there is.
        """
        if name is not None:
            return self._named(message_type, name)
        fitting = [topic for topic in self.topics if topic.message_type == message_type]
        filled = [topic for topic in fitting if topic.count]
        if not fitting:
            raise self._refusal(f"has no topic of type {message_type}; {self._contents()}")
        if not filled:
            raise self._refusal(f"has no messages on {_listed(fitting)}")
        if len(filled) > 1:
            raise self._refusal(f"has several topics; choose one of {_listed(filled)}")
        return filled[0]

    def _named(self, message_type: str, name: str) -> Topic:
        full = f"/{name.lstrip('/')}"
        same = [topic for topic in self.topics if f"/{topic.name.lstrip('/')}" == full]
        found = [topic for topic in same if topic.message_type == message_type]
        alike = [topic for topic in self.topics if topic.message_type == message_type]
        if not same:
            rest = f"it has: {_listed(alike)}" if alike else self._contents()
            raise InputError("topic", name, f"is not in {self.path}; {rest}")
        if not found:
            kind = same[0].message_type
            rest = f"; of that type it has: {_listed(alike)}" if alike else ""
            raise InputError(
                "topic", name, f"is of type {kind} in {self.path}, not {message_type}{rest}"
            )
        if not found[0].count:
            raise InputError("topic", name, f"has no messages in {self.path}")
        return found[0]

    def raw(self, topic: Topic) -> Iterator[tuple[int, bytes]]:
        """Yield time of recording [ns] and bytes of each message of a topic, by that time."""
        connections = [
            connection
            for connection in self.reader.connections
            if (connection.topic, connection.msgtype) == (topic.name, topic.message_type)
        ]
        with explained(self.path):
            for _, time, data in self.reader.messages(connections):
                yield time, data

    def messages(self, topic: Topic) -> Iterator[tuple[int, Any]]:
        """Yield time of recording [ns] and message of a topic, by that time."""
        for time, data in self.raw(topic):
            yield time, self.deserialize(data, topic)

    def everything(self) -> Iterator[tuple[Any, int, bytes]]:
        """Yield connection, time of recording [ns] and bytes of all messages, by that time."""
        with explained(self.path):
            yield from self.reader.messages()

    def deserialize(self, data: bytes, topic: Topic) -> Any:
        """Return the message that `data` of a topic hold."""
        with explained(self.path):
            return self.reader.deserialize(data, topic.message_type)

    def _contents(self) -> str:
        return f"it has: {_listed(self.topics)}" if self.topics else "it has no topics at all"

    def _refusal(self, problem: str) -> InputError:
        return InputError("bag", str(self.path), problem)


@contextmanager
def open_bag(path: Path) -> Iterator[Bag]:
    """Open a bag: a folder of rosbag2, a single .mcap or .db3 file, or a .bag of ROS 1.

    A file may be gzipped; it is then unpacked into a temporary one.

    Raises
    ------
    InputError
        There is no such bag, it is no bag, it is damaged or truncated, or it has no messages.
    """
    with tempfile.TemporaryDirectory(prefix="imu_noise_") as scratch:
        file = openable(path, Path(scratch))
        with explained(path):
            reader = AnyReader([file], default_typestore=get_typestore(Stores.ROS2_JAZZY))
            reader.open()
        try:
            bag = Bag(path, reader)
            if not any(topic.count for topic in bag.topics):
                raise InputError("bag", str(path), "has no messages")
            yield bag
        finally:
            reader.close()


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn whatever a damaged bag makes of its reader into one sentence.

    Those who take fields of its messages are readers, too: a bag says itself what its types are,
    and may say it otherwise than ROS does.
    """
    try:
        yield
    # Among what rosbags raises on damaged files are IndexError, TypeError and AssertionError.
    except Exception as error:
        if isinstance(error, ImuNoiseError):
            raise
        reason = getattr(error, "strerror", None) or re.sub(r"\s+", " ", str(error)).strip(". ")
        told = f"cannot be read as a bag, or is damaged: {reason or type(error).__name__}"
        raise InputError("bag", str(path), told) from None


def _listed(topics: Iterable[Topic]) -> str:
    some = [str(topic) for topic in topics]
    rest = [f"and {len(some) - _LISTED} more"] if len(some) > _LISTED else []
    return ", ".join(some[:_LISTED] + rest)
