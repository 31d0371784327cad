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

"""What goes wrong on a real graph: nothing that was promised is lost, and the node says what is.

Promised is that every message which reaches the node becomes a sample or is counted by reason,
that every sample is published, and that stamps go forward but where the run begins again.
"""

from __future__ import annotations

import itertools
import random
import resource
import signal
import sys
import time
from pathlib import Path
from subprocess import PIPE

import numpy as np
from graph import DEADLINE, MS, SECOND, Clock, Odometry, odometry, parked, stamps
from std_srvs.srv import Trigger

START = 1000 * SECOND
NODE = ("-m", "imu_noise_node.ros")

PUBLISHER = """
import sys, time, rclpy
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile

first, count = map(int, sys.argv[1:])
rclpy.init()
node = rclpy.create_node("truth")
publisher = node.create_publisher(Odometry, "/odom", QoSProfile(depth=10_000))
while not publisher.get_subscription_count():
    time.sleep(0.01)
message = Odometry()
message.pose.pose.orientation.w = 1.0
k = 0
while k != count:
    stamp = first + k * 1_000_000
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
    publisher.publish(message)
    k += 1
    time.sleep(0.0005)
time.sleep(60.0)
"""


def taken(graph):
    return sum(graph.counts.values())


def nothing_is_lost(graph, heard):
    """Wait until all samples that were made have come, and look at their stamps."""
    graph.until(lambda: len(heard) >= graph.counts["samples"], "the samples")
    assert len(heard) == graph.counts["samples"]
    assert graph.node._source.lost == 0


def backward(heard):
    """How often stamps did not go forward."""
    return int((np.diff(stamps(heard)) <= 0).sum())


def test_a_truth_publisher_is_killed_and_comes_back(graph, start):
    graph.start()
    heard = graph.hear("/imu/data_raw")
    for life in range(3):
        begin = START + life * 10 * SECOND
        endless = life < 2
        count = "-1" if endless else "500"
        process = start(sys.executable, "-c", PUBLISHER, str(begin), count)
        before, wanted = taken(graph), 200 if endless else 500
        graph.until(lambda n=before + wanted: taken(graph) >= n, "its truth")
        process.send_signal(signal.SIGKILL)
        process.wait()
    nothing_is_lost(graph, heard)
    assert graph.counts["baseline"] == 1
    assert graph.counts["gap"] == 2
    assert taken(graph) == graph.counts["samples"] + 3 >= 900
    assert backward(heard) == 0


def test_two_publishers_on_one_topic(graph):
    """The second lags: some stamps come twice, some late."""
    graph.start()
    heard = graph.hear("/imu/data_raw")
    publishers = [graph.publisher(Odometry, "/odom") for _ in range(2)]
    graph.until(lambda: all(p.get_subscription_count() for p in publishers), "the node")
    graph.until(lambda: graph.node._source.publishers == 2, "both publishers")
    messages = parked(*(START + k * MS for k in range(1000)))
    for k, message in enumerate(messages):
        publishers[0].publish(message)
        publishers[1].publish(messages[max(0, k - k % 3)])
        # Two by two: of what is lost and sent again, one publisher's may come after the other's by
        # more than is meant here.
        graph.until(lambda n=2 * (k + 1): taken(graph) >= n, "the truth of both", [graph.node])
    nothing_is_lost(graph, heard)
    assert taken(graph) == 2000
    assert graph.counts["samples"] == 999
    assert graph.counts["late"] + graph.counts["same_stamp"] == 1000
    assert backward(heard) == 0
    assert stamps(heard) == stamps(messages[1:])


def test_the_quality_of_service_changes_under_way(graph):
    graph.start()
    heard = graph.hear("/imu/data_raw")
    sent, number = 0, itertools.count()
    for reliable in (True, False, True, False):
        publisher = graph.publisher(Odometry, "/odom", reliable=reliable)
        before = taken(graph)

        def heard_of(publisher=publisher, before=before):
            """Publish until the node hears; a best-effort one begins with an event."""
            publisher.publish(odometry(START + next(number) * MS))
            return taken(graph) > before

        graph.until(heard_of, "the node to hear the publisher")
        graph.until(lambda n=before: taken(graph) > n, "what was sent")
        for _ in range(100):
            before = taken(graph)
            publisher.publish(odometry(START + next(number) * MS))
            graph.until(lambda n=before: taken(graph) > n, "a message")
        sent += 100
        graph.peer.destroy_publisher(publisher)
        graph.until(lambda: graph.node._source.publishers == 0, "the publisher to be gone")
    graph.until(lambda: len(heard) >= graph.counts["samples"], "the samples")
    assert len(heard) == graph.counts["samples"] >= sent - 1
    assert backward(heard) == 0
    assert graph.log.count("is best-effort: so is the subscription now") == 1


