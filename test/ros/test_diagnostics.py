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

"""/diagnostics: what became of every truth message, and whether all is well."""

from graph import MS, SECOND, DiagnosticArray, Odometry, odometry, parked

START = 1000 * SECOND


def ticks(count, start=START):
    return parked(*(start + k * 10 * MS for k in range(count)))


def test_it_counts_by_reason_and_names_its_source(graph):
    graph.start({"seed": 11})
    bad = odometry(START + 1000 * MS, orientation=(0.0, 0.0, 0.0, 0.0))
    graph.send([*parked(0), *ticks(51), *ticks(1, START + 500 * MS), bad])
    status, values = graph.diagnostics()
    assert values == {
        "state": "ready",
        "reasons": "",
        "uptime [s]": "0.500",
        "truth topic": "/odom",
        "truth publishers": "1",
        "received": "54",
        "samples": "50",
        "baseline": "1",
        "between_captures": "0",
        "stamp_zero": "1",
        "same_stamp": "1",
        "too_soon": "0",
        "late": "0",
        "reset": "0",
        "gap": "0",
        "teleport": "0",
        "invalid": "1",
        "disabled": "0",
        "no_mount": "0",
        "lost by the middleware": "0",
        "samples lost to faults": "0",
        "calibration": "none",
        "samples dropped in delivery": "0",
        "samples on their way": "0",
        "temperatures refused": "0",
        "seed": "11",
    }
    assert status.name == "imu_noise: samples"
    assert status.hardware_id == "imu_noise"


def test_it_says_what_is_the_matter(graph):
    """The verdict is on the last second; the counters are on the whole run."""
    graph.start()
    # With all connections made, what follows each report is done long before the next.
    assert graph.set("enabled", True) == ""
    graph.matched(Odometry, "/odom")
    graph.hear("/imu/data_raw")
    status, _ = graph.diagnostics()
    assert (status.level, status.message) == (
        status.WARN,
        "no truth on /odom in the last second",
    )
    graph.send(ticks(20))
    status, _ = graph.diagnostics()
    assert (status.level, status.message) == (status.OK, "19 samples in the last second")
    assert graph.set("enabled", False) == ""
    graph.send(ticks(20, START + SECOND))
    status, _ = graph.diagnostics()
    assert (status.level, status.message) == (status.OK, "disabled")
    assert graph.set("enabled", True) == ""
    truth = ticks(3, START + 2 * SECOND)
    truth[1].pose.pose.position.x = 100.0
    graph.send([*truth, *parked(0)])
    status, values = graph.diagnostics()
    assert status.level == status.WARN
    assert status.message == "truth messages not used: stamp_zero, teleport"
    assert (values["samples"], values["teleport"], values["gap"]) == ("19", "2", "1")
    graph.send(ticks(7, START + 2030 * MS))
    status, values = graph.diagnostics()
    assert (status.level, status.message) == (status.OK, "7 samples in the last second")
    assert values["samples"] == "26"


def test_each_node_reports_under_its_own_name(graph):
    graph.start({}, namespace="/robot1")
    graph.start({}, "--ros-args", "-r", "__node:=front")
    graph.send(ticks(4))
    _, values = graph.diagnostics("front")
    assert (values["samples"], values["truth topic"]) == ("3", "/odom")
    _, values = graph.diagnostics("robot1/imu_noise")
    assert (values["samples"], values["truth topic"]) == ("0", "/robot1/odom")


def test_it_goes_on_while_the_simulator_stands_still(graph):
    graph.start({"use_sim_time": True})
    heard = graph.hear("/diagnostics", DiagnosticArray)
    graph.until(lambda: len(heard) >= 2, "two reports without a clock")
    assert heard[-1].header.stamp.sec == 0


def test_truth_that_comes_in_vain_is_told_in_the_log_once(graph):
    graph.start()
    for start in (START, START + SECOND):
        graph.send(
            [odometry(t, orientation=(0.0, 0.0, 0.0, 0.0)) for t in range(start, start + 5)]
        )
        graph.diagnostics()
    told = [line for line in graph.warnings if "no samples from the truth on /odom" in line]
    assert len(told) == 1
    assert "5 invalid" in told[0]
