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

"""Several IMUs in one node: their parameters, topics, seeds and services."""

from pathlib import Path

import numpy as np
import pytest
from graph import MS, SECOND, DiagnosticArray, Imu, Odometry, odometry, parked, rates, stamps
from std_srvs.srv import Trigger

from imu_noise_node import ImuNoiseError, ParameterError, load_profile
from imu_noise_node.ros.instances import instance_names, settings_by_instance
from imu_noise_node.ros.settings import defaults

START = 1000 * SECOND


def ticks(first, count):
    return parked(*(START + (first + k) * 10 * MS for k in range(count)))


def of(names, given):
    """The settings of IMUs, from what is given."""
    common = {n: v for n, v in given.items() if n.split(".")[0] not in names}
    return settings_by_instance(names, {**defaults(common), **given})


def test_names_come_as_a_list_or_with_commas():
    assert instance_names("") == instance_names([]) == ()
    assert instance_names("front, rear") == instance_names(["front", "rear"]) == ("front", "rear")
    for bad in ("a b", "1st", "front,front", "gyroscope", "profile", 3, [1], "delivery"):
        with pytest.raises(ParameterError, match="instances"):
            instance_names(bad)


def test_what_is_not_its_own_is_the_nodes():
    found = of(
        ("front", "rear"),
        {
            "profile": "bmi088",
            "gyroscope.range": 1.0,
            "rate": 50.0,
            "rear.profile": "adis16470",
            "rear.accelerometer.range": 2.0,
            "front.rate": 25.0,
        },
    )
    front, rear = found["front"], found["rear"]
    bmi088, adis16470 = load_profile("bmi088"), load_profile("adis16470")
    assert front.spec.gyroscope.noise_density == bmi088.gyroscope.noise_density
    assert (front.spec.gyroscope.range, front.policy.rate) == (1.0, 25.0)
    # The figures of the node belong to its profile, not to another one.
    assert rear.spec.gyroscope.range == adis16470.gyroscope.range
    assert (rear.spec.accelerometer.range, rear.policy.rate) == (2.0, 50.0)


def test_a_remapping_that_holds_for_none_of_them_is_pointed_out(graph):
    graph.start({"instances": "a,b"}, "--ros-args", "-r", "imu/data_raw:=/imu")
    told = [line for line in graph.warnings if "remapped" in line]
    assert told == [
        f"{name}: imu/data_raw is remapped to /imu, which nobody publishes on: with instances "
        f"remap {name}/imu/data_raw"
        for name in "ab"
    ]


def test_each_has_a_seed_and_a_frame_of_its_own():
    found = of(("a", "b"), {"seed": 7, "b.frame_id": "rear", "checkpoint.path": "x/run.json"})
    assert len({s.node.seed for s in found.values()} | {7}) == 3
    assert [s.node.frame_id for s in found.values()] == ["a_imu_link", "rear"]
    assert [s.checkpoint.path for s in found.values()] == ["x/run_a.json", "x/run_b.json"]
    again = of(("b",), {"seed": 7})
    assert again["b"].node.seed == found["b"].node.seed
    assert of(("a",), {"a.seed": 3})["a"].node.seed == 3


def test_a_bad_value_is_told_by_its_whole_name():
    with pytest.raises(ParameterError) as refused:
        of(("front",), {"front.gyroscope.noise_density": -1.0})
    assert str(refused.value).startswith("front.gyroscope.noise_density = -1.0: must be")


def test_two_imus_read_one_truth_each_in_its_place(graph):
    graph.start(
        {
            "instances": ["left", "right"],
            "left.mount.translation": [0.0, 1.0, 0.0],
            "right.mount.translation": [0.0, -2.0, 0.0],
            "right.rate": 50.0,
        }
    )
    left, right = (graph.hear(f"/{name}/imu/data_raw") for name in ("left", "right"))
    odometries = graph.matched(Odometry, "/odom")
    turn = 3.0
    for k in range(11):
        half = 0.5 * turn * 0.01 * k
        q = (0.0, 0.0, np.sin(half), np.cos(half))
        odometries.publish(odometry(START + 10 * k * MS, orientation=q, rate=(0.0, 0.0, turn)))
    graph.until(lambda: (len(left), len(right)) == (10, 5), "both")
    for messages, place in ((left, 1.0), (right, -2.0)):
        for message in messages[2:]:
            assert message.linear_acceleration.y == pytest.approx(-(turn**2) * place, rel=1e-3)
    assert {m.header.frame_id for m in left} == {"left_imu_link"}
    assert stamps(right) == stamps(left)[1::2]
    heard = graph.hear("/diagnostics", DiagnosticArray)
    graph.until(lambda: heard, "diagnostics")
    names = [status.name for status in heard[-1].status]
    assert names == ["imu_noise/left: samples", "imu_noise/right: samples"]