def test_the_clock_jumps_about(graph):
    random_ = random.Random(5)
    graph.start({"use_sim_time": True, "gyroscope.noise_density": 1e-3})
    heard = graph.hear("/imu/data_raw")
    clock = graph.matched(Clock, "/clock")
    truth = graph.matched(Odometry, "/odom")
    now, sent = START, 0
    for _ in range(30):
        now += random_.choice((1, 10**3, 10**6, 10**8, -(10**8), -(10**10), 10**11))
        message = Clock()
        message.clock.sec, message.clock.nanosec = divmod(now, SECOND)
        clock.publish(message)
        for k in range(20):
            truth.publish(odometry(now + k * MS))
        sent += 20
        now += 19 * MS
        if random_.random() < 0.5:
            graph.until(lambda n=sent: taken(graph) >= n, "the truth")
    graph.until(lambda: taken(graph) >= sent, "the truth")
    nothing_is_lost(graph, heard)
    assert taken(graph) == sent == 600
    begun = graph.log.count("the run begins again")
    assert 0 < begun <= 30
    assert backward(heard) <= begun


GOOD = {
    "gyroscope.noise_density": (1e-3, "0.01 deg/s/sqrt(Hz)", [1e-3, 0.0, 1e-4]),
    "accelerometer.random_walk": (0, 1e-4, "1e-5"),
    "accelerometer.bandwidth": (0.0, 80, 200.0),
    "rate": (0.0, 500.0, 333),
    "enabled": (True, False, True),
    "fault.mode": ("stuck", "none", "none"),
    "covariance": ("total", "sample", "sample"),
    "mount.translation": ([0.1, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.2, 0.0]),
    "delivery.dropout": (0.0, 0.0, 0.0),
}
BAD = {
    "gyroscope.noise_density": (-1.0, "5 parsec", float("nan"), [1.0, 2.0], True),
    "gyroscope.noise_densty": (1e-3,),
    "accelerometer.bandwidth": (float("inf"), "80 m"),
    "rate": (-5.0, "fast"),
    "enabled": ("yes", 1),
    "seed": (7,),
    "fault.mode": ("bias", "broken"),
    "profile": ("bmi088",),
    "max_gap": (0.0, 1e-9),
}


def test_a_storm_of_parameters_while_truth_comes_at_1_khz(graph):
    random_ = random.Random(6)
    graph.start()
    heard = graph.hear("/imu/data_raw")
    truth = graph.matched(Odometry, "/odom")
    count = accepted = refused = 0
    for _ in range(300):
        good = random_.random() < 0.5
        name = random_.choice(list(GOOD if good else BAD))
        value = random_.choice((GOOD if good else BAD)[name])
        for _ in range(10):
            truth.publish(odometry(START + count * MS))
            count += 1
        reason = graph.set(name, value)
        assert (reason == "") == good, (name, value, reason)
        assert "\n" not in reason
        accepted, refused = accepted + good, refused + (not good)
    graph.until(lambda: taken(graph) >= count, "the truth")
    nothing_is_lost(graph, heard)
    assert taken(graph) == count == 3000
    assert min(accepted, refused) > 100
    assert backward(heard) == 0
    assert graph.log.count("Traceback") == 0


def is_in_charge(process):
    """Whether the node's code runs yet, and not still that which starts Python."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1


def test_it_ends_well_whenever_it_is_told_to(start):
    """At moments of its start, too, spread over more than it takes; all at once."""
    moments = [0.2 * k for k in range(10)]
    signals = [signal.SIGINT, signal.SIGTERM] * 5
    processes = [start(*NODE, stdout=PIPE, stderr=PIPE) for _ in moments]
    deadline = time.monotonic() + DEADLINE
    while not all(map(is_in_charge, processes)):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    begun = time.monotonic()
    for process, moment, number in zip(processes, moments, signals, strict=True):
        time.sleep(max(0.0, begun + moment - time.monotonic()))
        process.send_signal(number)
    for process, moment in zip(processes, moments, strict=True):
        _, stderr = process.communicate(timeout=60)
        assert "Traceback" not in stderr, (moment, stderr)
        assert process.returncode == 0, (moment, stderr)


def test_a_full_disk_costs_the_checkpoint_and_nothing_else(graph, tmp_path):
    path = tmp_path / "run.json"
    graph.start({"gyroscope.noise_density": 1e-3, "checkpoint.path": str(path)})
    ask = lambda: graph.call(Trigger, "/imu_noise/checkpoint", Trigger.Request())  # noqa: E731
    assert len(graph.send(parked(*(START + k * MS for k in range(10))))) == 9
    assert ask().success
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        answer = ask()
        more = graph.send(parked(*(START + k * MS for k in range(10, 20))))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not answer.success
    assert answer.message == f"checkpoint = '{path}': cannot be written: File too large"
    assert len(more) == 10
    assert path.read_bytes() == before
    assert {found.name for found in tmp_path.iterdir()} <= {path.name, "ros_log"}
    assert ask().success
    assert path.read_bytes() != before
