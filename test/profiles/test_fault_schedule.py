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

from __future__ import annotations

import json
import math

import pytest

from imu_noise_node.errors import ImuNoiseError, InputError, ParameterError, UnknownNameError
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.profiles.fault_schedule import load_faults


@pytest.fixture
def load(tmp_path):
    """Return a function that writes a schedule and loads it."""

    def load(text, name="faults.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return load_faults(path)

    return load


def test_a_schedule(load):
    text = """
    description: a bad day
    faults:
      - name: knock
        mode: bias
        target: accelerometer
        axes: z
        magnitude: 50 mg
        start: 2 min
        duration: 500 ms
      - {mode: drift, target: gyroscope, magnitude: 0.5 deg/s^2}
      - {mode: bias, target: magnetometer, axes: y, magnitude: 2 uT}
      - {mode: intermittent, magnitude: 5 %, mtbf: 1 h, duration: 4e1}
      - {mode: noise, magnitude: 3, start: "7"}
      - mode: total
    """
    knock, drift, magnet, gaps, noise, total = load(text)
    assert knock == Fault("bias", "accelerometer", "z", 0.05 * 9.80665, 120.0, 0.5, name="knock")
    assert (drift.mode, drift.magnitude) == ("drift", pytest.approx(math.radians(0.5)))
    assert magnet == Fault("bias", "magnetometer", "y", 2e-6)
    assert gaps == Fault("intermittent", magnitude=0.05, mtbf=3600.0, duration=40.0)
    assert noise == Fault("noise", magnitude=3.0, start=7.0)
    assert total == Fault("total")


def test_json(load):
    faults = {"faults": [{"mode": "bias", "target": "gyroscope", "magnitude": "180 deg/s"}]}
    assert load(json.dumps(faults), "f.json") == (Fault("bias", "gyroscope", "xyz", math.pi),)


def test_an_empty_list_is_no_fault(load):
    assert load("faults: []\n") == ()


def test_a_path_may_be_a_text(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_text("faults: [{mode: total}]", encoding="utf-8")
    assert load_faults(str(path)) == (Fault("total"),)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", InputError, "must be a mapping with a list under 'faults'"),
        ("- {mode: total}\n", InputError, "must be a mapping with a list under 'faults'"),
        ("faults:\n", InputError, "must be a mapping with a list under 'faults'"),
        ("faults: {mode: total}\n", InputError, "must be a mapping with a list under"),
        ("fault: []\nfaults: []\n", UnknownNameError, "'fault' in .*; did you mean 'faults'"),
        ("faults: [total]\n", ParameterError, r"faults\[0\] = 'total': must be a mapping"),
        (
            "faults: [{mode: total}, {mode: total, durration: 1}]\n",
            UnknownNameError,
            r"unknown key 'durration' in .*faults\[1\]; did you mean 'duration'\?",
        ),
        (
            "faults: [{mode: totl}]\n",
            ParameterError,
            r"faults\[0\]: mode = 'totl': must be one of .* \(did you mean 'total'\?\)",
        ),
        (
            "faults: [{mode: bias, target: gyro, magnitude: 1 deg/s}]\n",
            ParameterError,
            r"faults\[0\]: target = 'gyro': must be one of .* \(did you mean 'gyroscope'\?\)",
        ),
        (
            "faults: [{mode: biass, target: gyroscope, magnitude: 1 deg/s}]\n",
            ParameterError,
            r"faults\[0\]: mode = 'biass': .* \(did you mean 'bias'\?\)",
        ),
        ("faults: [{target: all}]\n", ParameterError, r"faults\[0\]: mode = '': must be one of"),
        (
            "faults: [{mode: bias, target: gyroscope, magnitude: 1 mg}]\n",
            ParameterError,
            r"faults\[0\]: magnitude = '1 mg': must be a number in rad/s",
        ),
        (
            "faults: [{mode: bias, magnitude: 1 mg}]\n",
            ParameterError,
            r"faults\[0\]: target = 'all': must be one of gyroscope, .* where mode is bias",
        ),
        (
            "faults: [{mode: noise, magnitude: 2 deg}]\n",
            ParameterError,
            r"faults\[0\]: magnitude = '2 deg': must be a number without unit",
        ),
        (
            "faults: [{mode: total, start: 2 m}]\n",
            ParameterError,
            r"faults\[0\]: start = '2 m': must be a number in s",
        ),
        (
            "faults: [{mode: total, start: -2 s}]\n",
            ParameterError,
            r"faults\[0\]: start = '-2 s': must be a finite number, 0 or more \[s\]",
        ),
        (
            "faults: [{mode: stuck, magnitude: 1}]\n",
            ParameterError,
            r"faults\[0\]: magnitude = 1.0: must be left out where mode is stuck",
        ),
        (
            "faults: [{mode: total, duration: }]\n",
            ParameterError,
            r"faults\[0\]: duration = None: has no value; leave the line out",
        ),
        (
            "faults: [{mode: stuck, name: a}, {mode: total, name: a}]\n",
            ParameterError,
            r"faults\[1\].name = 'a': must not be another fault's",
        ),
        ("faults: [{mode: [total]}]\n", ParameterError, r"faults\[0\]: mode = \['total'\]"),
    ],
)
def test_a_bad_schedule_is_one_sentence_with_file_place_and_key(load, tmp_path, text, error, said):
    with pytest.raises(error, match=said) as caught:
        load(text)
    message = str(caught.value)
    assert str(tmp_path / "faults.yaml") in message
    assert "\n" not in message


def test_a_missing_file(tmp_path):
    with pytest.raises(ImuNoiseError, match="cannot be read"):
        load_faults(tmp_path / "none.yaml")
