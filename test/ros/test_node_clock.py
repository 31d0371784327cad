"""Simulated time: when the clock jumps back the run begins again, once, in whatever order."""

import pytest
from graph import MS, SECOND, Clock, parked, rates, stamps

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
