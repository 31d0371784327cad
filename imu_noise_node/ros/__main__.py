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

"""The node as a process: `python3 -m imu_noise_node.ros` runs it."""

from __future__ import annotations

import sys

from .interrupt import Interrupt


def main() -> int:
    """Run the node until it is interrupted; return the exit code."""
    interrupt = Interrupt()
    # It takes most of a second, in which Python alone would answer a signal with a traceback.
    from .node import main as serve

    return serve(interrupt=interrupt)


if __name__ == "__main__":
    sys.exit(main())
