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

"""What becomes of every truth message, by its stamp: nothing is lost, nothing is counted twice."""

import math

import numpy as np
import pytest
from graph import MS, SECOND, forces, odometry, parked, rates, stamps

START = 1000 * SECOND
NOISY = {
    "gyroscope.noise_density": 1e-3,
    "gyroscope.random_walk": 1e-3,
    "gyroscope.turn_on_bias_stddev": 0.1,
    "gyroscope.bias_instability": 1e-3,
    "accelerometer.noise_density": 1e-2,
    "accelerometer.bias_stddev": 0.1,
    "accelerometer.bias_correlation_time": 10.0,
}


def turning(stamp, rate=1.0):
    """A body that has turned about z at `rate` [rad/s] since START."""
    half = 0.5 * rate * ((stamp - START) / SECOND)
    orientation = (0.0, 0.0, math.sin(half), math.cos(half))
    return odometry(stamp, orientation=orientation, rate=(0.0, 0.0, rate))


def running(*intervals, start=START):
    """Stamps with these intervals [ns] between them."""
    return [start, *(start + total for total in np.cumsum(intervals).tolist())]


SEQUENCES = {
    "back to the start of a run": (
        [10_000 * MS, 10_010 * MS, 0, 10 * MS, 20 * MS],
        {"baseline": 1, "samples": 2, "stamp_zero": 1, "reset": 1},
        [1, 4],
    ),
    "no time yet": (
        [0, START, START + 10 * MS],
        {"stamp_zero": 1, "baseline": 1, "samples": 1},
        [2],
    ),
    "an hour without truth": (
        running(10 * MS, 3600 * SECOND, 10 * MS),
        {"baseline": 1, "samples": 2, "gap": 1},
        [1, 3],
    ),
    "every stamp twice": (
        running(0, *[10 * MS, 0] * 50),
        {"baseline": 1, "samples": 50, "same_stamp": 51},
        range(2, 102, 2),
    ),
    "a simulator that sometimes repeats a step": (
        running(2_532_500, 2_532_500, 2_532_500, 0, 5_065_000, 0),
        {"baseline": 1, "samples": 4, "same_stamp": 2},
        [1, 2, 3, 5],
    ),
    "every third interval of 3 us": (
        running(*[10 * MS, 10 * MS, 3_000] * 30, 10 * MS),
        {"baseline": 1, "samples": 61, "too_soon": 30},
        [k for k in range(1, 92) if k % 3],
    ),
    "late": (
        running(10 * MS, 10 * MS, -15 * MS, 25 * MS, -99 * MS, 109 * MS),
        {"baseline": 1, "samples": 4, "late": 2},
        [1, 2, 4, 6],
    ),
    "late by just less than the threshold, then by as much": (
        running(10 * MS, 90 * MS, -100 * MS + 1, -1, 10 * MS),
        {"baseline": 1, "samples": 3, "late": 1, "reset": 1},
        [1, 2, 5],
    ),
    "the shortest and the longest interval": (
        running(49_999, 1, 500 * MS, 500 * MS + 1, 50_000),
        {"baseline": 1, "too_soon": 1, "samples": 3, "gap": 1},
        [2, 3, 5],
    ),
}


@pytest.mark.parametrize("sequence", SEQUENCES.values(), ids=SEQUENCES)
def test_every_message_is_counted_once_and_the_rest_is_as_if_it_had_not_come(graph, sequence):
    given, counts, taken = sequence
    graph.start()
    samples = graph.send([turning(stamp) for stamp in given])
    assert graph.counts == counts
    assert stamps(samples) == [given[k] for k in taken]
    # Only with the right interval is the rate right; double precision leaves 1e-11 of 50 us.
    assert np.abs(rates(samples) - [0.0, 0.0, 1.0]).max() < 1e-10
    assert np.abs(forces(samples) - [0.0, 0.0, 9.80665]).max() < 1e-12


def test_one_warning_tells_of_a_reset(graph):
    graph.start()
    graph.send(parked(10_000 * MS, 10_010 * MS, 0, 10 * MS, 20 * MS))
    told = [line for line in graph.warnings if "back" in line]
    assert told == ["stamps went back from 10.010000000 s to 0.010000000 s: the run begins again"]


def test_thousands_of_messages_are_samples_or_counted(graph):
    graph.start()
    cycle = [4 * MS, 0, 4 * MS, 20_000, 4 * MS, -1 * MS, 5 * MS, 600 * MS]
    given = running(*cycle * 500)
    samples = graph.send(parked(*given))
    assert graph.counts == {
        "baseline": 1,
        "samples": 2000,
        "same_stamp": 500,
        "too_soon": 500,
        "late": 500,
        "gap": 500,
    }
    assert sum(graph.counts.values()) == len(given) == 4001
    assert graph.node._source.lost == 0
    assert len(samples) == 2000
    _, values = graph.diagnostics()
    assert {name: values[name] for name in ("received", "samples", "late", "gap")} == {
        "received": "4001",
        "samples": "2000",
        "late": "500",
        "gap": "500",
    }
    assert values["lost by the middleware"] == "0"


