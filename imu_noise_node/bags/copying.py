"""A bag copied message by message, with new ones in between.

Messages keep their bytes, times, types and offered QoS. Of a ROS 1 bag the copy is in the
serialisation of ROS 2: types that ROS 2 Jazzy has become those, and others keep their own fields.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import MissingPackageError
from .reading import Bag

try:
    from rosbags.convert.converter import create_connections_converters
    from rosbags.interfaces import (
        Connection,
        ConnectionExtRosbag2,
        MessageDefinition,
        MessageDefinitionFormat,
    )
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.rosbag2.metadata import dump_qos_v8
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
        write = _copier(bag, copy)
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


def _copier(bag: Bag, copy: Writer) -> Callable[[Connection, int, bytes], None]:
    """Return what writes a message of `bag` into `copy`."""
    if bag.is_ros1:
        return _converter(bag, copy)
    places = {(c.id, c.owner): _twin(c, bag, copy) for c in bag.reader.connections}

    def write(connection: Connection, time: int, data: bytes) -> None:
        copy.write(places[connection.id, connection.owner], time, data)

    return write


def _converter(bag: Bag, copy: Writer) -> Callable[[Connection, int, bytes], None]:
    types = get_typestore(Stores.ROS2_JAZZY)
    with contextlib.redirect_stdout(io.StringIO()):
        # It prints what it does with each type.
        places, changes = create_connections_converters(
            bag.reader.connections, types, bag.reader, copy
        )

    def write(connection: Connection, time: int, data: bytes) -> None:
        changed = changes[connection.msgtype](data)
        copy.write(places[connection.id, connection.owner], time, changed)

    return write


def _twin(connection: Connection, bag: Bag, copy: Writer) -> Connection:
    """Return the connection of the copy that is like one of the bag."""
    offered: Any = connection.ext
    facts = {
        "serialization_format": offered.serialization_format,
        "offered_qos_profiles": offered.offered_qos_profiles,
    }
    for known in copy.connections:
        if (known.topic, known.msgtype, known.ext) == (
            connection.topic,
            connection.msgtype,
            ConnectionExtRosbag2(**facts),
        ):
            return known
    types = get_typestore(Stores.ROS2_JAZZY)
    if connection.msgdef.format is not MessageDefinitionFormat.NONE:
        digest = connection.digest or bag.reader.typestore.hash_rihs01(connection.msgtype)
        definition = connection.msgdef.data
        return copy.add_connection(
            connection.topic, connection.msgtype, msgdef=definition, rihs01=digest, **facts
        )
    if connection.msgtype in types.fielddefs:
        return copy.add_connection(connection.topic, connection.msgtype, typestore=types, **facts)
    return _undefined(connection, copy)


def _undefined(connection: Connection, copy: Writer) -> Connection:
    """Add a connection whose type neither the bag nor we know, as bags of ROS 2 Humble have them.

    `add_connection` wants a definition; this is what it does with one, but with an empty one, as
    rosbag2 itself writes of a type that it does not find.
    """
    assert copy.storage is not None
    offered: Any = connection.ext
    twin = connection._replace(
        id=len(copy.connections) + 1,
        msgdef=MessageDefinition(MessageDefinitionFormat.MSG, ""),
        digest="",
        msgcount=0,
        owner=copy,
    )
    if twin.msgtype not in copy.added_types:
        copy.storage.add_msgtype(twin)
        copy.added_types.add(twin.msgtype)
    copy.storage.add_connection(twin, dump_qos_v8(offered.offered_qos_profiles))
    copy.connections.append(twin)
    copy.counts[twin.id] = 0
    return twin
