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

"""Where the truth comes from: every publisher's QoS, either start order, ideal Imu messages."""

import math
import sys
from pathlib import Path
from subprocess import PIPE

import numpy as np
import pytest
from graph import (
    MS,
    SECOND,
    G,
    Odometry,
    forces,
    ideal,
    odometry,
    parked,
    rates,
    stamps,
)

START = 1000 * SECOND
ROLLED = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


def ticks(count, start=START):
    return parked(*(start + k * 10 * MS for k in range(count)))


def ideals(count, **values):
    return [ideal(START + k * 10 * MS, **values) for k in range(count)]


def received(graph):
    return sum(graph.counts.values())


@pytest.mark.parametrize("first", ["publisher", "node"])
@pytest.mark.parametrize("reliable", [True, False], ids=["reliable", "best_effort"])
def test_any_publisher_is_heard_whoever_starts_first(graph, reliable, first):
    """Once both sides have found each other, every message is counted."""
    if first == "publisher":
        publisher = graph.publisher(Odometry, "/odom", reliable)
        for message in ticks(100):
            publisher.publish(message)
    graph.start()
    if first == "node":
        publisher = graph.publisher(Odometry, "/odom", reliable)
    graph.until(publisher.get_subscription_count, "the node to be found")
    # What is published here may come before the node has found the publisher.
    sent = 0

    def heard():
        nonlocal sent
        sent += 1
        publisher.publish(odometry(START + SECOND + sent * MS))
        return received(graph)

    graph.until(heard, "a first message")
    graph.until(lambda: graph.counts.get("samples", 0) == received(graph) - 1, "samples")
    publisher.publish(odometry(START + 100 * SECOND))
    graph.until(lambda: graph.counts.get("gap"), "the last of them")
    before = graph.counts
    samples = graph.hear("/imu/data_raw")
    samples.clear()
    # A few at a time: best effort is lost where a socket's buffer is full.
    for sent in range(0, 500, 50):
        for message in ticks(50, START + 100 * SECOND + (sent + 1) * 10 * MS):
            publisher.publish(message)
        graph.until(lambda n=sent + 50: len(samples) == n, f"{sent + 50} samples")
    assert graph.counts == {**before, "samples": before.get("samples", 0) + 500}
    assert graph.node._source.lost == 0
    said = "a publisher on /odom is best-effort: so is the subscription now"
    # A node that starts second may have learnt of it before it subscribes.
    assert graph.log.count(said) <= (not reliable)


def test_a_publisher_may_die_and_come_back(graph):
    graph.start()
    for k in range(3):
        publisher = graph.publisher(Odometry, "/odom")
        graph.until(publisher.get_subscription_count, "the node to be found")
        before = received(graph)
        for message in ticks(20, START + k * SECOND):
            publisher.publish(message)
        graph.until(lambda n=before + 20: received(graph) == n, "20 messages")
        graph.peer.destroy_publisher(publisher)
        graph.until(lambda: not graph.node._source.publishers, "the node to notice")
    assert graph.counts == {"baseline": 1, "samples": 57, "gap": 2}


@pytest.mark.parametrize("order", [(True, False), (False, True)], ids=["worse", "better"])
def test_it_may_come_back_with_another_quality(graph, order):
    graph.start()
    for k, reliable in enumerate(order):
        publisher = graph.publisher(Odometry, "/odom", reliable)
        sent = 0

        def heard(publisher=publisher, k=k):
            nonlocal sent
            sent += 1
            publisher.publish(odometry(START + k * 100 * SECOND + sent * MS))
            return graph.counts.get("samples", 0) > 10 * k + 10

        graph.until(heard, f"a {'reliable' if reliable else 'best-effort'} publisher to be heard")
        graph.peer.destroy_publisher(publisher)
        graph.until(lambda: not graph.node._source.publishers, "the node to notice")


