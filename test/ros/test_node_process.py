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

"""The node as a process: how it starts, and that it ends well whenever it is told to."""

import contextlib
import os
import signal
import threading
import time
from subprocess import PIPE, TimeoutExpired

import pytest
from graph import (
    DEADLINE,
    MS,
    SECOND,
    DiagnosticArray,
    Graph,
    Imu,
    Odometry,
    Vector3Stamped,
    odometry,
    parked,
    rates,
    stamps,
)

START = 1000 * SECOND
NODE = ("-m", "imu_noise_node.ros.node")


@pytest.fixture
def peer(domain, capfd):
    """Return a Graph without a node; the node is another process."""
    graph = Graph(domain, lambda: capfd.readouterr().err)
    yield graph
    graph.close()


class Lines:
    """What a process writes to stderr, line by line while it runs."""

    def __init__(self, process):
        self.all = []
        self._reader = threading.Thread(target=self._read, args=(process.stderr,))
        self._reader.start()

    def _read(self, stream):
        for line in stream:
            self.all.append(line.rstrip("\n"))

    def text(self):
        """All of it; waits for the process to end."""
        self._reader.join()
        return "\n".join(self.all)


@pytest.fixture
def run(start):
    """Return a function that starts the node with these arguments."""

    def run(*arguments, **environment):
        process = start(
            *NODE, *arguments, stderr=PIPE, stdout=PIPE, env={**os.environ, **environment}
        )
        return process, Lines(process)

    return run


def finish(process, lines):
    """Return exit code and stderr of a process that has been told to end."""
    code = process.wait(timeout=30)
    return code, lines.text()


def until_heard(peer, publisher, heard):
    """Publish until samples come; return the stamp of the last message."""
    sent = 0

    def publish():
        nonlocal sent
        sent += 1
        publisher.publish(odometry(START + sent * MS))
        return heard

    peer.until(publish, "a first sample")
    return START + sent * MS


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_an_idle_node_ends_with_0_and_no_word(peer, run, stop):
    process, lines = run()
    peer.until(lambda: peer.peer.count_subscribers("/odom"), "the node")
    peer.until(lambda: any("set a profile" in line for line in lines.all), "its greeting")
    process.send_signal(stop)
    code, stderr = finish(process, lines)
    assert code == 0
    assert "Traceback" not in stderr
    assert [line for line in lines.all if not line.startswith(("[INFO]", "[WARN]"))] == []


@pytest.fixture
def flood():
    """Return a function that publishes from a thread for as long as the test lasts, at 1 kHz."""
    over = threading.Event()
    threads = []

    def start(publisher, stamp):
        def publish():
            k = 0
            while not over.wait(0.001):
                k += 1
                publisher.publish(odometry(stamp + k * MS))

        threads.append(threading.Thread(target=publish))
        threads[-1].start()

    yield start
    over.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("attempt", range(3))
def test_under_traffic_it_ends_as_well(peer, run, flood, stop, attempt):
    process, lines = run("--ros-args", "-p", "profile:=bmi088")
    heard = []
    peer.peer.create_subscription(Imu, "/imu/data_raw", heard.append, 1000)
    publisher = peer.publisher(Odometry, "/odom")
    flood(publisher, until_heard(peer, publisher, heard))
    count = len(heard) + 100 * (attempt + 1)
    peer.until(lambda: len(heard) >= count, "the node to be at work")
    process.send_signal(stop)
    code, stderr = finish(process, lines)
    assert code == 0
    assert [line for line in lines.all if not line.startswith(("[INFO]", "[WARN]"))] == [], stderr


def test_more_interrupts_do_no_harm(peer, run):
    process, lines = run()
    peer.until(lambda: peer.peer.count_subscribers("/odom"), "the node")
    peer.until(lambda: any("set a profile" in line for line in lines.all), "its greeting")
    deadline = time.monotonic() + DEADLINE
    while process.poll() is None and time.monotonic() < deadline:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(TimeoutExpired):
            process.wait(timeout=0.001)
    code, stderr = finish(process, lines)
    assert code == 0, stderr
    assert "Traceback" not in stderr


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("gyroscope.noise_densty:=0.001", "did you mean 'gyroscope.noise_density'?"),
        ("gyroscope.noise_density:=-0.001", "gyroscope.noise_density = -0.001: must be"),
        ("gyroscope.noise_density:=[0, 0.001]", "write 0.0, not 0, beside 0.001"),
    ],
)
def test_a_bad_parameter_is_one_sentence_and_exit_code_2(domain, run, argument, sentence):
    process, lines = run("--ros-args", "-p", argument)
    code, stderr = finish(process, lines)
    assert code == 2
    assert sentence in lines.all[-1]
    assert lines.all[-1].startswith("imu_noise_node: ")
    # rcl's parser may have had a word of its own before.
    assert all(line.startswith("[ERROR]") for line in lines.all[:-1])
    assert "Traceback" not in stderr


