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

"""What a perfect sensor feels: known motions in, what must be read out."""

import math

import numpy as np
import pytest
from graph import IDENTITY, MS, SECOND, G, forces, odometry, parked, rates, stamps

START = 1000 * SECOND
UPRIGHT = (0.0, 0.0, G)
ROLLED = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
"""By +90 degrees about x: the left side up."""


def times(count, step=10 * MS):
    """Stamps [ns] and the seconds since the first."""
    return [(START + k * step, k * step / SECOND) for k in range(count)]


def yawed(angle):
    return (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))


def test_a_quaternion_and_its_negative_are_one_attitude(graph):
    graph.start()
    truth = [
        odometry(
            stamp,
            orientation=np.multiply(yawed(t), -1.0 if k >= 100 else 1.0),
            rate=(0.0, 0.0, 1.0),
        )
        for k, (stamp, t) in enumerate(times(200))
    ]
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 199}
    assert np.abs(rates(samples) - [0.0, 0.0, 1.0]).max() < 1e-12
    assert np.abs(forces(samples) - UPRIGHT).max() < 1e-12


@pytest.mark.parametrize(
    ("orientation", "force"),
    [(IDENTITY, UPRIGHT), (ROLLED, (0.0, G, 0.0)), (yawed(2.0), UPRIGHT)],
    ids=["level", "rolled", "turned"],
)
def test_at_rest_only_the_support_is_felt(graph, orientation, force):
    graph.start()
    samples = graph.send([odometry(stamp, orientation=orientation) for stamp, _ in times(5)])
    assert len(samples) == 4
    assert not rates(samples).any()
    assert np.abs(forces(samples) - force).max() < 1e-14


def test_in_free_fall_nothing_is_felt(graph):
    graph.start()
    truth = [
        odometry(stamp, position=(0.0, 0.0, -0.5 * G * t * t), velocity=(0.0, 0.0, -G * t))
        for stamp, t in times(100)
    ]
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 99}
    assert np.abs(forces(samples)).max() < 1e-12


def circling(twist_frame="body", speed=2.0, rate=1.0):
    """Circle anticlockwise, looking ahead."""
    radius = speed / rate
    return [
        odometry(
            stamp,
            position=(radius * math.sin(rate * t), radius * (1.0 - math.cos(rate * t)), 0.0),
            orientation=yawed(rate * t),
            velocity=(speed, 0.0, 0.0)
            if twist_frame == "body"
            else (speed * math.cos(rate * t), speed * math.sin(rate * t), 0.0),
            rate=(0.0, 0.0, rate),
        )
        for stamp, t in times(100)
    ]


@pytest.mark.parametrize(
    ("twist_frame", "error"),
    # From the second interval on. Accelerations from positions alone come half an interval
    # late: here they change by 2 m/s^3 for 5 ms.
    [("body", 1e-10), ("world", 1e-10), ("pose", 0.0101)],
)
def test_on_a_circle_the_centre_pulls(graph, twist_frame, error):
    graph.start({"twist_frame": twist_frame})
    samples = graph.send(circling(twist_frame))
    spare = 2 if twist_frame == "pose" else 1
    assert graph.counts == {"baseline": spare, "samples": 100 - spare}
    assert np.abs(rates(samples) - [0.0, 0.0, 1.0]).max() < 1e-12
    assert np.abs(forces(samples[1:]) - [0.0, 2.0, G]).max() < error
    # The very first has no neighbour to tell it how the force changes.
    assert np.abs(forces(samples[:1]) - [0.0, 2.0, G]).max() < max(2e-5, 1.2 * error)
    assert not [line for line in graph.warnings if "twist_frame" in line]


@pytest.mark.parametrize(("told", "said"), [("body", "world"), ("world", "body")])
def test_a_twist_in_the_other_frame_is_pointed_out_once(graph, told, said):
    graph.start({"twist_frame": told})
    truth = circling(said, speed=1.0, rate=2.0)
    graph.send(truth)
    for message in truth:
        message.header.stamp.sec += 1
    graph.send(truth)
    (warning,) = [line for line in graph.warnings if "twist" in line]
    assert f"set twist_frame to '{said}' (now '{told}')" in warning


