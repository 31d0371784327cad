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

"""What was recorded of a topic, and the file in which one process hands it to another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..files import replacing

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Channel:
    """One topic, in the order of arrival.

    Attributes
    ----------
    topic : str
        Full name.
    message_type : str
        As in "sensor_msgs/msg/Imu".
    stamps : ndarray of int64, shape (T,)
        Of the messages' headers [ns].
    messages : list of bytes, length T
        As they were on the wire (CDR).
    values : ndarray, shape (T, 6) or (T, 0)
        Gyroscope xyz [rad/s] and accelerometer xyz [m/s^2]; of other messages nothing.
    """

    topic: str
    message_type: str
    stamps: NDArray[np.int64]
    messages: list[bytes]
    values: Array


def save_channels(path: Path, channels: Sequence[Channel], notes: dict[str, Any]) -> None:
    """Write channels and JSON-able `notes` into one file, whole or not at all."""
    facts = {"channels": [[c.topic, c.message_type] for c in channels], "notes": notes}
    arrays: dict[str, Any] = {"facts": np.array(json.dumps(facts))}
    for k, channel in enumerate(channels):
        arrays[f"{k}/stamps"] = channel.stamps
        arrays[f"{k}/values"] = channel.values
        arrays[f"{k}/bytes"] = np.frombuffer(b"".join(channel.messages), dtype=np.uint8)
        arrays[f"{k}/lengths"] = np.array([len(m) for m in channel.messages], dtype=np.int64)
    with replacing(path) as unfinished, unfinished.open("wb") as file:
        np.savez(file, **arrays)


def load_channels(path: Path) -> tuple[list[Channel], dict[str, Any]]:
    """Return the channels and the notes of a file that `save_channels` wrote."""
    with np.load(path, allow_pickle=False) as archive:
        facts = json.loads(str(archive["facts"]))
        channels = [
            Channel(
                topic,
                message_type,
                archive[f"{k}/stamps"],
                _split(archive[f"{k}/bytes"].tobytes(), archive[f"{k}/lengths"]),
                archive[f"{k}/values"],
            )
            for k, (topic, message_type) in enumerate(facts["channels"])
        ]
    return channels, facts["notes"]


def _split(joined: bytes, lengths: NDArray[np.int64]) -> list[bytes]:
    ends = np.cumsum(lengths).tolist()
    return [joined[end - n : end] for end, n in zip(ends, lengths.tolist(), strict=True)]
