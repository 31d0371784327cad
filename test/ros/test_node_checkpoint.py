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

"""Checkpoints of the node: a run that was interrupted goes on."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from graph import MS, SECOND, Odometry, parked, rates, stamps
from std_srvs.srv import Trigger

from imu_noise_node import ImuNoiseError

START = 1000 * SECOND
NOISY = {
    "gyroscope.noise_density": 1e-3,
    "gyroscope.random_walk": 1e-2,
    "gyroscope.turn_on_bias_stddev": 0.1,
    "delivery.dropout": 0.1,
}


def ticks(first, last):
    return parked(*(START + k * 10 * MS for k in range(first, last)))


def values(messages):
    return rates(messages).tolist()


def feed(graph, heard, messages, topic="/odom"):
    """Publish truth; return what came out of it."""
    publisher = graph.matched(Odometry, topic)
    before = sum(graph.counts.values())
    for message in messages:
        publisher.publish(message)
    graph.until(lambda: sum(graph.counts.values()) == before + len(messages), "the truth")
    dropped = graph.node._instruments[""].delivery.dropped
    count = graph.counts["samples"] - dropped
    graph.until(lambda: len(heard) >= count, "the samples")
    return heard


def test_a_resumed_run_equals_the_uninterrupted_one_to_the_bit(graph, tmp_path):
    path = tmp_path / "run.json"
    graph.start(NOISY, namespace="/whole")
    whole = feed(graph, graph.hear("/whole/imu/data_raw"), ticks(0, 60), "/whole/odom")
    graph.start({**NOISY, "checkpoint.path": str(path)}, namespace="/first")
    first = feed(graph, graph.hear("/first/imu/data_raw"), ticks(0, 30), "/first/odom")
    answer = graph.call(Trigger, "/first/imu_noise/checkpoint", Trigger.Request())
    assert (answer.success, answer.message) == (True, f"written to {path}")
    resumed = {**NOISY, "checkpoint.path": str(path), "checkpoint.resume": True}
    graph.start(resumed, namespace="/second")
    assert f"the run goes on from {path}" in graph.log
    heard = graph.hear("/second/imu/data_raw")
    counted = graph.counts["samples"] - graph.node._instruments[""].delivery.dropped
    assert counted == len(first)
    publisher = graph.matched(Odometry, "/second/odom")
    for message in ticks(30, 60):
        publisher.publish(message)
    graph.until(lambda: len(first) + len(heard) == len(whole), "the rest")
    assert values(first) + values(heard) == values(whole)
    assert graph.counts["samples"] == 59


@pytest.mark.parametrize("cleared", [False, True])
def test_a_fault_that_was_set_live_goes_on(graph, tmp_path, cleared):
    """The parameter of the new node says otherwise: what acts is part of the run."""
    path = tmp_path / "run.json"
    given = {**NOISY, "checkpoint.path": str(path)}
    drift = {"fault.target": "gyroscope", "fault.magnitude": 0.5, "fault.mode": "drift"}
    graph.start({**given, **(drift if cleared else {})}, namespace="/first")
    first = feed(graph, graph.hear("/first/imu/data_raw"), ticks(0, 10), "/first/odom")
    if cleared:
        assert graph.call(Trigger, "/first/imu_noise/clear_faults", Trigger.Request()).success
    else:
        assert graph.set_together(drift, "/first/imu_noise") == ""
    feed(graph, first, ticks(10, 30), "/first/odom")
    assert graph.call(Trigger, "/first/imu_noise/checkpoint", Trigger.Request()).success
    before = len(first)
    feed(graph, first, ticks(30, 60), "/first/odom")
    start = {**given, **(drift if cleared else {}), "checkpoint.resume": True}
    graph.start(start, namespace="/second")
    second = graph.hear("/second/imu/data_raw")
    publisher = graph.matched(Odometry, "/second/odom")
    for message in ticks(30, 60):
        publisher.publish(message)
    graph.until(lambda: len(second) == len(first) - before, "the rest")
    assert values(second) == values(first[before:])
    assert graph.counts["samples"] == 59


def test_without_a_path_there_is_no_checkpoint(graph):
    graph.start()
    answer = graph.call(Trigger, "/imu_noise/checkpoint", Trigger.Request())
    assert not answer.success
    assert answer.message == "checkpoint.path = '': must be given"


def test_a_checkpoint_needs_a_folder_that_exists(graph, tmp_path):
    path = str(tmp_path / "none" / "run.json")
    with pytest.raises(ImuNoiseError, match=r"checkpoint.path = .*: must be in a folder that ex"):
        graph.start({"checkpoint.path": path})


def test_a_first_run_has_nothing_to_go_on_from(graph, tmp_path):
    path = str(tmp_path / "none.json")
    graph.start({"checkpoint.path": path, "checkpoint.resume": True})
    assert len(graph.send(ticks(0, 3))) == 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": 5}, "is of a run with another seed: it had 0, and now has 5"),
        (
            {"gyroscope.noise_density": 2e-3, "gyroscope.range": 1.0},
            r"other figures: gyroscope.noise_density was 0.001 and is 0.002; gyroscope.range was "
            r"not given and is 1.0 \(what was changed",
        ),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(graph, tmp_path, change, sentence):
    path = str(tmp_path / "run.json")
    graph.start({**NOISY, "checkpoint.path": path})
    assert graph.call(Trigger, "/imu_noise/checkpoint", Trigger.Request()).success
    with pytest.raises(ImuNoiseError, match=sentence):
        graph.start({**NOISY, **change, "checkpoint.path": path, "checkpoint.resume": True})


def test_a_run_that_was_killed_goes_on(graph, tmp_path):
    path = tmp_path / "run.json"
    parameters = {
        "gyroscope.noise_density": 1e-3,
        "gyroscope.turn_on_bias_stddev": 1.0,
        "checkpoint.path": str(path),
        "checkpoint.period": 0.05,
    }
    arguments = [p for name, value in parameters.items() for p in ("-p", f"{name}:={value}")]
    process = subprocess.Popen(
        [sys.executable, "-m", "imu_noise_node.ros.node", "--ros-args", *arguments],
        env={**os.environ, "ROS_DOMAIN_ID": str(graph._domain)},
        stderr=subprocess.DEVNULL,
    )
    try:
        heard = graph.hear("/imu/data_raw")
        publisher = graph.matched(Odometry, "/odom")
        for k, message in enumerate(ticks(0, 50)):
            publisher.publish(message)
            graph.until(lambda k=k: len(heard) >= k, f"sample {k}", [graph.peer])
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    graph.start({**parameters, "checkpoint.resume": True})
    # What came after the last checkpoint is forgotten.
    counted = graph.counts["samples"]
    assert 44 <= counted <= 49
    feed_to_node = graph.matched(Odometry, "/odom")
    # The dead one counts, too, until its lease is over.
    graph.until(lambda: feed_to_node.get_subscription_count() > 1, "the node beside the dead one")
    graph.hear("/imu/data_raw")
    for message in ticks(50, 81):
        feed_to_node.publish(message)
    graph.until(lambda: graph.counts["samples"] == counted + 31, "the rest")
    graph.until(lambda: len(heard) == 49 + 31, "what came of it")
    # The same bias of some rad/s before and after, but for noise of 0.01 rad/s: the means of 49
    # and 31 samples agree within 6 sigma but once in 1e8 runs.
    before, after = rates(heard[:49]).mean(axis=0), rates(heard[49:]).mean(axis=0)
    assert np.abs(before - after).max() < 6.0 * 0.01 * (1.0 / 49.0 + 1.0 / 31.0) ** 0.5
    assert len(set(stamps(heard))) == len(heard)
