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

"""A domain of one's own is one that nobody has claimed and nobody is heard in."""

from __future__ import annotations

import socket

import pytest

from imu_noise_node.cli._domain import DOMAINS, claim_domain, environment


def test_a_claimed_domain_is_not_given_out_again():
    first, lock = claim_domain()
    with lock:
        assert first in DOMAINS
        with pytest.raises(RuntimeError, match="in use"):
            claim_domain([first])
    again, lock = claim_domain([first])
    lock.close()
    assert again == first


def test_a_domain_in_which_somebody_listens_is_not_given_out():
    taken, lock = claim_domain()
    lock.close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        # As a DDS participant does it: others of its kind may listen to the same port.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("", 7400 + 250 * taken))
        with pytest.raises(RuntimeError, match="in use"):
            claim_domain([taken])


def test_nothing_leads_the_processes_out_of_their_domain(monkeypatch):
    for name in ("ROS_DISCOVERY_SERVER", "ROS_STATIC_PEERS", "ROS_LOCALHOST_ONLY"):
        monkeypatch.setenv(name, "elsewhere")
    monkeypatch.setenv("ROS_DOMAIN_ID", "5")
    monkeypatch.setenv("AMENT_PREFIX_PATH", "/kept")
    found = environment(42, "/logs")
    assert found["ROS_DOMAIN_ID"] == "42"
    assert found["ROS_LOG_DIR"] == "/logs"
    assert found["AMENT_PREFIX_PATH"] == "/kept"
    assert "elsewhere" not in found.values()