@pytest.mark.parametrize(
    ("truth", "topic"), [("odometry", "odom"), ("imu", "imu/ideal")], ids=["odometry", "imu"]
)
def test_a_node_that_would_hear_itself_is_refused(domain, run, truth, topic):
    remaps = ("-r", f"{topic}:=/one", "-r", "imu/data_raw:=/one")
    process, lines = run("--ros-args", "-p", f"truth_source:={truth}", *remaps)
    code, _ = finish(process, lines)
    assert code == 2
    told = f"imu_noise_node: {topic} = '/one': is published by this node itself: remap one"
    assert lines.all[-1] == told


def test_the_first_thing_it_says_is_what_holds(peer, run):
    process, lines = run("--ros-args", "-p", "profile:=adis16470", "-p", "rate:=200")
    peer.until(lambda: any("accelerometer" in line for line in lines.all), "its greeting")
    said = [line.split("]: ", 1)[1] for line in lines.all]
    assert said[:3] == [
        "truth from /odom, seed 0",
        "gyroscope (profile adis16470): noise density 9.89e-05 rad/s/sqrt(Hz); sigma per sample "
        "0.001399 rad/s at 200 Hz; bias_instability 3.879e-05; range 34.91",
        "accelerometer (profile adis16470): noise density 0.0006167 m/s^2/sqrt(Hz); sigma per "
        "sample 0.008721 m/s^2 at 200 Hz; bias_instability 0.0001275; range 392.3",
    ]
    process.send_signal(signal.SIGINT)
    assert finish(process, lines)[0] == 0


def test_it_runs_under_rclpys_field_checks(peer, run):
    """ROS_PYTHON_CHECK_FIELDS=1 turns a number of the wrong type in a message into an error."""
    process, lines = run(
        *("--ros-args", "-p", "profile:=bmi088", "-p", "orientation:=truth"),
        *("-p", "angular_velocity_stddev:=1"),
        ROS_PYTHON_CHECK_FIELDS="1",
    )
    full, truths, reports = [], [], []
    peer.peer.create_subscription(Imu, "/imu/data", full.append, 1000)
    peer.peer.create_subscription(Imu, "/imu_noise/truth", truths.append, 1000)
    peer.peer.create_subscription(Vector3Stamped, "/imu_noise/bias/gyroscope", truths.append, 1000)
    peer.peer.create_subscription(DiagnosticArray, "/diagnostics", reports.append, 10)
    publisher = peer.publisher(Odometry, "/odom")
    until_heard(peer, publisher, full)
    peer.until(lambda: truths and reports, "the rest")
    assert peer.set("accelerometer.noise_density", [0, 1, 2]) == ""
    process.send_signal(signal.SIGINT)
    code, stderr = finish(process, lines)
    assert (code, "Traceback" in stderr) == (0, False), stderr


def test_processes_of_one_seed_say_the_same(peer, run):
    """Each hears something else at first, and then the same run from its beginning."""
    given = [START // 2 + k * 5 * MS for k in range(400)]
    outputs = []
    for name in ("/a", "/b"):
        process, lines = run(
            *("--ros-args", "-r", f"__ns:={name}", "-p", "profile:=bmi088", "-p", "seed:=3")
        )
        heard = []
        peer.listen(f"{name}/imu/data_raw", Imu, heard.append)
        publisher = peer.matched(Odometry, f"{name}/odom")
        until_heard(peer, publisher, heard)
        for message in parked(*given):
            publisher.publish(message)
        peer.until(lambda heard=heard: stamps(heard[-1:]) == given[-1:], "the last sample")
        assert stamps(heard[-399:]) == given[1:]
        outputs.append(heard[-399:])
        process.send_signal(signal.SIGINT)
        assert finish(process, lines)[0] == 0
    assert outputs[0] == outputs[1]
    assert rates(outputs[0]).std() > 1e-3