def test_one_or_all_are_disabled_broken_and_mended(graph):
    graph.start({"instances": "a, b", "fault.target": "gyroscope", "fault.magnitude": 1.0})
    heard = {name: graph.hear(f"/{name}/imu/data_raw") for name in "ab"}
    odometries = graph.matched(Odometry, "/odom")
    counts = {name: graph.node._instruments[name].pipeline.counts for name in "ab"}
    sent = [0]

    def biases():
        """What each gyroscope reads next; None where nothing comes."""
        before = {name: len(messages) for name, messages in heard.items()}
        for message in ticks(sent[0], 2):
            odometries.publish(message)
        sent[0] += 2
        graph.until(
            lambda: all(sum(c.values()) == sent[0] for c in counts.values()), "both", [graph.node]
        )
        expected = {name: graph.node._instruments[name].settings.node.enabled for name in heard}
        graph.until(
            lambda: all(
                len(heard[name]) > before[name] for name, there in expected.items() if there
            ),
            "the samples",
        )
        return [
            round(rates(heard[name][-1:])[0, 0], 9) if expected[name] else None for name in "ab"
        ]

    def ask(service):
        return graph.call(Trigger, f"/imu_noise/{service}", Trigger.Request()).message

    assert biases() == [0.0, 0.0]
    assert graph.set("fault.mode", "bias") == ""
    assert biases() == [1.0, 1.0]
    assert graph.set("b.fault.magnitude", 2.0) == ""
    assert biases() == [1.0, 2.0]
    assert ask("a/clear_faults") == "a: ended: fault 'live': bias, gyroscope"
    assert biases() == [0.0, 2.0]
    assert graph.set("b.enabled", False) == ""
    assert biases() == [0.0, None]
    assert graph.set("enabled", False) == ""
    assert biases() == [None, None]
    assert graph.set("b.enabled", True) == ""
    assert biases() == [None, 2.0]
    assert graph.set("enabled", True) == ""
    assert "b: ended: fault 'live'" in ask("clear_faults")
    assert biases() == [0.0, 0.0]
    assert ask("reset").count("the run begins again") == 2


def test_a_parameter_of_an_imu_that_is_misspelt_is_named(graph):
    with pytest.raises(ImuNoiseError, match=r"did you mean 'front\.gyroscope\.noise_density'"):
        graph.start({"instances": "front", "front.gyroscope.noise_densty": 1.0})
    graph.start({"instances": "front"})
    described = graph.describe(["front.gyroscope.range"])["front.gyroscope.range"]
    assert described.additional_constraints.endswith("[rad/s]; empty is that of the node")
    refusal = graph.set("front.gyroscope.range", -1.0)
    assert refusal.startswith("front.gyroscope.range = -1.0: must be")
    assert graph.set("front.gyroscope.range", "100 deg/s") == ""
    assert graph.node._instruments["front"].settings.spec.gyroscope.range == np.radians(100.0)
    assert graph.set("front.gyroscope.range", "") == ""
    assert graph.node._instruments["front"].settings.spec.gyroscope.range == 0.0


def test_members_of_a_redundant_set_are_independent(graph):
    graph.start({"instances": "a,b,c", "gyroscope.noise_density": 1e-3})
    heard = [graph.hear(f"/{name}/imu/data_raw", Imu) for name in "abc"]
    odometries = graph.matched(Odometry, "/odom")
    for message in ticks(0, 501):
        odometries.publish(message)
    graph.until(lambda: all(len(h) == 500 for h in heard), "all samples")
    noise = np.array([rates(h) for h in heard]) / 0.01
    for one, other in ((0, 1), (0, 2), (1, 2)):
        # The correlation of 1500 pairs is within 6/sqrt(1500) but once in 5e8 runs.
        assert abs((noise[one] * noise[other]).mean()) < 6.0 / np.sqrt(1500.0)


def test_five_on_a_truth_of_400_hz_lose_nothing(graph):
    names = [f"imu{k}" for k in range(5)]
    graph.start({"instances": names, "profile": "bmi088"})
    heard = [graph.hear(f"/{name}/imu/data_raw", Imu) for name in names]
    odometries = graph.matched(Odometry, "/odom")
    for k in range(801):
        odometries.publish(odometry(START + k * SECOND // 400))
    graph.until(lambda: all(len(h) == 800 for h in heard), "all samples")
    assert len({stamp for h in heard for stamp in stamps(h)}) == 800
    for name in names:
        counts = graph.node._instruments[name].pipeline.counts
        assert {verdict.value: n for verdict, n in counts.items() if n} == {
            "baseline": 1,
            "samples": 800,
        }


def test_the_example_of_three_imus_is_right(graph):
    path = Path(__file__).parents[2] / "config/redundant.yaml"
    node = graph.start({}, "--ros-args", "--params-file", str(path))
    a, b, c = (each.settings for each in node._instruments.values())
    assert a.spec.gyroscope.noise_density == b.spec.gyroscope.noise_density
    assert a.spec.gyroscope.noise_density != c.spec.gyroscope.noise_density
    assert (a.mount.translation[0], c.policy.rate) == (0.05, 200.0)
    heard = {name: graph.hear(f"/{name}/imu/data_raw") for name in "abc"}
    odometries = graph.matched(Odometry, "/odom")
    for message in ticks(0, 3):
        odometries.publish(message)
    graph.until(lambda: all(len(h) == 2 for h in heard.values()), "all three")
    # The third is upside down.
    assert heard["a"][0].linear_acceleration.z > 9.0
    assert heard["c"][0].linear_acceleration.z < -9.0
