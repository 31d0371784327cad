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
