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

"""The layouts for RViz, PlotJuggler and Foxglove name what the node publishes."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from graph import Graph, Imu, Vector3Stamped

from imu_noise_node.ros.recording import OUTPUT_TOPICS, resolve

CONFIG = Path(__file__).parents[2] / "config"
ARROWS = "/imu_noise/arrows"
MESSAGES = {
    "/imu/data_raw": Imu,
    "/imu_noise/truth": Imu,
    "/imu_noise/bias/gyroscope": Vector3Stamped,
    "/imu_noise/bias/accelerometer": Vector3Stamped,
}
PARTS = {Imu: ("angular_velocity", "linear_acceleration"), Vector3Stamped: ("vector",)}


@pytest.fixture
def rviz():
    return yaml.safe_load((CONFIG / "imu_noise.rviz").read_text())["Visualization Manager"]


@pytest.fixture
def plotjuggler():
    return ElementTree.parse(CONFIG / "plotjuggler.xml").getroot()


@pytest.fixture
def foxglove():
    return json.loads((CONFIG / "foxglove.json").read_text())


def check(paths, separator):
    """Each path is a topic of the table and a number in its message; nothing is left out."""
    found = set()
    for path in paths:
        topic = next(name for name in MESSAGES if path.startswith(name + separator))
        value = MESSAGES[topic]()
        for field in path.removeprefix(topic + separator).split(separator):
            value = getattr(value, field)
        assert isinstance(value, float)
        found.add(path.replace(separator, "/"))
    assert found == {
        f"{topic}/{part}/{axis}"
        for topic, message in MESSAGES.items()
        for part in PARTS[message]
        for axis in "xyz"
    }


def test_the_topics_of_the_table_are_those_of_the_node(graph: Graph):
    node = graph.start({"arrows": True})
    published = dict(node.get_publisher_names_and_types_by_node("imu_noise", "/"))
    assert {*MESSAGES, ARROWS} <= set(published)
    assert set(MESSAGES) <= {resolve(topic, "/", "imu_noise") for topic in OUTPUT_TOPICS}
    for topic, message in MESSAGES.items():
        (kind,) = published[topic]
        assert kind.split("/")[-1] == message.__name__


def test_plotjuggler_draws_every_axis(plotjuggler):
    check([curve.get("name") for curve in plotjuggler.iter("curve")], "/")
    selections = [found.get("value").split(";") for found in plotjuggler.iter("selected_topics")]
    assert selections == [sorted(MESSAGES)] * 2


def test_foxglove_draws_every_axis_and_the_arrows(foxglove):
    panels = foxglove["configById"]
    plots = [panel for name, panel in panels.items() if name.startswith("Plot!")]
    check([path["value"] for plot in plots for path in plot["paths"]], ".")
    assert list(panels["3D!arrows"]["topics"]) == [ARROWS]

    def leaves(layout):
        if isinstance(layout, str):
            return [layout]
        return [*leaves(layout["first"]), *leaves(layout["second"])]

    assert sorted(leaves(foxglove["layout"])) == sorted(panels)


def test_rviz_shows_the_arrows_in_the_frame_of_the_sensor(rviz):
    shown = {display["Name"]: display for display in rviz["Displays"]}
    assert shown["Arrows"]["Topic"]["Value"] == ARROWS
    assert set(shown["Arrows"]["Namespaces"]) == {"angular_velocity", "specific_force"}
    assert shown["Sensor"]["Reference Frame"] == "imu_link"
    assert rviz["Global Options"]["Fixed Frame"] == "imu_link"