def test_away_from_the_axis_turning_is_felt(graph):
    """At 4 rad/s half a metre from the axis: 8 m/s^2 inwards; 2 rad/s^2 push with 1 m/s^2."""
    graph.start({"mount.translation": [0.5, 0.0, 0.0]})
    steps = times(200, 1 * MS)
    truth = [
        odometry(
            stamp,
            orientation=yawed(4.0 * (t - 0.1) + (t - 0.1) ** 2),
            rate=(0.0, 0.0, 4.0 + 2.0 * (t - 0.1)),
        )
        for stamp, t in steps
    ]
    samples = graph.send(truth)
    assert len(samples) == 199
    w = 4.0 + 2.0 * (np.array([t for _, t in steps]) - 0.1)
    mean_square = (w[1:] ** 2 + w[1:] * w[:-1] + w[:-1] ** 2) / 3.0
    assert np.abs(rates(samples)[:, 2] - 0.5 * (w[1:] + w[:-1])).max() < 1e-11
    felt = forces(samples)[1:]
    assert np.abs(felt[:, 0] + 0.5 * mean_square[1:]).max() < 2e-8
    assert np.abs(felt[:, 1] - 1.0).max() < 1e-8
    at_four = felt[98:100].mean(axis=0)
    assert at_four == pytest.approx([-8.0, 1.0, G], abs=2e-5)


def test_a_turned_sensor_reads_in_its_own_axes(graph):
    graph.start({"mount.rpy": [math.pi / 2, 0.0, 0.0]})
    samples = graph.send(
        [
            odometry(stamp, orientation=yawed(t), rate=(0.0, 0.0, 1.0))
            for stamp, t in times(10, 1 * MS)
        ]
    )
    # Its y axis points up.
    assert np.abs(rates(samples) - [0.0, 1.0, 0.0]).max() < 1e-11
    assert np.abs(forces(samples) - [0.0, G, 0.0]).max() < 1e-12


def test_gravity_is_a_parameter(graph):
    graph.start({"gravity": 1.62})
    assert forces(graph.send(parked(START, START + MS))).tolist() == [[0.0, 0.0, 1.62]]
    assert graph.set("gravity", 0) == ""
    samples = graph.send(parked(START + 2 * MS, START + 3 * MS))
    # Other kinematics need a new baseline.
    assert graph.counts == {"baseline": 2, "samples": 2}
    assert not forces(samples).any()


NAN, INF = math.nan, math.inf
WRONG = {
    "no orientation": {"orientation": (0.0, 0.0, 0.0, 0.0)},
    "orientation NaN": {"orientation": (NAN, NAN, NAN, NAN)},
    "orientation partly NaN": {"orientation": (0.0, NAN, 0.0, 1.0)},
    "orientation infinite": {"orientation": (0.0, 0.0, INF, 1.0)},
    "orientation too short": {"orientation": (0.0, 0.0, 0.0, 0.7)},
    "orientation too long": {"orientation": (0.0, 0.0, 0.0, 1.02)},
    "orientation enormous": {"orientation": (1e200, 0.0, 0.0, 1e200)},
    "velocity NaN": {"velocity": (0.0, NAN, 0.0)},
    "velocity infinite both ways": {"velocity": (INF, -INF, 0.0)},
    "rate NaN": {"rate": (0.0, 0.0, NAN)},
    "position NaN": {"position": (NAN, 0.0, 0.0)},
    "position infinite": {"position": (0.0, 0.0, -INF)},
}


@pytest.mark.parametrize("fault", WRONG.values(), ids=WRONG)
def test_truth_that_is_none_is_dropped_and_the_next_is_fine(graph, fault):
    graph.start()
    steps = times(5)
    truth = [odometry(s, orientation=yawed(t), rate=(0.0, 0.0, 1.0)) for s, t in steps]
    truth[2] = odometry(steps[2][0], **fault)
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 3, "invalid": 1}
    # The next one goes on from the old baseline, over twice the interval.
    assert stamps(samples) == [steps[k][0] for k in (1, 3, 4)]
    assert np.abs(rates(samples) - [0.0, 0.0, 1.0]).max() < 1e-12
    assert np.abs(forces(samples) - UPRIGHT).max() < 1e-12


