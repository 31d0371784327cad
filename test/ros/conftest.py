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

"""A ROS graph for each test."""

import os
from pathlib import Path

import pytest

# Read when the process makes its first DDS participant. The first name is that of Fast DDS 2,
# the second that of later ones.
for variable in ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"):
    os.environ[variable] = str(Path(__file__).parent / "fastdds.xml")


@pytest.fixture
def domain(domain, monkeypatch):
    """Return the test's own domain; which of the transports carries it, fastdds.xml says.

    For discovery on the localhost, rmw_fastrtps would put transports of its own in their place.
    """
    if os.environ.get("RMW_IMPLEMENTATION", "rmw_fastrtps_cpp").startswith("rmw_fastrtps"):
        monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT")
    return domain


@pytest.fixture
def graph(domain, capfd):
    """Return a Graph in the test's own domain; its nodes end with the test."""
    from graph import Graph

    graph = Graph(domain, lambda: capfd.readouterr().err)
    yield graph
    graph.close()
