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

"""Brings samples out when they are due, in ROS time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.clock import Clock, ClockType, ROSClock
from rclpy.node import Node
from rclpy.timer import Timer

from ..delivery import NANOSECONDS, Delivery, DeliveryPolicy
from ..pipeline import Sample


class Deliverer:
    """Passes samples on at once, or late, or not at all.

    With time from /clock, the node calls `release` whenever it goes on; else a timer does, which
    always runs until the next sample is due.

    Parameters
    ----------
    node : Node
    policy : DeliveryPolicy
    seed : int
        0 or more.
    publish : callable
        Takes each sample that is due.
    """

    def __init__(
        self, node: Node, policy: DeliveryPolicy, seed: int, publish: Callable[[Sample], None]
    ) -> None:
        self._node = node
        clock = node.get_clock()
        # As that of a node always is.
        assert isinstance(clock, ROSClock)
        self._clock = clock
        self._delivery: Delivery[Sample] = Delivery(policy, seed)
        self._publish = publish
        self._timer: Timer | None = None
        self.retune(policy)

    @property
    def dropped(self) -> int:
        """How many samples were lost on the way."""
        return self._delivery.dropped

    @property
    def waiting(self) -> int:
        """How many samples are on their way."""
        return self._delivery.waiting

    def retune(self, policy: DeliveryPolicy) -> None:
        """Treat the samples to come by another policy."""
        self._is_plain = policy.is_plain
        self._delivery.retune(policy)

    def take(self, sample: Sample) -> None:
        """Take in a sample that was made now."""
        if self._is_plain and self._delivery.next_due is None:
            self._publish(sample)
            return
        now: int = self._clock.now().nanoseconds
        self._delivery.accept(sample, now)
        self.release()

    def release(self) -> None:
        """Publish what is due."""
        now: int = self._clock.now().nanoseconds
        for sample in self._delivery.due(now):
            self._publish(sample)
        self._wait(now)

    def flush(self) -> None:
        """Publish all that waits, due or not."""
        for sample in self._delivery.flush():
            self._publish(sample)

    def reset(self) -> None:
        """Publish all that waits, and begin the draws again from the seed."""
        self.flush()
        self._delivery.reset()

    def state(self) -> dict[str, Any]:
        """Return what the next draws depend on, JSON-able."""
        return self._delivery.state()

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        self._delivery.restore(state)

    def _wait(self, now: int) -> None:
        due = self._delivery.next_due
        if due is None or self._clock.ros_time_is_active:
            if self._timer is not None:
                self._timer.cancel()
            return
        if self._timer is None:
            steady = Clock(clock_type=ClockType.STEADY_TIME)
            self._timer = self._node.create_timer(1.0, self.release, clock=steady)
        # A timer that has been cancelled starts with its reset.
        self._timer.timer_period_ns = max(due - now, NANOSECONDS // 1_000_000)
        self._timer.reset()