def test_truth_that_is_none_makes_no_baseline(graph):
    graph.start()
    bad = odometry(START, orientation=(0.0, 0.0, 0.0, 0.0))
    samples = graph.send([bad, *parked(START + MS, START + 2 * MS)])
    assert graph.counts == {"invalid": 1, "baseline": 1, "samples": 1}
    assert stamps(samples) == [START + 2 * MS]


@pytest.mark.parametrize("scale", [0.991, 1.0000005, 1.009])
def test_rounded_quaternions_are_taken(graph, scale):
    """Single precision and rounded text: turning stays what it is."""
    graph.start()
    samples = graph.send(
        [
            odometry(stamp, orientation=np.multiply(yawed(t), scale), rate=(0.0, 0.0, 1.0))
            for stamp, t in times(10)
        ]
    )
    assert graph.counts == {"baseline": 1, "samples": 9}
    assert np.abs(rates(samples) - [0.0, 0.0, 1.0]).max() < 1e-12


def test_nothing_is_felt_of_a_teleport(graph):
    graph.start()
    steps = times(6)
    truth = [
        odometry(
            stamp, position=(3.0 * t + (10.0 if k >= 3 else 0.0), 0.0, 0.0), velocity=(3, 0, 0)
        )
        for k, (stamp, t) in enumerate(steps)
    ]
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 4, "teleport": 1}
    assert stamps(samples) == [steps[k][0] for k in (1, 2, 4, 5)]
    assert np.abs(forces(samples) - UPRIGHT).max() < 1e-12


def test_a_step_in_velocity_is_felt_in_one_interval(graph):
    """A kinematic robot that goes 2 m/s from one message to the next: 200 m/s^2 for 10 ms."""
    steps = times(8)
    truth = [
        odometry(
            stamp, position=(max(0.0, 2.0 * (t - 0.03)), 0, 0), velocity=(2.0 * (k > 3), 0, 0)
        )
        for k, (stamp, t) in enumerate(steps)
    ]
    graph.start()
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 7}
    expected = np.zeros(7)
    expected[3] = 200.0
    assert np.abs(forces(samples)[:, 0] - expected).max() < 1e-9
    assert np.abs(forces(samples)[:, 1:] - UPRIGHT[1:]).max() < 1e-9


def test_a_step_in_velocity_saturates(graph):
    graph.start({"accelerometer.range": 50.0})
    truth = [
        odometry(stamp, velocity=(2.0 * (k > 3), 0, 0)) for k, (stamp, _) in enumerate(times(6))
    ]
    assert forces(graph.send(truth))[:, 0].tolist() == [0.0, 0.0, 0.0, 50.0, 0.0]


def test_fast_truth_is_no_teleport(graph):
    graph.start()
    truth = [
        odometry(stamp, position=(300.0 * t, 0.0, 0.0), velocity=(300.0, 0.0, 0.0))
        for stamp, t in times(5)
    ]
    graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 4}


def test_the_frame_of_the_twist_need_not_be_named(graph):
    graph.start()
    truth = circling()
    for message in truth:
        message.child_frame_id = ""
        message.header.frame_id = ""
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 99}
    assert np.abs(forces(samples[1:]) - [0.0, 2.0, G]).max() < 1e-9
    assert {message.header.frame_id for message in samples} == {"imu_link"}


def test_the_mount_can_be_moved_while_running(graph):
    graph.start()
    spin = [
        odometry(stamp, orientation=yawed(4.0 * t), rate=(0.0, 0.0, 4.0))
        for stamp, t in times(40, 1 * MS)
    ]
    assert np.abs(forces(graph.send(spin[:20])) - UPRIGHT).max() < 1e-12
    assert graph.set("mount.translation", [0.5, 0.0, 0.0]) == ""
    samples = graph.send(spin[20:])
    assert graph.counts == {"baseline": 2, "samples": 38}
    assert np.abs(forces(samples[1:]) - [-8.0, 0.0, G]).max() < 1e-8
