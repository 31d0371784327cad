"""What was recorded of topics, into a new bag."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..analysis.channels import Channel
from ..errors import MissingPackageError

try:
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore
except ImportError:
    raise MissingPackageError("rosbags", "a bag", "pip install rosbags") from None


def write_bag(folder: Path, channels: Sequence[Channel]) -> None:
    """Write a new rosbag2 (mcap) in `folder`, each message at the time of its own stamp.

    Played back, it therefore runs as fast as the stamps do, whatever the recording took.
    """
    types = get_typestore(Stores.ROS2_JAZZY)
    # Version 8 of the metadata is the older of those that rosbags writes: more releases read it.
    with Writer(folder, version=8, storage_plugin=StoragePlugin.MCAP) as bag:
        connections = [
            bag.add_connection(c.topic, c.message_type, typestore=types) for c in channels
        ]
        for stamp, k, message in heapq.merge(*map(_timed, range(len(channels)), channels)):
            bag.write(connections[k], stamp, message)


def _timed(k: int, channel: Channel) -> Iterator[tuple[int, int, bytes]]:
    for stamp, message in zip(channel.stamps.tolist(), channel.messages, strict=True):
        yield stamp, k, message
