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

"""Faults, states and services of the node, over DDS."""

import numpy as np
import pytest
from graph import MS, SECOND, DiagnosticStatus, forces, odometry, parked, rates
from sensor_msgs.msg import Temperature
from std_srvs.srv import Trigger

from imu_noise_node import ImuNoiseError

START = 1000 * SECOND
QUIET = {"gyroscope.noise_density": 1e-4, "accelerometer.noise_density": 1e-3}


def ticks(first, count):
    return parked(*(START + (first + k) * 10 * MS for k in range(count)))


def ask(graph, service):
    answer = graph.call(Trigger, f"/imu_noise/{service}", Trigger.Request())
    assert answer.success
    return answer.message


def test_a_fault_is_set_and_cleared_while_the_node_runs(graph):
    graph.start(QUIET)
    assert np.abs(rates(graph.send(ticks(0, 6)))).max() < 0.01
    assert graph.set("fault.target", "gyroscope") == ""
    assert graph.set("fault.axes", "x") == ""
    assert graph.set("fault.magnitude", 0.5) == ""
    assert graph.set("fault.mode", "bias") == ""
    broken = rates(graph.send(ticks(6, 5)))
    assert np.allclose(broken[:, 0], 0.5, rtol=0, atol=0.01)
    assert np.abs(broken[:, 1:]).max() < 0.01
    status, values = graph.diagnostics()
    assert (status.level, values["state"]) == (DiagnosticStatus.WARN, "degraded")
    assert values["reasons"] == "fault 'live': bias, gyroscope x"
    assert ask(graph, "clear_faults") == "ended: fault 'live': bias, gyroscope x"
    assert graph.get(["fault.mode"]) == {"fault.mode": "none"}
    assert np.abs(rates(graph.send(ticks(11, 5)))).max() < 0.01
    assert graph.diagnostics()[1]["state"] == "ready"
    assert ask(graph, "clear_faults") == "no fault was active"


def test_a_contradicting_fault_is_refused(graph):
    graph.start()
    assert "fault.target = 'all': must be one of" in graph.set("fault.mode", "bias")
    refusal = graph.set_together({"fault.mode": "drift", "fault.target": "gyroscope"})
    assert refusal == "fault.magnitude = None: must be given where mode is drift [rad/s/s]"
    assert "did you mean" in graph.set("fault.mod", "total")
    assert "there is no other sensor" in graph.set("fault.target", "magnetometer")


def test_of_a_dead_sensor_the_message_says_that_there_is_nothing(graph):
    graph.start({**QUIET, "fault.mode": "total", "fault.target": "gyroscope"})
    samples = graph.send(ticks(0, 3))
    for message in samples:
        assert message.angular_velocity_covariance.tolist() == [-1.0, *[0.0] * 8]
        assert rates([message]).tolist() == [[0.0, 0.0, 0.0]]
        assert message.linear_acceleration_covariance[0] == pytest.approx(1e-4)
    assert np.allclose(forces(samples), [0.0, 0.0, 9.80665], rtol=0, atol=0.1)
    status, values = graph.diagnostics()
    assert (status.level, values["state"]) == (DiagnosticStatus.ERROR, "failed")


def test_a_sample_of_which_nothing_is_left_is_counted(graph):
    graph.start({**QUIET, "fault.mode": "intermittent", "fault.magnitude": 0.5})
    heard = graph.hear("/imu/data_raw")
    publisher = graph.matched(type(ticks(0, 1)[0]), "/odom")
    for message in ticks(0, 101):
        publisher.publish(message)
    graph.until(lambda: graph.counts.get("samples") == 100, "all samples")
    lost = int(graph.diagnostics()[1]["samples lost to faults"])
    graph.until(lambda: len(heard) == 100 - lost, "the samples that are left")
    # Binomial, n = 100, p = 1/2: within 25 of 50 but once in 1.7e6 runs.
    assert 25 < lost < 75


