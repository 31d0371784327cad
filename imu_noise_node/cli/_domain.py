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

"""A DDS domain of one's own, so that nobody's robot gets to hear a demo or a test."""

from __future__ import annotations

import os
import random
import socket
from collections.abc import Iterable

DOMAINS = range(1, 102)
"""Ids whose ports lie below those that Linux hands out to clients; 0 is everybody's."""

_INHERITED = ("ROS_LOCALHOST_ONLY", "ROS_STATIC_PEERS", "ROS_DISCOVERY_SERVER", "ROS_SUPER_CLIENT")
"""Variables that would lead a process out of its domain, or argue with the ones set below."""


def claim_domain(numbers: Iterable[int] | None = None) -> tuple[int, socket.socket]:
    """Claim a free domain id; it stays ours until the socket is closed.

    A name in the abstract Unix namespace can be bound once per network namespace, which is as far
    as DDS on localhost reaches, and is free again when its process ends, however it ends.
    """
    for number in numbers or random.sample(DOMAINS, len(DOMAINS)):
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(f"\0imu_noise_domain_{number}")
        except OSError:
            lock.close()
            continue
        if _is_silent(number):
            return number, lock
        lock.close()
    raise RuntimeError(f"all of the {len(DOMAINS)} DDS domains of this machine are in use")


def environment(number: int, logs: str) -> dict[str, str]:
    """Return our environment with ROS 2 in that domain of this machine, and its logs in `logs`."""
    kept = {name: value for name, value in os.environ.items() if name not in _INHERITED}
    return {
        **kept,
        "ROS_DOMAIN_ID": str(number),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_LOG_DIR": logs,
    }


def _is_silent(number: int) -> bool:
    """Return whether no participant of that domain listens on this machine.

    Each has bound the domain's discovery port, in a way that only others of its kind may share.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", 7400 + 250 * number))
        except OSError:
            return False
    return True
