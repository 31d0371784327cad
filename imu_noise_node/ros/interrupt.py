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

"""What ends a process, noted from its first moment on; nothing here takes time to import."""

from __future__ import annotations

import signal
from typing import Any


class Interrupt:
    """SIGINT and SIGTERM as a flag, for `spinning.spin` to look at between callbacks.

    The handlers that `rclpy.init` installs unless it is told not to shut the context down at
    once, and a callback that is about to publish fails.

    Attributes
    ----------
    came : bool
    """

    def __init__(self) -> None:
        self.came = False
        _handle(self._note)

    def ignore(self) -> None:
        """From now on do nothing about them: a second one must not break the way out."""
        _handle(signal.SIG_IGN)

    def _note(self, _signal: int, _frame: object) -> None:
        self.came = True


def _handle(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)
