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

"""Truth from a bag: its messages as the node would get them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..errors import InputError
from ..motion.intervals import NANOSECONDS
from ..simulation.stream import COLUMNS, IMU, ODOMETRY, POSE, TruthStream
from .reading import Bag, Topic, explained
from .transforms import TF_TYPES, chain_rows

Progress = Callable[[int, int], None]

_OFTEN = 1024
"""So many messages pass between two calls of the progress."""


def read_truth(
    bag: Bag,
    name: str | None = None,
    frames: tuple[str, str] = ("odom", "base_link"),
    progress: Progress | None = None,
) -> TruthStream:
    """Return the truth on a topic of a bag.

    Parameters
    ----------
    bag : Bag
    name : str, optional
        Of the topic. By default the one odometry; where there is none, the one topic of poses;
        then TF; then the one Imu.
    frames : tuple of str
        Of TF: the world's, and the body's in it.
    progress : callable, optional

    Raises
    ------
    InputError
        No such topic, one of a type that is no truth, several and no name, or a damaged message.
    """
    topic = _chosen(bag, name)
    source = f"{bag.path} {topic}"
    with explained(bag.path):
        if topic.message_type in TF_TYPES:
            return _stream(source, POSE, chain_rows(bag, topic, frames, progress))
        kind, row = _READERS[topic.message_type]
        return _stream(source, kind, _rows(bag, topic, row, progress))


def _rows(
    bag: Bag, topic: Topic, row: Callable[[Any], tuple[float, ...]], progress: Progress | None
) -> Iterator[tuple[int, int, tuple[float, ...]]]:
    """Yield time of recording [ns], stamp [ns], and what `row` takes of each message."""
    for index, (time, message) in enumerate(bag.messages(topic)):
        stamp = message.header.stamp
        yield time, stamp.sec * NANOSECONDS + stamp.nanosec, row(message)
        if progress is not None and index % _OFTEN == 0:
            progress(index, topic.count)


def _stream(
    source: str, kind: str, rows: Iterable[tuple[int, int, tuple[float, ...]]]
) -> TruthStream:
    # A tenth of what lists would take.
    times, stamps, values = array("q"), array("q"), array("d")
    for time, stamp, row in rows:
        times.append(time)
        stamps.append(stamp)
        values.extend(row)
    table = np.array(values).reshape(-1, COLUMNS[kind])
    return TruthStream(source, kind, np.array(stamps), np.array(times), table)


def _chosen(bag: Bag, name: str | None) -> Topic:
    if name is not None:
        return _named(bag, name)
    filled = [topic for topic in bag.topics if topic.count]
    for kinds in _PREFERENCE:
        found = [topic for topic in filled if topic.message_type in kinds]
        if kinds is TF_TYPES:
            found = [topic for topic in found if not topic.name.endswith("tf_static")]
        if len(found) == 1:
            return found[0]
        if found:
            many = f"has several topics that may be the truth: {_listed(found)}; choose one"
            raise InputError("bag", str(bag.path), many)
    told = f"has no topic of a truth ({', '.join(_KNOWN)}); it has: {_listed(bag.topics)}"
    raise InputError("bag", str(bag.path), told)


def _named(bag: Bag, name: str) -> Topic:
    full = f"/{name.lstrip('/')}"
    same = [topic for topic in bag.topics if f"/{topic.name.lstrip('/')}" == full]
    found = [topic for topic in same if topic.message_type in _KNOWN]
    if not same:
        raise InputError("topic", name, f"is not in {bag.path}; it has: {_listed(bag.topics)}")
    if not found:
        kind = same[0].message_type
        raise InputError("topic", name, f"is of type {kind}; truth is one of {', '.join(_KNOWN)}")
    if not found[0].count:
        raise InputError("topic", name, f"has no messages in {bag.path}")
    return found[0]


def _listed(topics: list[Topic]) -> str:
    return ", ".join(map(str, topics))


def _xyz(field: Any) -> tuple[float, float, float]:
    return field.x, field.y, field.z


def _xyzw(field: Any) -> tuple[float, float, float, float]:
    return field.x, field.y, field.z, field.w


def _odometry(message: Any) -> tuple[float, ...]:
    twist = message.twist.twist
    return (*_posed(message.pose.pose), *_xyz(twist.linear), *_xyz(twist.angular))


def _posed(pose: Any) -> tuple[float, ...]:
    return (*_xyz(pose.position), *_xyzw(pose.orientation))


def _transform(message: Any) -> tuple[float, ...]:
    return (*_xyz(message.transform.translation), *_xyzw(message.transform.rotation))


def _imu(message: Any) -> tuple[float, ...]:
    """Return what the message has; NaN in place of an orientation that it denies having."""
    known = message.orientation_covariance[0] != -1.0
    orientation = _xyzw(message.orientation) if known else (np.nan,) * 4
    rate, force = message.angular_velocity, message.linear_acceleration
    return (*orientation, *_xyz(rate), *_xyz(force))


_READERS: dict[str, tuple[str, Callable[[Any], tuple[float, ...]]]] = {
    "nav_msgs/msg/Odometry": (ODOMETRY, _odometry),
    "geometry_msgs/msg/PoseStamped": (POSE, lambda message: _posed(message.pose)),
    "geometry_msgs/msg/PoseWithCovarianceStamped": (POSE, lambda m: _posed(m.pose.pose)),
    "geometry_msgs/msg/TransformStamped": (POSE, _transform),
    "sensor_msgs/msg/Imu": (IMU, _imu),
}

_KNOWN = (*_READERS, *TF_TYPES[:1])

_PREFERENCE = (
    tuple(name for name, (kind, _) in _READERS.items() if kind == ODOMETRY),
    tuple(name for name, (kind, _) in _READERS.items() if kind == POSE),
    TF_TYPES,
    tuple(name for name, (kind, _) in _READERS.items() if kind == IMU),
)
