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

"""What a fault may be, and what is said of one that may not."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node import ParameterError
from imu_noise_node.model.fault_spec import Fault, check_faults, magnitude_unit
from imu_noise_node.model.spec import SENSORS
from imu_noise_node.schema import parameters


def test_a_fault_is_for_ever_on_all_axes_of_all_sensors_by_default():
    fault = Fault("total")
    assert (fault.target, fault.axes, fault.start, fault.duration, fault.mtbf) == (
        ("all", "xyz", 0.0, 0.0, 0.0)
    )


def test_values_are_floats_whatever_was_given():
    fault = Fault("bias", "gyroscope", magnitude=1, start=np.float32(2), duration="3e0")
    found = (fault.magnitude, fault.start, fault.duration)
    assert found == (1.0, 2.0, 3.0)
    assert all(type(value) is float for value in found)


def test_every_field_has_a_meaning_and_times_are_in_seconds():
    facts = parameters(Fault)
    assert all(record.meaning for record in facts.values())
    assert {facts[name].unit for name in ("start", "duration", "mtbf")} == {"s"}


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({}, "mode = '': must be one of bias, drift, noise, stuck, intermittent, total"),
        ({"mode": "gone"}, "mode = 'gone': must be one of"),
        ({"mode": "total", "target": "gyro"}, "target = 'gyro': must be one of gyroscope"),
        ({"mode": "total", "axes": ""}, "axes = '': must be some of x, y and z"),
        ({"mode": "total", "axes": "xx"}, "axes = 'xx': must be some of x, y and z, each once"),
        ({"mode": "total", "axes": "xw"}, "axes = 'xw': must be some of x, y and z"),
        ({"mode": "total", "axes": ["x"]}, "axes = .* must be a text"),
        ({"mode": "total", "magnitude": 1.0}, "must be left out where mode is total"),
        ({"mode": "stuck", "magnitude": 0.0}, "must be left out where mode is stuck"),
        ({"mode": "noise"}, "magnitude = None: must be given where mode is noise$"),
        ({"mode": "intermittent"}, "must be given where mode is intermittent$"),
        (
            {"mode": "bias", "target": "gyroscope"},
            r"magnitude = None: must be given where mode is bias \[rad/s\]",
        ),
        (
            {"mode": "drift", "target": "accelerometer"},
            r"must be given where mode is drift \[m/s\^2/s\]",
        ),
        ({"mode": "noise", "magnitude": -0.1}, "magnitude = -0.1: of noise must be 0 or more"),
        ({"mode": "intermittent", "magnitude": 1.1}, "must be a fraction from 0 to 1"),
        ({"mode": "intermittent", "magnitude": -0.1}, "must be a fraction from 0 to 1"),
        (
            {"mode": "bias", "target": "gyroscope", "magnitude": "5 %"},
            "magnitude = '5 %': must be a number in rad/s, deg/s or deg/h",
        ),
        (
            {"mode": "drift", "target": "gyroscope", "magnitude": "1 deg/s"},
            "magnitude = '1 deg/s': must be a number in rad/s/s, deg/s.2 or deg/h/s",
        ),
        (
            {"mode": "drift", "target": "magnetometer", "magnitude": "1 g"},
            "magnitude = '1 g': must be a number in T/s, uT/s or nT/s",
        ),
        (
            {"mode": "drift", "target": "accelerometer", "magnitude": "1 mg"},
            "magnitude = '1 mg': must be a number in m/s.2/s, mg/s or ug/s",
        ),
        (
            {"mode": "noise", "magnitude": "2 deg"},
            "magnitude = '2 deg': must be a number without unit, or one in % or ppm",
        ),
        ({"mode": "stuck", "magnitude": "1 deg"}, "must be left out where mode is stuck"),
        ({"mode": "bia", "magnitude": "1 deg/s"}, "mode = 'bia': must be one of"),
        ({"mode": "bias", "target": "imu", "magnitude": "1 deg/s"}, "target = 'imu': must be one"),
        (
            {"mode": "bias", "magnitude": "1 deg/s"},
            "target = 'all': must be one of .* units differ",
        ),
        ({"mode": "intermittent", "magnitude": "200 %"}, "must be a fraction from 0 to 1"),
        ({"mode": "noise", "magnitude": np.nan}, "magnitude = nan: must be a finite number"),
        ({"mode": "bias", "magnitude": 1.0}, "target = 'all': must be one of .* units differ"),
        ({"mode": "drift", "magnitude": 1.0}, "target = 'all': must be one of .* units differ"),
        ({"mode": "total", "start": -1.0}, r"start = -1.0: must be .* 0 or more \[s\]"),
        ({"mode": "total", "duration": -1.0}, r"duration = -1.0: must be .* 0 or more \[s\]"),
        ({"mode": "total", "mtbf": -1.0}, r"mtbf = -1.0: must be .* 0 or more \[s\]"),
        ({"mode": "total", "mtbf": 1.0}, r"duration = 0.0: must be above 0 \[s\] where mtbf"),
        (
            {"mode": "total", "mtbf": 1e-4, "duration": 1.0},
            r"mtbf = 0.0001: must be 0 \(once\), or 0.001 or more \[s\]",
        ),
    ],
)
def test_a_fault_that_is_not_allowed_is_refused(figures, said):
    with pytest.raises(ParameterError, match=said):
        Fault(**figures)


@pytest.mark.parametrize(
    ("mode", "target", "text", "number"),
    [
        ("bias", "gyroscope", "1 deg/s", np.pi / 180.0),
        ("bias", "gyroscope", "0.5", 0.5),
        ("bias", "accelerometer", "50 mg", 0.05 * 9.80665),
        ("bias", "magnetometer", "2 uT", 2e-6),
        ("drift", "gyroscope", "180 deg/s^2", np.pi),
        ("drift", "accelerometer", "1 g/s", 9.80665),
        ("noise", "all", "3", 3.0),
        ("noise", "all", "300 %", 3.0),
        ("intermittent", "all", "5 %", 0.05),
    ],
)
def test_a_magnitude_may_be_a_text_in_the_unit_of_mode_and_target(mode, target, text, number):
    fault = Fault(mode, target, magnitude=text)
    assert fault.magnitude == pytest.approx(number, rel=4e-16)
    assert type(fault.magnitude) is float


@pytest.mark.parametrize("magnitude", [0.0, 0.5, 1.0])
def test_fractions_and_factors_may_be_at_their_bounds(magnitude):
    assert Fault("intermittent", magnitude=magnitude).size == magnitude
    assert Fault("noise", magnitude=magnitude).size == magnitude


@pytest.mark.parametrize(
    ("mode", "target", "unit"),
    [
        ("bias", "gyroscope", "rad/s"),
        ("drift", "gyroscope", "rad/s/s"),
        ("bias", "accelerometer", "m/s^2"),
        ("drift", "magnetometer", "T/s"),
        ("noise", "all", "1"),
        ("intermittent", "gyroscope", "1"),
    ],
)
def test_the_unit_of_a_magnitude(mode, target, unit):
    assert magnitude_unit(mode, target) == unit


@pytest.mark.parametrize(
    ("target", "axes", "columns"),
    [
        ("all", "xyz", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("gyroscope", "zx", [2, 0]),
        ("magnetometer", "y", [7]),
        ("all", "z", [2, 5, 8]),
    ],
)
def test_the_axes_that_fail(target, axes, columns):
    assert Fault("total", target, axes).columns(SENSORS) == columns


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (Fault("total"), "fault 3: total, all sensors"),
        (Fault("stuck", "gyroscope", "zy", name="worn"), "fault 'worn': stuck, gyroscope zy"),
    ],
)
def test_a_fault_in_words(fault, text):
    assert fault.describe(3) == text


def test_a_list_of_faults_becomes_a_tuple():
    faults = [Fault("total", name="a"), Fault("total"), Fault("total")]
    assert check_faults(faults) == tuple(faults)


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        (Fault("total"), "faults = .* must be a list or tuple of Fault"),
        ([Fault("total"), "total"], r"faults\[1\] = 'total': must be a Fault"),
        (
            [Fault("total", name="a"), Fault("stuck"), Fault("stuck", name="a")],
            r"faults\[2\].name = 'a': must not be another fault's",
        ),
        (
            [Fault("total", "magnetometer")],
            r"faults\[0\].target = 'magnetometer': must be one of gyroscope, accelerometer, all:",
        ),
    ],
)
def test_a_list_that_is_not_allowed_is_refused(faults, said):
    with pytest.raises(ParameterError, match=said):
        check_faults(faults, SENSORS[:2])
