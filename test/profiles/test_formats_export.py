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

"""What is written for Kalibr and Gazebo reads back to the figures that went in."""

import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.profiles.formats import Ask, import_document
from imu_noise_node.profiles.formats.kalibr_export import kalibr_text
from imu_noise_node.profiles.formats.sdf_export import sdf_text
from imu_noise_node.profiles.loader import load_profile, presets
from imu_noise_node.profiles.yaml_reader import parse_yaml

SPECS = [
    ImuSpec(
        gyroscope=TriadSpec(noise_density=1.7e-4, random_walk=2e-5),
        accelerometer=TriadSpec(noise_density=2e-3, random_walk=3e-3),
    ),
    ImuSpec(
        gyroscope=TriadSpec(
            noise_density=[1e-4, 2e-4, 3e-4],
            random_walk=[1e-6, 0, 2e-6],
            constant_bias=[0.1, -0.2, 0.0],
            turn_on_bias_stddev=[0.01, 0.02, 0.03],
            bias_stddev=[1e-3, 2e-3, 0],
            bias_correlation_time=[100, 250.5, 0],
            resolution=[1e-3, 0, 2e-3],
        ),
        accelerometer=TriadSpec(noise_density=0.004, bias_stddev=0.03, bias_correlation_time=77),
    ),
    ImuSpec(accelerometer=TriadSpec(noise_density=1 / 3, constant_bias=1 / 7)),
    *map(load_profile, presets()),
]
KEPT = ("constant_bias", "turn_on_bias_stddev", "bias_stddev", "bias_correlation_time")


def three(value):
    return np.broadcast_to(0.0 if value is None else value, (3,))


def from_kalibr(text):
    return import_document(parse_yaml(text, Path("imu.yaml")), Ask("imu.yaml"), "kalibr")


def from_sdf(text):
    return import_document(ElementTree.fromstring(text), Ask("imu.sdf"), "sdf")


def test_a_kalibr_file_reads_back():
    for spec in SPECS:
        back = from_kalibr(kalibr_text(spec, 250.0)[0])
        assert back.notes == []
        for name in ("gyroscope", "accelerometer"):
            before, after = getattr(spec, name), getattr(back.spec, name)
            for figure, value in (
                ("noise_density", before.density),
                ("random_walk", before.random_walk),
            ):
                rms = math.sqrt(np.mean(three(value) ** 2))
                assert getattr(after, figure) == pytest.approx(rms, rel=1e-12), figure


def test_an_sdf_sensor_reads_back():
    for spec in SPECS:
        back = from_sdf(sdf_text(spec, 250.0)[0]).spec
        for name in ("gyroscope", "accelerometer"):
            before, after = getattr(spec, name), getattr(back, name)
            if before.noise_covariance is None:
                expected = pytest.approx(three(before.density), rel=1e-12)
                assert three(after.noise_density) == expected
            for figure in (*KEPT, "resolution"):
                expected = pytest.approx(three(getattr(before, figure)), rel=1e-12)
                assert three(getattr(after, figure)) == expected, figure


def test_the_numbers_in_an_sdf_sensor_are_gazebos():
    root = ElementTree.fromstring(sdf_text(SPECS[1], 400.0)[0])
    assert root.findtext("update_rate") == "400.0"

    def figure(axis, name):
        return float(root.findtext(f"imu/angular_velocity/{axis}/noise/{name}"))

    assert figure("x", "stddev") == pytest.approx(1e-4 * 20)
    assert figure("y", "stddev") == pytest.approx(2e-4 * 20)
    assert figure("y", "mean") == -0.2
    assert figure("x", "bias_stddev") == 0.01
    assert figure("x", "dynamic_bias_stddev") == pytest.approx(1e-3 * math.sqrt(2 / 100))
    assert figure("x", "dynamic_bias_correlation_time") == 100.0
    assert figure("x", "precision") == 1e-3
    types = [e.get("type") for e in root.findall("imu/angular_velocity/*/noise")]
    assert types == ["gaussian_quantized", "gaussian", "gaussian_quantized"]
    assert root.find("imu/angular_velocity/z/noise/dynamic_bias_stddev") is None


def test_an_axis_of_0_in_a_mean_is_told():
    spec = ImuSpec(TriadSpec(noise_density=(1e-4, 0.0, 1e-4), random_walk=1e-6), TriadSpec())
    notes = kalibr_text(spec, 250.0)[1]
    said = "gyroscope.noise_density: the root mean square of its three axes is written"
    assert f"{said}, 0 on y included" in notes


def test_what_the_formats_cannot_hold_is_told():
    notes = "\n".join(kalibr_text(SPECS[1], 250.0)[1])
    assert "gyroscope.noise_density: the root mean square" in notes
    assert "gyroscope.random_walk: the root mean square" in notes
    assert "accelerometer has no random walk: it is written as 0" in notes
    assert "no place for it: gyroscope.constant_bias, gyroscope.turn_on_bias_stddev" in notes
    assert "noise_density," not in notes
    assert kalibr_text(SPECS[0], 250.0)[1] == ["the topic is written as /imu: put yours"]
    notes = "\n".join(sdf_text(SPECS[0], 250.0)[1])
    assert "gyroscope: Gazebo has no random walk; a dynamic_bias_stddev of 2e-05" in notes
    assert "no place for it: gyroscope.random_walk, accelerometer.random_walk" in notes
    notes = "\n".join(sdf_text(SPECS[1], 250.0)[1])
    assert "gyroscope: in Gazebo the turn-on bias fades" in notes
    assert "no place for it: gyroscope.random_walk" in notes
    spec = ImuSpec(
        gyroscope=TriadSpec(noise_density=1e-4, resolution=1e-7),
        accelerometer=TriadSpec(noise_density=1e-3),
        magnetometer=TriadSpec(noise_density=1e-8),
    )
    notes = "\n".join(sdf_text(spec, 250.0)[1])
    assert "Gazebo takes no precision of 1e-06 or less" in notes
    assert "no place for it: magnetometer.noise_density" in notes


def test_other_ways_to_give_noise():
    covariance = np.array([[4.0, 1.0, 0.0], [1.0, 9.0, 0.0], [0.0, 0.0, 16.0]]) * 1e-8
    spec = ImuSpec(
        gyroscope=TriadSpec(noise_covariance=covariance),
        accelerometer=TriadSpec(noise_stddev=0.02),
    )
    text, notes = sdf_text(spec, 400.0)
    back = from_sdf(text).spec
    assert back.gyroscope.noise_density == pytest.approx([2e-4, 3e-4, 4e-4], rel=1e-12)
    assert back.accelerometer.noise_density == pytest.approx(0.001, rel=1e-12)
    assert any("only its diagonal" in note for note in notes)
    assert any("noise_stddev, which holds at any rate, is written for 400 Hz" in n for n in notes)
    single = TriadSpec(noise_density=1e-3, noise_type="single-sided")
    text, notes = kalibr_text(ImuSpec(gyroscope=single), 100.0)
    density = from_kalibr(text).spec.gyroscope.noise_density
    assert density == pytest.approx(1e-3 / math.sqrt(2), rel=1e-12)
    assert "accelerometer has no white noise: it is written as 0" in notes
