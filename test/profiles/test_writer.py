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

"""A profile that is written reads back equal to the bit."""

import json

import numpy as np
import yaml

from imu_noise_node.model.spec import ImuSpec, TriadSpec, figures_given
from imu_noise_node.profiles.loader import load_profile, presets, read_profile
from imu_noise_node.profiles.writer import json_text, to_mapping, yaml_text

ODD = ImuSpec(
    gyroscope=TriadSpec(
        noise_density=[1 / 3, 1e-5, 2e-7],
        noise_type="single-sided",
        bias_instability=np.nextafter(1e-5, 1),
        bias_instability_band=[2, 500.5],
        cross_axis=[1, 0.1, 0.2, 0.3, 1, 0.4, 0.5, 0.6, 1],
        misalignment=[0.01, -0.02, 1e-16],
    ),
    accelerometer=TriadSpec(noise_covariance=np.diag([1e-7, 2e-7, 1 / 7])),
    magnetometer=TriadSpec(),
    reference_temperature=-12.5,
    operating_temperature=[-40, 85],
)
SPECS = [ImuSpec(), ODD, ImuSpec(gyroscope=TriadSpec(noise_density=0.0))]


def assert_equal(one, other):
    assert one.triads().keys() == other.triads().keys()
    for name, triad in one.triads().items():
        ours, theirs = figures_given(triad), figures_given(other.triads()[name])
        assert ours.keys() == theirs.keys()
        for figure, value in ours.items():
            assert np.array_equal(value, theirs[figure]), (name, figure)
    assert repr(to_mapping(one)) == repr(to_mapping(other))


def test_yaml_and_json_read_back_to_the_bit(tmp_path):
    for spec in [*SPECS, *map(load_profile, presets())]:
        for name, text in (("a.yaml", yaml_text(spec)), ("a.json", json_text(spec))):
            path = tmp_path / name
            path.write_text(text or "{}", encoding="utf-8")
            if spec is SPECS[0] and name == "a.yaml":
                path.write_text("{}\n", encoding="utf-8")
            assert_equal(load_profile(path), spec)


def test_only_what_was_given_is_written():
    assert to_mapping(ImuSpec()) == {}
    assert to_mapping(SPECS[2]) == {"gyroscope": {"noise_density": 0.0}}
    assert list(to_mapping(ODD)) == [
        *("gyroscope", "accelerometer", "magnetometer"),
        *("reference_temperature", "operating_temperature"),
    ]
    assert to_mapping(ODD)["magnetometer"] == {}
    json.dumps(to_mapping(ODD))


def test_yaml_says_the_units_and_is_read_by_anybody():
    text = yaml_text(ODD, {"name": "16448", "description": "A sensor: odd"})
    assert 'name: "16448"' in text
    assert "noise_type: single-sided\n" in text
    assert "1.0e-05, 2.0e-07]  # rad/s/sqrt(Hz)" in text
    assert "cross_axis: [1.0, 0.1," in text
    assert "]  # (m/s^2)^2/Hz" in text
    assert "reference_temperature: -12.5  # degC" in text
    plain = yaml.safe_load(text)
    assert plain["gyroscope"]["noise_density"] == [1 / 3, 1e-5, 2e-7]
    assert plain["description"] == "A sensor: odd"
    assert json.loads(json_text(ODD, {"name": "x"}))["name"] == "x"


def test_any_description_reads_back(tmp_path):
    path = tmp_path / "a.yaml"
    for text in (
        "no",
        "1e-3",
        "a # b",
        "quo\"te's",
        "umlaut \u00e4\n\t",
        "BMI088 (x)",
        "- a",
        "Y",
        " a",
    ):
        path.write_text(yaml_text(SPECS[2], {"name": text}), encoding="utf-8")
        assert read_profile(path).name == text


def test_a_profile_without_figures_is_still_one(tmp_path):
    path = tmp_path / "perfect.yaml"
    path.write_text(yaml_text(ImuSpec()), encoding="utf-8")
    assert to_mapping(load_profile(path)) == to_mapping(ImuSpec())
