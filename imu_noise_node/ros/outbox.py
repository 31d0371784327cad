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

"""Messages that are held back while a burst of truth is worked off."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class Outbox:
    """Publishes at once, or inside a `with` block at its end, in the order of sending.

    Publishing goes through the middleware and the kernel and wakes other threads, after which the
    processor's caches hold little of the model. Of a queue that has grown, all samples are made
    first and published then, which takes two thirds of the time that turn and turn about takes.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._waiting: list[tuple[Any, Any]] = []

    def send(self, publisher: Any, message: Any) -> None:
        """Publish, or keep for the end of the block; `message` must not change until then."""
        if self._is_open:
            self._waiting.append((publisher, message))
        else:
            publisher.publish(message)

    def __enter__(self) -> None:
        """Hold back what is sent from now on."""
        self._is_open = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Publish what has been held back, also where the block has failed."""
        waiting, self._waiting = self._waiting, []
        self._is_open = False
        for publisher, message in waiting:
            publisher.publish(message)
