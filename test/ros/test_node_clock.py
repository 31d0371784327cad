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

"""Simulated time: when the clock jumps back the run begins again, once, in whatever order."""

import time

import numpy as np
import pytest
from graph import MS, SECOND, Clock, DiagnosticStatus, parked, rates, stamps

from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.spec import ImuSpec, TriadSpec

START = 1000 * SECOND
NOISY = {
    "use_sim_time": True,
    "gyroscope.noise_density": 1e-3,
    "gyroscope.random_walk": 0.1,
    "gyroscope.turn_on_bias_stddev": 0.1,
}


def ticks(count, start=START):
    return parked(*(start + k * 10 * MS for k in range(count)))


@pytest.fixture
def clock(graph):
    """Return a function that sets the simulated time and waits until the node knows it."""

    def tell(stamp):
        publisher = graph.matched(Clock, "/clock")
        message = Clock()
        message.clock.sec, message.clock.nanosec = divmod(stamp, SECOND)
        publisher.publish(message)
        now = graph.node.get_clock().now
        graph.until(lambda: now().nanoseconds == stamp, f"the clock to show {stamp} ns")

    return tell


def beginnings(graph):
    return [line for line in graph.warnings if "the run begins again" in line]


def play(graph, clock, count=100, lag=0):
    """Play one pass of a bag; the clock is ahead of the truth by `lag` [ns]."""
    samples = []
    for k in range(0, count, 10):
        clock(START + k * 10 * MS + lag)
        samples += graph.send(ticks(10, START + k * 10 * MS))
    return samples


def test_the_clock_goes_back_first(graph, clock):
    graph.start(NOISY)
    first = play(graph, clock)
    second = play(graph, clock)
    assert graph.counts == {"baseline": 2, "samples": 198}
    assert first == second
    assert beginnings(graph) == ["time jumped back to 1000.000000000 s: the run begins again"]


def test_the_truth_goes_back_first(graph, clock):
    graph.start(NOISY)
    first = play(graph, clock)
    second = graph.send(ticks(10))
    clock(START + 90 * MS)
    second += graph.send(ticks(90, START + 100 * MS))
    assert graph.counts == {"baseline": 1, "samples": 198, "reset": 1}
    assert first == second
    assert beginnings(graph) == [
        "stamps went back from 1000.990000000 s to 1000.000000000 s: the run begins again"
    ]


def test_the_truth_goes_back_first_and_is_ahead_of_the_clock(graph, clock):
    """The clock of the new pass is older than its first messages: still one beginning."""
    graph.start(NOISY)
    first = play(graph, clock)
    second = graph.send(ticks(10))
    clock(START)
    second += graph.send(ticks(90, START + 100 * MS))
    assert len(beginnings(graph)) == 1
    assert first == second
    assert graph.counts == {"baseline": 1, "samples": 198, "reset": 1}


def test_truth_of_the_last_pass_straggles_in(graph, clock):
    """What was on its way when the clock went back belongs to no run."""
    graph.start(NOISY)
    first = play(graph, clock)
    clock(START)
    assert graph.send(ticks(2, START + 1000 * MS)) == []
    second = graph.send(ticks(100))
    assert stamps(second) == stamps(first)
    assert first == second
    assert len(beginnings(graph)) == 1


def test_a_small_step_back_of_the_clock_begins_a_run_too(graph, clock):
    """Whoever turns the clock back, however little, has begun again."""
    graph.start(NOISY)
    first = play(graph, clock, 10)
    clock(START + 50 * MS)
    clock(START)
    second = graph.send(ticks(10))
    assert first == second
    assert len(beginnings(graph)) >= 1


def test_the_start_of_the_clock_is_no_jump(graph, clock):
    """A simulation that runs already when the node starts."""
    graph.start(NOISY)
    samples = graph.send(ticks(10))
    clock(START + 50 * MS)
    samples += graph.send(ticks(10, START + 100 * MS))
    assert graph.counts == {"baseline": 1, "samples": 19}
    assert beginnings(graph) == []
    assert len(samples) == 19


def test_a_clock_that_only_goes_on_changes_nothing(graph, clock):
    graph.start(NOISY)
    plain = graph.start({k: v for k, v in NOISY.items() if k != "use_sim_time"}, namespace="/p")
    graph.node, plain = graph._nodes()
    timed = play(graph, clock, lag=3 * SECOND)
    graph.node = plain
    untimed = graph.send(ticks(100), "/p/odom", "/p/imu/data_raw")
    assert rates(timed).tolist() == rates(untimed).tolist()
    assert beginnings(graph) == []


def test_simulated_time_may_be_switched_on_while_running(graph, clock):
    graph.start({k: v for k, v in NOISY.items() if k != "use_sim_time"})
    graph.send(ticks(10))
    assert graph.set("use_sim_time", True) == ""
    clock(START + 100 * MS)
    graph.send(ticks(10, START + 100 * MS))
    assert graph.counts == {"baseline": 1, "samples": 19}
    assert beginnings(graph) == []


def test_a_clock_that_starts_late_is_waited_for(graph, clock):
    """Until there is a time, whatever is simulated has none for its stamps either."""
    graph.start(NOISY)
    heard = graph.hear("/imu/data_raw")
    assert graph.send(parked(*[0] * 5)) == []
    status, _ = graph.diagnostics()
    awaited = "use_sim_time is true, and nothing has come on /clock yet"
    assert (status.level, status.message) == (DiagnosticStatus.WARN, awaited)
    graph.diagnostics()
    assert graph.warnings.count(f"waiting for time: {awaited}") == 1
    assert heard == []
    clock(START)
    assert len(graph.send(ticks(10))) == 9
    assert graph.counts == {"stamp_zero": 5, "baseline": 1, "samples": 9}
    status, _ = graph.diagnostics()
    assert status.level == DiagnosticStatus.OK


@pytest.mark.parametrize(
    ("factor", "captures", "hertz"), [(0.1, 10, 100), (20.0, 400, 100), (5.0, 100, 10)]
)
def test_how_fast_time_goes_makes_no_difference(graph, clock, factor, captures, hertz):
    """Slow motion, time lapse, and a clock coarser than the truth, with samples on their way."""
    density = 1e-3
    graph.start(
        {
            "use_sim_time": True,
            "seed": 7,
            "gyroscope.noise_density": density,
            "delivery.latency": 0.035,
        }
    )
    heard = graph.hear("/imu/data_raw")
    messages = ticks(captures + 1)
    publisher = graph.matched(type(messages[0]), "/odom")
    begin = time.monotonic()
    for k, message in enumerate(messages):
        if k % (100 // hertz) == 0:
            clock(START + k * 10 * MS)
        publisher.publish(message)
        due = begin + k * 0.01 / factor
        graph.until(
            lambda k=k, due=due: sum(graph.counts.values()) > k and time.monotonic() >= due,
            "its time",
        )
    assert graph.counts == {"baseline": 1, "samples": captures}
    assert len(heard) < captures
    clock(START + captures * 10 * MS + 100 * MS)
    graph.until(lambda: len(heard) == captures, "the last samples")
    assert stamps(heard) == [START + k * 10 * MS for k in range(1, captures + 1)]
    still = np.zeros((captures, 3))
    model = ImuModel(ImuSpec(gyroscope=TriadSpec(noise_density=density)), 7)
    expected = model.run(np.full(captures, 0.01), still, still).angular_velocity
    assert rates(heard).tolist() == expected.tolist()
