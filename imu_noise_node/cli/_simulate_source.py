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

"""Where the truth comes from: a bag that stays open to be copied, or a trajectory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..bags.files import bag_suffix
from ..errors import InputError
from ..simulation.scene import Scene
from ..simulation.stream import ODOMETRY, TruthStream, stream_of
from ..simulation.trajectory_files import read_trajectory
from ._progress import bar
from ._simulate_options import ODOMETRY_TOPIC, Options

if TYPE_CHECKING:
    from ..bags.reading import Bag


@dataclass(frozen=True)
class Source:
    """A truth.

    Attributes
    ----------
    stream : TruthStream
    rate : float
        Of its messages [Hz].
    sentences : tuple of str
        What the user must know of it.
    bag : Bag or None
        Where it is from; None of a trajectory.
    """

    stream: TruthStream
    rate: float
    sentences: tuple[str, ...]
    bag: Bag | None


@contextmanager
def opened(options: Options) -> Iterator[Source]:
    """Open the input and read the truth.

    Raises
    ------
    ImuNoiseError
        It cannot be read, or has no truth.
    """
    path = options.source
    if path.is_dir() or bag_suffix(path):
        with _opened_bag(options) as source:
            yield source
    else:
        yield _trajectory(options)


@contextmanager
def _opened_bag(options: Options) -> Iterator[Source]:
    from ..bags.reading import open_bag
    from ..bags.truth import read_truth

    with open_bag(options.source) as bag:
        if taken := [topic for topic in bag.topics if topic.name == options.imu_topic]:
            told = f"is in {bag.path} already, as {taken[0]}; choose another name"
            raise InputError("--imu-topic", options.imu_topic, told)
        with bar("truth") as progress:
            stream = read_truth(bag, options.topic, options.frames, progress)
        yield Source(stream, _rate(stream), tuple(_bag_sentences(options, bag, stream)), bag)


def _bag_sentences(options: Options, bag: Bag, stream: TruthStream) -> Iterator[str]:
    rate = _rate(stream)
    if options.scene.policy.rate > rate * 1.001:
        yield (
            f"every message is a capture: the truth comes at {rate:.4g} Hz, and what is recorded "
            "is not resampled"
        )
    if stream.kind != ODOMETRY and options.scene.twist_frame != Scene().twist_frame:
        yield "--twist-frame has no effect: this truth has no twist"
    if bag.is_ros1:
        yield "the bag is of ROS 1; its copy is one of ROS 2, with the types of ROS 2"


def _trajectory(options: Options) -> Source:
    from ..simulation.resampling import rate_of, resampled

    if (options.topic or ODOMETRY_TOPIC) == options.imu_topic:
        raise InputError("--imu-topic", options.imu_topic, "must be another one than --topic")
    read = read_trajectory(options.source)
    found = resampled(read, options.scene.policy)
    if options.scene.twist_frame == "world":
        told = "must be body or pose: a trajectory's own twist is laid through its poses"
        raise InputError("--twist-frame", "world", told)
    return Source(stream_of(found.trajectory), rate_of(read.stamps), found.sentences, None)


def _rate(stream: TruthStream) -> float:
    steps = np.diff(stream.stamps)
    steps = steps[steps > 0]
    return 1e9 / float(np.median(steps)) if len(steps) else 0.0
