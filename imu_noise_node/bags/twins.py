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

"""The topics of a copy: those of a bag, with type, definition and offered QoS."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
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
    from rosbags.rosbag2 import Writer
    from rosbags.rosbag2.metadata import dump_qos_v8
    from rosbags.typesys import Stores, get_typestore
except ImportError:
    raise MissingPackageError("rosbags", "a bag", "pip install rosbags") from None

Write = Callable[[Connection, int, bytes], None]
"""Takes a connection of the bag, the time of recording [ns], and the bytes of a message."""


def copier(bag: Bag, copy: Writer) -> Write:
    """Make the topics of `bag` in `copy`; return what writes a message."""
    if bag.is_ros1:
        return _converter(bag, copy)
    places = {(c.id, c.owner): _twin(c, bag, copy) for c in bag.reader.connections}

    def write(connection: Connection, time: int, data: bytes) -> None:
        copy.write(places[connection.id, connection.owner], time, data)

    return write


def _converter(bag: Bag, copy: Writer) -> Write:
    """Return what writes a message of ROS 1 as one of ROS 2."""
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