def test_a_reliable_and_a_best_effort_publisher_are_both_heard(graph):
    """Two sources of one truth are one stream, judged by stamps."""
    graph.start()
    reliable = graph.publisher(Odometry, "/odom", True)
    best_effort = graph.publisher(Odometry, "/odom", False)
    graph.until(lambda: not graph.node._source._reliable, "the change to best effort")
    sent = 0

    def both_heard():
        nonlocal sent
        sent += 1
        (reliable if sent % 2 else best_effort).publish(odometry(START + sent * MS))
        return graph.hear("/imu/data_raw")[-2:] and (
            np.diff(stamps(graph.hear("/imu/data_raw")[-3:])).tolist() == [MS, MS]
        )

    graph.until(both_heard, "samples from both by turns")


def test_frame_names_of_any_length_are_read_past(graph):
    """The numbers behind them stand at another place for every length."""
    graph.start()
    truth = []
    for k in range(100):
        message = odometry(START + k * 10 * MS, velocity=(0.01 * k, 0.0, 0.0))
        message.header.frame_id = "\N{GREEK SMALL LETTER ALPHA}" * (k % 4) + "o" * (k // 10)
        message.child_frame_id = "b" * (k % 10)
        truth.append(message)
    samples = graph.send(truth)
    assert stamps(samples) == stamps(truth)[1:]
    assert forces(samples) == pytest.approx(np.tile([1.0, 0.0, G], (99, 1)), abs=1e-12)


def test_frame_names_of_an_ideal_imu_are_read_past(graph):
    graph.start({"truth_source": "imu"})
    truth = ideals(20, force=(1.0, 2.0, 3.0))
    for k, message in enumerate(truth):
        message.header.frame_id = "i" * k
    samples = graph.send(truth, "/imu/ideal")
    assert forces(samples).tolist() == [[1.0, 2.0, 3.0]] * 19


def test_a_burst_of_thousands_is_taken_whole(graph):
    graph.start()
    publisher = graph.matched(Odometry, "/odom")
    samples = graph.hear("/imu/data_raw")
    for message in ticks(5000):
        publisher.publish(message)
    graph.until(lambda: received(graph) == 5000, "5000 messages")
    graph.until(lambda: len(samples) == 4999, "4999 samples")
    assert graph.counts == {"baseline": 1, "samples": 4999}
    assert graph.node._source.lost == 0


def test_those_that_wait_are_taken_together_but_not_without_end(graph):
    """So that the executor's share is small, and whatever else there is to do has its turn."""
    graph.start()
    publisher = graph.matched(Odometry, "/odom")
    source, sizes = graph.node._source, []
    take = source._take

    def watched(truths):
        sizes.append(len(truths))
        take(truths)

    source._take = watched
    for message in ticks(300):
        publisher.publish(message)
    graph.until(lambda: received(graph) == 300, "300 messages")
    assert 1 < max(sizes) <= 32
    assert sum(sizes) == 300
    assert graph.counts == {"baseline": 1, "samples": 299}


BURST = """
import sys

sys.path.insert(0, {folder!r})
import time

import rclpy
from graph import MS, Odometry, odometry
from rclpy.node import Node
from rclpy.qos import QoSProfile

rclpy.init()
publisher = Node("burst").create_publisher(Odometry, "/odom", QoSProfile(depth=100))
while not publisher.get_subscription_count():
    time.sleep(0.01)
for count in (1, {count} - 1):
    sys.stdin.readline()
    for _ in range(count):
        publisher.publish(odometry(1))
    print("SENT", flush=True)
sys.stdin.readline()
"""


def test_what_a_publisher_gives_up_while_the_node_is_busy_is_counted(graph, start):
    """Not even a publisher that keeps 100 of 8000 messages makes the node lose one unnoticed."""
    graph.start()
    code = BURST.format(folder=str(Path(__file__).parent), count=8000)
    other = start(sys.executable, "-c", code, stdin=PIPE, stdout=PIPE)
    source = graph.node._source
    graph.until(lambda: source._subscription.get_publisher_count(), "the other process")
    for _ in range(2):
        print(file=other.stdin, flush=True)
        # The node does nothing meanwhile.
        assert other.stdout.readline() == "SENT\n"
        graph.until(lambda: received(graph), "the first message")
    graph.until(lambda: received(graph) + source.lost >= 8000, "received and lost to be all")
    assert received(graph) + source.lost == 8000
    assert source.lost > 0
    assert graph.counts == {"baseline": 1, "same_stamp": received(graph) - 1}
    _, values = graph.diagnostics()
    assert values["lost by the middleware"] == str(source.lost)


def test_quality_of_service_can_be_overridden(graph):
    graph.start(
        {
            "qos_overrides./odom.subscription.reliability": "best_effort",
            "qos_overrides./odom.subscription.history": "keep_last",
            "qos_overrides./odom.subscription.depth": 7,
            "qos_overrides./imu/data_raw.publisher.reliability": "best_effort",
            "qos_overrides./imu/data_raw.publisher.depth": 3,
        }
    )
    graph.matched(Odometry, "/odom")
    peer = graph.peer
    graph.until(lambda: peer.get_subscriptions_info_by_topic("/odom"), "the subscription")
    graph.until(lambda: peer.get_publishers_info_by_topic("/imu/data_raw"), "the publisher")
    (truth,) = peer.get_subscriptions_info_by_topic("/odom")
    (output,) = peer.get_publishers_info_by_topic("/imu/data_raw")
    assert truth.qos_profile.reliability.name == "BEST_EFFORT"
    assert output.qos_profile.reliability.name == "BEST_EFFORT"
    assert graph.get(
        ["qos_overrides./odom.subscription.depth", "qos_overrides./imu/data_raw.publisher.depth"]
    ) == {
        "qos_overrides./odom.subscription.depth": 7,
        "qos_overrides./imu/data_raw.publisher.depth": 3,
    }
    assert graph.hear("/imu/data_raw", reliable=False) == []
    assert len(graph.send(ticks(5))) == 4


def test_a_fixed_reliability_is_kept_and_says_whom_it_leaves_unheard(graph):
    graph.start({"qos_overrides./odom.subscription.reliability": "reliable"})
    graph.publisher(Odometry, "/odom", reliable=False)
    graph.until(
        lambda: any("stays unheard" in line for line in graph.warnings), "a word about the misfit"
    )
    (warning,) = [line for line in graph.warnings if "stays unheard" in line]
    assert warning == (
        "a publisher on /odom is best-effort and stays unheard: qos_overrides make the "
        "subscription reliable"
    )
    assert len(graph.send(ticks(3))) == 2


def test_namespaces_keep_nodes_apart(graph):
    """Two nodes with one seed on one machine: each has its own truth, and the same noise."""
    noise = {"gyroscope.noise_density": 1e-3}
    graph.start(noise, namespace="/b")
    graph.start(noise, namespace="/a")
    a = graph.send(ticks(50), "/a/odom", "/a/imu/data_raw")
    a_counts = graph.counts
    graph.node = next(n for n in graph._nodes() if n.get_namespace() == "/b")
    assert graph.counts == {}
    b = graph.send(ticks(20, 2 * START), "/b/odom", "/b/imu/data_raw")
    assert (a_counts, graph.counts) == (
        {"baseline": 1, "samples": 49},
        {"baseline": 1, "samples": 19},
    )
    assert (rates(a)[:19] == rates(b)).all()
    assert "truth from /a/odom" in graph.log
    assert "truth from /b/odom" in graph.log


def test_topics_can_be_remapped(graph):
    graph.start(
        {},
        "--ros-args",
        *("-r", "odom:=/robot/odom", "-r", "imu/data_raw:=/imu", "-r", "__node:=front"),
        *("-r", "~/truth:=/inside"),
    )
    truths = graph.hear("/inside")
    samples = graph.send(ticks(5), "/robot/odom", "/imu")
    assert len(samples) == 4
    graph.until(lambda: len(truths) == 4, "four truths")
    assert "truth from /robot/odom" in graph.log
    assert graph.set("rate", 50, node="/front") == ""


def test_best_effort_is_learnt_of_a_remapped_topic(graph):
    publisher = graph.publisher(Odometry, "/robot/odom", reliable=False)
    graph.start({}, "--ros-args", "-r", "odom:=/robot/odom")
    sent = 0

    def heard():
        nonlocal sent
        sent += 1
        publisher.publish(odometry(START + sent * MS))
        return received(graph)

    graph.until(heard, "a first message")


def test_an_ideal_imu_passes_as_it_is(graph):
    graph.start({"truth_source": "imu"})
    given = ideals(10, rate=(0.1, 0.2, 0.3), force=(1.0, 2.0, 3.0))
    samples = graph.send(given, "/imu/ideal")
    assert graph.counts == {"baseline": 1, "samples": 9}
    assert stamps(samples) == stamps(given)[1:]
    assert rates(samples).tolist() == [[0.1, 0.2, 0.3]] * 9
    assert forces(samples).tolist() == [[1.0, 2.0, 3.0]] * 9
    assert "truth from /imu/ideal" in graph.log
    assert not graph.peer.get_subscriptions_info_by_topic("/odom")


def test_an_ideal_imu_is_moved_to_the_mount(graph):
    graph.start(
        {
            "truth_source": "imu",
            "mount.translation": [0.5, 0.0, 0.0],
            "mount.rpy": [0.0, 0.0, math.pi / 2],
        }
    )
    given = [
        ideal(START + k * MS, rate=(0.0, 0.0, 4.0 + 2.0 * (k - 10) * 1e-3)) for k in range(21)
    ]
    samples = graph.send(given, "/imu/ideal")
    # 8 inwards, along body -x, which is sensor +y; 1 tangential, along body +y, sensor +x.
    assert forces(samples)[9] == pytest.approx([1.0, 8.0, G], abs=1e-9)
    assert rates(samples)[9] == pytest.approx([0.0, 0.0, 4.0], abs=1e-12)


def test_gravity_is_added_where_the_truth_leaves_it_out(graph):
    graph.start({"truth_source": "imu", "gravity_included": False})
    given = ideals(2, force=(1.0, 0.0, 0.0), orientation=ROLLED)
    (sample,) = graph.send(given, "/imu/ideal")
    assert forces([sample])[0] == pytest.approx([1.0, G, 0.0], abs=1e-14)


def test_gravity_cannot_be_added_without_an_orientation(graph):
    graph.start({"truth_source": "imu", "gravity_included": False})
    given = [ideal(START), ideal(START + 10 * MS, orientation=None), ideal(START + 20 * MS)]
    samples = graph.send(given, "/imu/ideal")
    assert graph.counts == {"baseline": 1, "samples": 1, "invalid": 1}
    assert stamps(samples) == [START + 20 * MS]


def test_an_orientation_is_not_needed_for_what_has_gravity(graph):
    graph.start({"truth_source": "imu"})
    given = ideals(3, orientation=None)
    given[2].orientation = ideal(0, orientation=(0.0, 0.0, 0.0, 0.0)).orientation
    samples = graph.send(given, "/imu/ideal")
    assert graph.counts == {"baseline": 1, "samples": 2}
    assert forces(samples).tolist() == [[0.0, 0.0, G]] * 2


@pytest.mark.parametrize(
    "fault",
    [{"rate": (math.nan, 0.0, 0.0)}, {"force": (0.0, math.inf, 0.0)}],
    ids=["rate NaN", "force infinite"],
)
def test_an_ideal_imu_that_is_none_is_dropped(graph, fault):
    graph.start({"truth_source": "imu"})
    given = ideals(4)
    given[2] = ideal(START + 20 * MS, **fault)
    samples = graph.send(given, "/imu/ideal")
    assert graph.counts == {"baseline": 1, "samples": 2, "invalid": 1}
    assert np.isfinite(forces(samples)).all()


def test_truth_in_units_of_g_is_noticed_once(graph):
    graph.start({"truth_source": "imu"})
    graph.send(ideals(200, force=(0.0, 0.0, 1.0)), "/imu/ideal")
    (warning,) = [line for line in graph.warnings if "looks like g" in line]
    assert warning == (
        "the Imu truth is still with |linear_acceleration| near 1: it looks like g, but must be "
        "in m/s^2 (REP-145)"
    )


@pytest.mark.parametrize(
    "truth",
    [{}, {"force": (0.0, 0.0, 1.0), "rate": (0.1, 0.0, 0.0)}],
    ids=["in m/s^2", "falling and turning"],
)
def test_other_truth_is_not_taken_for_g(graph, truth):
    graph.start({"truth_source": "imu"})
    graph.send(ideals(200, **truth), "/imu/ideal")
    assert "looks like g" not in graph.log
