"""A ROS graph for each test."""

import os
from pathlib import Path

import pytest

# Read when the process makes its first DDS participant. The first name is that of Fast DDS 2,
# the second that of later ones.
for variable in ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"):
    os.environ[variable] = str(Path(__file__).parent / "fastdds.xml")


@pytest.fixture
def graph(domain, capfd):
    """Return a Graph in the test's own domain; its nodes end with the test."""
    from graph import Graph

    graph = Graph(domain, lambda: capfd.readouterr().err)
    yield graph
    graph.close()