def test_stamps_come_out_as_they_went_in(graph):
    graph.start()
    given = [
        1_779_876_543_113_456_788,
        1_779_876_543_123_456_789,
        1_779_876_543_123_999_999,
        1_779_876_544_000_000_000,
        1_779_876_544_000_999_999,
    ]
    samples = graph.send(parked(*given))
    assert graph.counts == {"baseline": 1, "samples": 3, "gap": 1}
    assert stamps(samples) == [given[1], given[2], given[4]]
    assert (samples[0].header.stamp.sec, samples[0].header.stamp.nanosec) == (
        1_779_876_543,
        123_456_789,
    )


def test_the_same_run_twice_gives_the_same_samples_to_the_bit(graph):
    graph.start(NOISY)
    run = [turning(stamp) for stamp in running(*[10 * MS] * 500)]
    first, second = graph.send(run), graph.send(run)
    assert graph.counts == {"baseline": 1, "samples": 1000, "reset": 1}
    assert first == second
    assert np.std(rates(first), axis=0).min() > 0.005


def test_the_biases_live_through_a_gap(graph):
    """The node's samples are those of the model that is told of the gap, to the bit."""
    from imu_noise_node import ImuModel, ImuSpec, TriadSpec

    figures = {"noise_density": 1e-3, "random_walk": 0.01}
    graph.start({f"gyroscope.{name}": value for name, value in figures.items()})
    given = running(10 * MS, 10 * MS, 3600 * SECOND, 10 * MS, 10 * MS)
    samples = graph.send(parked(*given))

    model = ImuModel(ImuSpec(gyroscope=TriadSpec(**figures)), seed=0)
    expected = [model.step(0.01, (0, 0, 0), (0, 0, 9.80665)) for _ in range(2)]
    model.skip(3600.0)
    expected += [model.step(0.01, (0, 0, 0), (0, 0, 9.80665)) for _ in range(2)]
    assert rates(samples).tolist() == [m.angular_velocity.tolist() for m in expected]
    # 0.6 rad/s is what the walk has grown to in an hour; unseen, it would still be 1e-3.
    assert np.abs(rates(samples)[2:]).max() > 0.1


def test_truth_between_captures_is_averaged(graph):
    """400 Hz of truth at rate 300: 5 and 2.5 ms by turns, and no turning is thrown away."""
    graph.start({"rate": 300})
    given = running(*[2_500_000] * 400)
    angle = [0.3 * k * 2.5e-3 + 4.0 * (k * 2.5e-3) ** 2 for k in range(401)]
    truth = [
        odometry(
            stamp,
            orientation=(0.0, 0.0, math.sin(a / 2), math.cos(a / 2)),
            rate=(0.0, 0.0, 0.3 + 8.0 * k * 2.5e-3),
        )
        for k, (stamp, a) in enumerate(zip(given, angle, strict=True))
    ]
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 300, "between_captures": 100}
    taken = [k for k in range(1, 401) if k % 4 != 1]
    assert stamps(samples) == [given[k] for k in taken]
    turned = np.diff([angle[k] for k in [0, *taken]])
    dt = np.diff([0, *taken]) * 2.5e-3
    assert np.abs(rates(samples)[:, 2] - turned / dt).max() < 1e-11


def test_the_rate_can_be_changed_while_running(graph):
    graph.start({"rate": 400})
    given = running(*[2_500_000] * 400)
    graph.send(parked(*given[:201]))
    assert graph.counts == {"baseline": 1, "samples": 200}
    assert graph.set("rate", 100.0) == ""
    samples = graph.send(parked(*given[201:]))
    assert graph.counts == {"baseline": 1, "samples": 250, "between_captures": 150}
    assert set(np.diff(stamps(samples)).tolist()) == {10 * MS}
    assert stamps(samples)[0] == given[200] + 10 * MS


def test_a_disabled_node_counts_and_says_nothing(graph):
    graph.start({"enabled": False})
    assert graph.send(parked(*running(10 * MS))) == []
    assert graph.counts == {"disabled": 2}
    assert graph.set("enabled", True) == ""
    again = running(*[10 * MS] * 3, start=START + SECOND)
    assert stamps(graph.send(parked(*again))) == again[1:]
    assert graph.set("enabled", False) == ""
    assert graph.send(parked(again[-1] + 10 * MS, again[-1] + 20 * MS)) == []
    assert graph.counts == {"disabled": 4, "baseline": 1, "samples": 3}


def test_the_limits_are_parameters(graph):
    graph.start({"max_gap": 0.05, "min_interval": 0.005, "reset_threshold": 0.02})
    graph.send(parked(*running(4 * MS, 1 * MS, 51 * MS, 5 * MS, -19 * MS, -2 * MS)))
    assert graph.counts == {
        "baseline": 1,
        "too_soon": 1,
        "samples": 2,
        "gap": 1,
        "late": 1,
        "reset": 1,
    }
    assert graph.set_together({"max_gap": 1, "min_interval": 0}) == ""
    samples = graph.send(parked(*running(100, 900 * MS, start=2 * START)))
    assert [s - 2 * START for s in stamps(samples)] == [100, 100 + 900 * MS]
