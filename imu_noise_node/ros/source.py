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

"""What every source of truth has, whatever it listens to."""

from __future__ import annotations

from typing import Any

from rclpy.node import Node

from ..motion.intervals import TimePolicy


class Source:
    """Listens to one topic, and counts what never came.

    Parameters
    ----------
    node : Node

    Attributes
    ----------
    lost : int
        Messages that the middleware says it dropped before they reached us.
    """

    _subscription: Any

    def __init__(self, node: Node) -> None:
        self.lost = 0
        self._node = node

    @property
    def topic(self) -> str:
        """The topic's full name, after remapping."""
        name: str = self._subscription.topic_name
        return name

    @property
    def publishers(self) -> int:
        """How many publishers the topic has now."""
        count: int = self._node.count_publishers(self.topic)
        return count

    def forget(self) -> None:
        """Forget what was received: time has jumped back. A message may stand for itself."""

    def retune(self, policy: TimePolicy) -> None:
        """Go on with another policy, where one is asked."""
