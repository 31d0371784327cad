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

"""The SROS 2 policy: the rights that the node uses, and no others."""

from pathlib import Path
from xml.etree import ElementTree

from graph import SECOND, parked

POLICY = Path(__file__).parents[2] / "config/sros2_policy.xml"
NODE = "/imu_noise"
TF = {"/tf", "/tf_static"}
"""Only with tf2_ros, which some installations lack."""

NEWER = {f"{NODE}/get_type_description"}
"""A service that nodes of Humble lack."""


def allowed(kind, right):
    """Full names of the topics or services with that right."""
    profile = ElementTree.parse(POLICY).find(".//profile")
    assert (profile.get("ns"), profile.get("node")) == ("/", NODE.strip("/"))
    names = [
        entry.text
        for group in profile.findall(f"{kind}s")
        if group.get(right) == "ALLOW"
        for entry in group
    ]
    assert len(names) == len(set(names))
    return {name.replace("~", NODE) if name[0] in "~/" else f"/{name}" for name in names}


def used(graph):
    """What the node in the graph publishes, subscribes to, and serves."""
    graph.until(lambda: ("imu_noise", "/") in graph.peer.get_node_names_and_namespaces(), "it")
    asked = (
        graph.peer.get_publisher_names_and_types_by_node,
        graph.peer.get_subscriber_names_and_types_by_node,
        graph.peer.get_service_names_and_types_by_node,
    )
    return [{name for name, _ in ask("imu_noise", "/")} for ask in asked]


def test_it_allows_what_the_node_uses_and_nothing_else(graph):
    """All that can be switched on, in one node; the other truth has its own topic."""
    everything = {
        "orientation": "truth",
        "magnetic_field": [2e-5, 0.0, -4e-5],
        "temperature": 20.0,
        "increments": True,
        "arrows": True,
        "use_sim_time": True,
    }
    graph.start(everything)
    graph.send(parked(SECOND, SECOND + SECOND // 100))
    expected = [
        allowed("topic", "publish"),
        allowed("topic", "subscribe") - TF - {"/imu/ideal"},
        allowed("service", "reply"),
    ]
    for k, what in enumerate(("publishers", "subscriptions", "services")):
        # One after the other is discovered.
        graph.until(lambda k=k: used(graph)[k] | NEWER >= expected[k], what)
    published, heard, served = used(graph)
    assert [published, heard, served | NEWER] == expected


def test_it_allows_the_topic_of_an_ideal_imu(graph):
    graph.start({"truth_source": "imu"})
    graph.until(lambda: "/imu/ideal" in used(graph)[1], "its truth")
    assert "/imu/ideal" in allowed("topic", "subscribe")


def test_nothing_is_denied_by_name_or_left_to_a_wildcard():
    text = POLICY.read_text()
    assert "DENY" not in text
    assert "*" not in text.split("-->", 1)[1]
