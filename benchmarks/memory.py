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

"""How much memory a process has and had, as the kernel counts it.

Not `getrusage`: its figure for a process starts at the peak of the one that started it.
"""

from __future__ import annotations

from pathlib import Path


def resident(process: int | str = "self") -> int:
    """Return what a process holds in memory now [bytes]."""
    return _status(process, "VmRSS")


def peak(process: int | str = "self") -> int:
    """Return the most that a process ever held in memory [bytes]."""
    return _status(process, "VmHWM")


def _status(process: int | str, key: str) -> int:
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(":")
        if name == key:
            return int(value.split()[0]) * 1024
    raise LookupError(f"/proc/{process}/status has no {key}")
