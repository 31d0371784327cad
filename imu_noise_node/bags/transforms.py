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

"""The pose of one frame in another from recorded TF: a chain of which one link moves.

Poses are those at the stamps of the moving link, so nothing is interpolated. Chains with more
moving links are for the live node, which has tf2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..motion.intervals import NANOSECONDS
from ..motion.rotations import IDENTITY, ZERO, product, rotate
from ..samples import Quaternion, Vector
from .reading import Bag, Topic

TF_TYPES = ("tf2_msgs/msg/TFMessage", "tf/msg/tfMessage")
"""The second is the older name in ROS 1."""

Pose = tuple[Vector, Quaternion]

_STATIC = "tf_static"


@dataclass
class _Link:
    """What is known of a child's parent.

    Attributes
    ----------
    parent : str
    pose : Pose
        The latest.
    sent : bool
        Whether it comes again and again, on a topic that is not for static ones.
    changes : bool
        Whether it has come with several poses.
    """

    parent: str
    pose: Pose
    sent: bool
    changes: bool


def chain_rows(
    bag: Bag,
    topic: Topic,
    frames: tuple[str, str],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[int, int, tuple[float, ...]]]:
    """Yield time of recording [ns], stamp [ns], and position and orientation of the body.

    Parameters
    ----------
    bag : Bag
    topic : Topic
        Of the moving transforms.
    frames : tuple of str
        The world's, and the body's in it.
    progress : callable, optional

    Raises
    ------
    InputError
        The bag has no such chain, none or several of its links move, or a message is damaged.
    """
    above, moving, below = _chain(_links(bag, topic), frames, bag)
    for index, (time, message) in enumerate(bag.messages(topic)):
        for transform in message.transforms:
            if _plain(transform.child_frame_id) == moving:
                stamp = transform.header.stamp
                position, orientation = _joined(_joined(above, _pose(transform)), below)
                yield time, stamp.sec * NANOSECONDS + stamp.nanosec, (*position, *orientation)
        if progress is not None:
            progress(index, topic.count)


def _links(bag: Bag, topic: Topic) -> dict[str, _Link]:
    """Return the link of each child."""
    links: dict[str, _Link] = {}
    static = [t for t in bag.topics if t.message_type in TF_TYPES and t.name.endswith(_STATIC)]
    for source in (*static, topic):
        for _, message in bag.messages(source):
            for transform in message.transforms:
                child = _plain(transform.child_frame_id)
                parent = _plain(transform.header.frame_id)
                pose, before = _pose(transform), links.get(child)
                changes = before is not None and (before.changes or before.pose != pose)
                links[child] = _Link(parent, pose, source is topic, changes)
    return links


def _chain(links: dict[str, _Link], frames: tuple[str, str], bag: Bag) -> tuple[Pose, str, Pose]:
    """Return the pose above the link that moves, the child of that link, and the pose below."""
    world, body = map(_plain, frames)
    path: list[str] = []
    frame = body
    while frame != world:
        if frame not in links or frame in path:
            known = ", ".join(sorted({*links, *(link.parent for link in links.values())}))
            told = f"TF has no chain up from '{body}' to '{world}'; its frames are {known}"
            raise InputError("bag", str(bag.path), told)
        path.append(frame)
        frame = links[frame].parent
    moving = [child for child in path if links[child].sent]
    if len(moving) > 1:
        # A static one may be sent like the others, as ROS 1 did.
        moving = [child for child in moving if links[child].changes]
    if len(moving) != 1:
        several = f"{len(moving)} links of TF" if moving else "no link of TF"
        names = ": " + ", ".join(f"{links[c].parent} to {c}" for c in moving) if moving else ""
        told = f"{several} between '{world}' and '{body}' move{names}; it must be one"
        raise InputError("bag", str(bag.path), told)
    place = path.index(moving[0])
    # From the world down; path goes up.
    above = _composed(links, path[place + 1 :])
    return above, moving[0], _composed(links, path[:place])


def _composed(links: dict[str, _Link], children: list[str]) -> Pose:
    pose: Pose = (ZERO, IDENTITY)
    for child in reversed(children):
        pose = _joined(pose, links[child].pose)
    return pose


def _joined(first: Pose, second: Pose) -> Pose:
    """Return `second`, which is given in `first`, where that is."""
    (p, q), (r, s) = first, second
    if q == IDENTITY and p == ZERO:
        return second
    x, y, z = rotate(q, r)
    return (p[0] + x, p[1] + y, p[2] + z), product(q, s)


def _pose(transform: Any) -> Pose:
    t, r = transform.transform.translation, transform.transform.rotation
    return (t.x, t.y, t.z), (r.x, r.y, r.z, r.w)


def _plain(frame: str) -> str:
    """Return the name without the slash that ROS 1 had in front."""
    return frame.lstrip("/")
