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

"""Latency, jitter and drop-out of the node, with time from /clock."""

from graph import MS, SECOND, Clock, parked, stamps

START = 1000 * SECOND


def tick(graph, publisher, now):
    """Let the time be `now` [ns] and wait until the node has taken it in."""
    message = Clock()
    message.clock.sec, message.clock.nanosec = divmod(now, SECOND)
    publisher.publish(message)
    clock = graph.node.get_clock()
    graph.until(lambda: clock.now().nanoseconds == now, "the time", [graph.node])


def feed(graph, publisher, truth):
    """Publish one truth message and wait until it is counted."""
    before = sum(graph.counts.values())
    publisher.publish(truth)
    graph.until(lambda: sum(graph.counts.values()) > before, "the truth", [graph.node])


def began(graph, **delivery):
    parameters = {f"delivery.{name}": value for name, value in delivery.items()}
    graph.start({"use_sim_time": True, "gyroscope.noise_density": 1e-3, **parameters})
    clock = graph.matched(Clock, "/clock")
    odometry = graph.matched(type(parked(1)[0]), "/odom")
    return clock, odometry, graph.hear("/imu/data_raw")


def test_samples_wait_for_their_time_and_keep_their_stamps(graph):
    clock, odometry, heard = began(graph, latency=0.035)
    captures = [START + 10 * k * MS for k in range(11)]
    for now, truth in zip(captures, parked(*captures), strict=True):
        tick(graph, clock, now)
        feed(graph, odometry, truth)
    # Due are those of up to 35 ms before.
    graph.until(lambda: len(heard) == 6, "the samples that are due")
    tick(graph, clock, START + 200 * MS)
    graph.until(lambda: len(heard) == 10, "the rest")
    assert stamps(heard) == captures[1:]


def test_a_clock_that_stands_still_holds_them_back(graph):
    clock, odometry, heard = began(graph, latency=0.5)
    captures = [START + 10 * k * MS for k in range(4)]
    tick(graph, clock, START)
    for truth in parked(*captures):
        feed(graph, odometry, truth)
    graph.diagnostics()
    assert heard == []
    tick(graph, clock, START + 500 * MS)
    graph.until(lambda: len(heard) == 3, "all of them")


def test_what_is_on_its_way_at_the_end_is_published(graph):
    clock, odometry, heard = began(graph, latency=10.0)
    captures = [START + 10 * k * MS for k in range(4)]
    tick(graph, clock, START)
    for truth in parked(*captures):
        feed(graph, odometry, truth)
    graph.node.finish()
    graph.until(lambda: len(heard) == 3, "what was on its way")
    assert stamps(heard) == captures[1:]


def test_samples_that_get_lost_are_counted(graph):
    clock, odometry, heard = began(graph, dropout=0.3)
    tick(graph, clock, START)
    for truth in parked(*(START + 10 * k * MS for k in range(201))):
        feed(graph, odometry, truth)
    dropped = int(graph.diagnostics()[1]["samples dropped in delivery"])
    graph.until(lambda: len(heard) == 200 - dropped, "the samples that are left")
    # Binomial, n = 200, p = 0.3: within 33 of 60 but once in 3e6 runs.
    assert 27 < dropped < 93


def test_without_a_simulated_clock_a_timer_brings_them(graph):
    graph.start({"delivery.latency": 0.05, "delivery.jitter": 0.02})
    captures = [START + 10 * k * MS for k in range(21)]
    odometry = graph.matched(type(parked(1)[0]), "/odom")
    heard = graph.hear("/imu/data_raw")
    for truth in parked(*captures):
        odometry.publish(truth)
    graph.until(lambda: len(heard) == 20, "all of them")
    assert stamps(heard) == captures[1:]


def test_the_numbers_do_not_depend_on_delivery(graph):
    noise = {"gyroscope.noise_density": 1e-3}
    truth = parked(*(START + 10 * k * MS for k in range(11)))
    graph.start(noise, namespace="/prompt")
    prompt = graph.send(truth, "/prompt/odom", "/prompt/imu/data_raw")
    graph.start({**noise, "delivery.latency": 0.02, "delivery.jitter": 0.01}, namespace="/late")
    odometry = graph.matched(type(truth[0]), "/late/odom")
    late = graph.hear("/late/imu/data_raw")
    for message in truth:
        odometry.publish(message)
    graph.until(lambda: len(late) == 10, "the samples")
    assert late == prompt
