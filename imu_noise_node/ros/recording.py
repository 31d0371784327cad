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

"""Which topics a recording of the node holds, and the command that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TRUTH_TOPICS = {"odometry": "odom", "imu": "imu/ideal"}
"""The topic of each truth that has one of its own."""

TF_TOPICS = ("/tf", "/tf_static")
TRUTH_SOURCES = (*TRUTH_TOPICS, "tf")
OUTPUT_TOPICS = (
    "imu/data_raw",
    "imu/data",
    "imu/mag",
    "imu/temperature",
    "imu/dtheta",
    "imu/dv",
    "~/truth",
    "~/bias/gyroscope",
    "~/bias/accelerometer",
)


@dataclass(frozen=True)
class Recording:
    """What to write into a bag; `output` None lets the recorder name its folder by date."""

    topics: tuple[str, ...]
    output: Path | None
    use_sim_time: bool


def topics(truth_source: str, remappings: Mapping[str, str]) -> tuple[str, ...]:
    """Return the topics of truth and output as the remapped node names them.

    With `truth_source` empty the parameter file chooses it, so each candidate is listed; one
    that nobody publishes costs the recorder nothing.
    """
    truth: tuple[str, ...]
    if truth_source == "tf":
        truth = TF_TOPICS
    elif truth_source:
        truth = (TRUTH_TOPICS[truth_source],)
    else:
        truth = (*TRUTH_TOPICS.values(), *TF_TOPICS)
    return tuple(remappings.get(topic, topic) for topic in (*truth, *OUTPUT_TOPICS))


def join_namespaces(outer: str, inner: str) -> str:
    """Return the absolute namespace of what asks for `inner` inside a group in `outer`."""
    if inner.startswith("/"):
        return inner
    return "/" + "/".join(part.strip("/") for part in (outer, inner) if part.strip("/"))


def resolve(topic: str, namespace: str, node: str) -> str:
    """Return the full name of `topic` as a node of that (absolute) namespace and name sees it."""
    if topic.startswith("/"):
        return topic
    if topic.startswith("~/"):
        topic = f"{node}/{topic[2:]}"
    return f"{namespace.rstrip('/')}/{topic}"


def command(recording: Recording, namespace: str, node: str) -> list[str]:
    """Return the command line of the recorder for a node of that (absolute) namespace and name.

    The topics go in as one regular expression: every rosbag2 takes it, while a plain list of
    them is an argument of its own in some and an option in others.
    """
    names = "|".join(resolve(topic, namespace, node) for topic in recording.topics)
    line = ["ros2", "bag", "record", "--regex", f"^({names})$"]
    if recording.output is not None:
        line += ["--output", str(recording.output)]
    if recording.use_sim_time:
        line.append("--use-sim-time")
    return line
