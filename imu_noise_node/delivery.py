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

"""What happens to a sample between the sensor and its user: latency, jitter, drop-out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .model.streams import Streams
from .schema import check_fields, parameter

NANOSECONDS = 1_000_000_000

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class DeliveryPolicy:
    """How late samples come, and how many get lost; at once and none by default.

    Raises
    ------
    ParameterError
        A value that is not allowed.
    """

    latency: float = parameter(
        0.0, "mean time from the capture to the message, in ROS time", "s", lower=0.0, upper=3600.0
    )
    jitter: float = parameter(
        0.0,
        "standard deviation of the latency; no message overtakes another, none is early",
        "s",
        lower=0.0,
        upper=3600.0,
    )
    dropout: float = parameter(
        0.0, "fraction of the samples that are lost on the way", "1", lower=0.0, upper=1.0
    )

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def is_plain(self) -> bool:
        """Whether samples pass at once, and all of them."""
        return self.latency == self.jitter == self.dropout == 0.0


class Delivery(Generic[Item]):
    """Holds samples back until they are due, in the order in which they came.

    Whether a sample is lost and how late it comes are drawn for every sample from two streams of
    their own, so that neither moves with the other or with what the model draws.

    Parameters
    ----------
    policy : DeliveryPolicy
    seed : int
        0 or more.

    Attributes
    ----------
    dropped : int
        Samples lost so far.
    """

    def __init__(self, policy: DeliveryPolicy, seed: int) -> None:
        self.dropped = 0
        self._streams = Streams(seed)
        self._waiting: deque[tuple[int, Item]] = deque()
        self._last_due = 0
        self.retune(policy)

    def retune(self, policy: DeliveryPolicy) -> None:
        """Treat the samples to come by another policy; those that wait stay as they are."""
        self._policy = policy

    def accept(self, item: Item, now: int) -> None:
        """Take in a sample that was made at ROS time `now` [ns]."""
        policy = self._policy
        lost = self._streams.generator("delivery/dropout").random() < policy.dropout
        deviation = self._streams.generator("delivery/jitter").standard_normal()
        delay = policy.latency + policy.jitter * deviation
        if lost:
            self.dropped += 1
            return
        due = max(now + round(max(delay, 0.0) * NANOSECONDS), self._last_due)
        self._last_due = due
        self._waiting.append((due, item))

    def due(self, now: int) -> Iterator[Item]:
        """Give out, one after the other, the samples that are due by ROS time `now` [ns]."""
        while self._waiting and self._waiting[0][0] <= now:
            yield self._waiting.popleft()[1]

    @property
    def waiting(self) -> int:
        """How many samples are not due yet."""
        return len(self._waiting)

    @property
    def next_due(self) -> int | None:
        """When the next sample is due [ns], if one waits."""
        return self._waiting[0][0] if self._waiting else None

    def flush(self) -> Iterator[Item]:
        """Give out all samples that wait, due or not."""
        while self._waiting:
            yield self._waiting.popleft()[1]
        self._last_due = 0

    def reset(self) -> None:
        """Begin the draws again from the seed; samples that wait are those of `flush`."""
        self._streams.restart()

    def state(self) -> dict[str, Any]:
        """Return what the next draws depend on, JSON-able; samples that wait are not in it."""
        streams = self._streams
        return {"seed": streams.seed, "streams": streams.state(), "dropped": self.dropped}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what `state` returned."""
        self._streams.restore(state["streams"], state["seed"])
        self.dropped = state["dropped"]