def test_a_schedule_is_followed(graph, tmp_path):
    path = tmp_path / "faults.yaml"
    path.write_text(
        "faults:\n"
        "  - {mode: bias, target: gyroscope, magnitude: 10 deg/s, start: 0.05, duration: 0.05}\n"
    )
    graph.start({**QUIET, "fault.schedule": str(path)})
    found = rates(graph.send(ticks(0, 16)))[:, 1]
    expected = np.zeros(15)
    expected[5:10] = np.radians(10.0)
    assert np.allclose(found, expected, rtol=0, atol=0.01)


def test_a_reset_repeats_the_run(graph):
    graph.start({**QUIET, "gyroscope.turn_on_bias_stddev": 0.1})
    first = rates(graph.send(ticks(0, 11)))
    assert ask(graph, "reset").startswith("the run begins again")
    # A new baseline, and then the same numbers.
    again = rates(graph.send(ticks(11, 11)))
    assert np.array_equal(first, again)
    assert graph.counts["baseline"] == 2


def test_a_temperature_that_is_none_is_refused_and_counted(graph):
    graph.start({"temperature": 20.0})
    publisher = graph.matched(Temperature, "/temperature")
    for value in (1e300, -300.0, float("nan"), 30.0):
        publisher.publish(Temperature(temperature=value))
    instrument = graph.node._instruments[""]
    graph.until(lambda: instrument.pipeline.temperature == 30.0, "the temperature")
    assert graph.diagnostics()[1]["temperatures refused"] == "3"
    (told,) = [line for line in graph.warnings if "temperature" in line]
    assert told == "temperature = 1e+300: must be from -273.15 to 1000 [degC]; it is ignored"


def test_a_schedule_for_a_sensor_that_there_is_not_names_its_file(graph, tmp_path):
    path = tmp_path / "faults.yaml"
    path.write_text("faults: [{mode: total, target: magnetometer}]")
    with pytest.raises(ImuNoiseError, match=rf"^{path}: faults\[0\]\.target = 'magnetometer'"):
        graph.start({"fault.schedule": str(path)})


def test_the_state_follows_temperature_and_warm_up(graph):
    graph.start({"warm_up_time": 0.045, "operating_temperature": [-40.0, 85.0]})
    graph.send(ticks(0, 4))
    assert graph.diagnostics()[1]["state"] == "initializing"
    graph.send(ticks(4, 4))
    assert graph.diagnostics()[1]["state"] == "ready"
    assert graph.set("temperature", 99.0) == ""
    graph.send(ticks(8, 1))
    values = graph.diagnostics()[1]
    assert values["state"] == "degraded"
    assert values["reasons"] == "temperature 99 degC is outside -40 to 85 degC"
    assert graph.set("enabled", False) == ""
    assert graph.diagnostics()[1]["state"] == "off"


def test_calibration_takes_off_what_it_finds_and_reports_it(graph):
    graph.start({"gyroscope.constant_bias": [0.1, 0.2, 0.3], "calibration.duration": 0.1})
    (before,) = rates(graph.send(ticks(0, 2)))
    assert np.allclose(before, [0.1, 0.2, 0.3], rtol=1e-12)
    assert ask(graph, "calibrate").startswith("keep the sensor still for 0.1 s")
    graph.send(ticks(2, 9))
    assert graph.diagnostics()[1]["calibration"] == "under way"
    graph.send(ticks(11, 1))
    assert np.abs(rates(graph.send(ticks(12, 1)))).max() < 1e-15
    found = graph.diagnostics()[1]["calibration"]
    assert found == "taken off: [0.1, 0.2, 0.3] rad/s, [0, 0, 0] m/s^2"
    assert "calibration taken off: [0.1, 0.2, 0.3]" in graph.log


def test_a_sensor_that_moves_is_not_calibrated(graph):
    graph.start({"calibration.duration": 0.1})
    graph.send(ticks(0, 3))
    ask(graph, "calibrate")
    turned = odometry(START + 30 * MS, orientation=(0.0, 0.0, 0.01, 1.0))
    graph.send([turned])
    assert graph.diagnostics()[1]["calibration"] == "refused: the sensor moved"
    assert "calibration refused: the sensor moved" in graph.warnings
