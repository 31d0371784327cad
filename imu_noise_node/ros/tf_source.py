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

"""Truth from TF: the pose of one frame in another, at each new stamp of the chain between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy

from ..motion.intervals import TimePolicy
from ..motion.rotations import ZERO
from ..motion.smoothing import PoseWindow
from ..motion.station import finite, usable_orientation
from ..samples import Truth
from .conversions import quaternion_of, stamp_of, vector_of
from .source import Source
from .tf_frames import TfFrames
from .tf_package import LATCHED, frame_name, plain, tf_package

_BACK = 1_000_000_000
"""A link whose stamps go back by more [ns] belongs to a new run; TF itself takes 1 s, too."""

_PATIENCE = 100
"""So many messages on /tf without a chain between the frames are worth a warning."""


class TfSource(Source):
    """Follows /tf and /tf_static, and gives out a pose whenever the chain has a new one.

    What the middleware drops TF does not tell, so nothing is counted in `lost`.

    Parameters
    ----------
    node : Node
    frames : TfFrames
    policy : TimePolicy
        Says which gap and which jump no fit over `tf.window` may cross.
    take : callable
        Takes each Truth; its twist is that of the fit, and zero without one, since TF has none.

    Attributes
    ----------
    window : PoseWindow or None
    refused : int
        Transforms on /tf that are none: not finite, not turned by a unit quaternion, or stamped 0.

    Raises
    ------
    MissingPackageError
        tf2_ros is not installed.
    """

    def __init__(
        self, node: Node, frames: TfFrames, policy: TimePolicy, take: Callable[[Truth], None]
    ) -> None:
        package, kind = tf_package("truth from TF")
        super().__init__(node)
        self.refused = 0
        self.window = PoseWindow(frames.window, policy) if frames.window else None
        self._take = take
        self._world = frame_name(frames.world_frame)
        self._body = frame_name(frames.body_frame)
        # Of a frame, a link or data that is missing; not each has a class of its own.
        self._error = package.TransformException
        self._buffer: Any = package.Buffer()
        self._last = 0
        self._vain = 0
        self._stamps: dict[str, int] = {}
        """Newest stamp [ns] of each moving link, by its child."""
        self._seen: set[str] = set()
        keep_all = QoSProfile(
            history=HistoryPolicy.KEEP_ALL, reliability=ReliabilityPolicy.RELIABLE
        )
        self._subscription = node.create_subscription(kind, "/tf", self._receive, keep_all)
        self._static = node.create_subscription(kind, "/tf_static", self._receive_static, LATCHED)

    def forget(self) -> None:
        """Forget the poses: time has jumped back."""
        self._buffer.clear()
        self._stamps.clear()
        self._last = 0
        if self.window is not None:
            self.window.forget()

    def retune(self, policy: TimePolicy) -> None:
        """Go on with another policy."""
        if self.window is not None:
            self.window.policy = policy

    def _receive_static(self, message: Any) -> None:
        for transform in message.transforms:
            self._buffer.set_transform_static(self._plain(transform), "tf")

    def _receive(self, message: Any) -> None:
        for transform in message.transforms:
            if not _is_usable(transform):
                self.refused += 1
                continue
            self._note(transform)
            self._buffer.set_transform(self._plain(transform), "tf")
        try:
            common = self._buffer.get_latest_common_time(self._world, self._body)
            # A chain that gets another link may have less in common than before.
            if common.nanoseconds <= self._last:
                return
            found = self._buffer.lookup_transform(self._world, self._body, common)
        except self._error:
            self._miss()
            return
        self._vain = 0
        self._last = common.nanoseconds
        pose = found.transform
        place, turn = vector_of(pose.translation), quaternion_of(pose.rotation)
        self._pass(Truth(self._last, place, turn, ZERO, ZERO))

    def _pass(self, truth: Truth) -> None:
        """Hand on a pose, or that in the middle of the window."""
        fitted = truth if self.window is None else self.window.add(truth)
        if fitted is not None:
            self._take(fitted)

    def _note(self, transform: Any) -> None:
        """Forget all when the stamps of a link go back: the buffer would go on with the newest."""
        stamp, child = stamp_of(transform.header.stamp), transform.child_frame_id
        if stamp < self._stamps.get(child, 0) - _BACK:
            self.forget()
        self._stamps[child] = max(stamp, self._stamps.get(child, 0))

    def _miss(self) -> None:
        self._vain += 1
        if self._vain == _PATIENCE:
            known = ", ".join(sorted(self._seen))
            self._node.get_logger().warning(
                f"TF has no chain from '{self._world}' to '{self._body}': set tf.world_frame and "
                f"tf.body_frame (it has {known})"
            )

    def _plain(self, transform: Any) -> Any:
        """Make the names of the frames plain, and note them."""
        plain(transform)
        self._seen |= {transform.header.frame_id, transform.child_frame_id}
        return transform


def _is_usable(transform: Any) -> bool:
    """Whether it is a transform, and time has begun for it; a buffer would take or drop it."""
    place, turn = transform.transform.translation, transform.transform.rotation
    return (
        stamp_of(transform.header.stamp) > 0
        and finite(vector_of(place))
        and usable_orientation(quaternion_of(turn)) is not None
    )
