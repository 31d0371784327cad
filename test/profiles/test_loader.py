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

import numpy as np
import pytest

from imu_noise_node.errors import InputError, ParameterError, UnknownNameError
from imu_noise_node.model.plausible import implausible
from imu_noise_node.profiles.loader import load_profile, presets


@pytest.mark.parametrize("name", ["bmi088", "adis16470"])
def test_presets_load_and_are_plausible(name):
    spec = load_profile(name)
    assert np.all(np.asarray(spec.gyroscope.noise_density) > 0.0)
    assert np.all(np.asarray(spec.accelerometer.range) > 0.0)
    assert implausible(spec) == []


def test_preset_figures_are_those_of_the_datasheets():
    degree, g = np.pi / 180.0, 9.80665
    bmi088, adis16470 = load_profile("bmi088"), load_profile("adis16470")
    assert bmi088.gyroscope.noise_density == pytest.approx(0.014 * degree)
    assert bmi088.gyroscope.resolution == pytest.approx(degree / 16.384)
    assert bmi088.gyroscope.range == pytest.approx(2000 * degree)
    assert bmi088.accelerometer.noise_density == pytest.approx(
        np.array([160, 160, 190]) * g * 1e-6
    )
    assert bmi088.accelerometer.turn_on_bias_stddev == pytest.approx(0.020 * g)
    assert bmi088.accelerometer.resolution == pytest.approx(g / 1365)
    assert adis16470.gyroscope.noise_density == pytest.approx(0.34 * degree / 60)
    assert adis16470.gyroscope.bias_instability == pytest.approx(8 * degree / 3600)
    assert adis16470.accelerometer.noise_density == pytest.approx(0.037 / 60)
    assert adis16470.accelerometer.bias_instability == pytest.approx(13e-6 * g)


def test_an_unknown_preset_offers_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown profile 'bmi88'; did you mean 'bmi088'"):
        load_profile("bmi88")


def test_a_profile_at_a_path(write):
    path = write("name: mine\ngyroscope:\n  noise_density: 4e-3\n  range: [1, 2, 3.5]\n")
    spec = load_profile(path)
    assert spec.gyroscope.noise_density == 0.004
    assert spec.gyroscope.range.tolist() == [1.0, 2.0, 3.5]
    assert spec.accelerometer.noise_density is None


@pytest.mark.parametrize("number", ["4e-3", "4E-3", "4.0e-3", ".004", "+4e-3", "'4e-3'", "0.004"])
def test_numbers_are_read_as_what_they_mean(write, number):
    path = write(f"gyroscope: {{noise_density: {number}}}\n")
    assert load_profile(path).gyroscope.noise_density == 0.004


def test_the_header_that_opencv_writes_is_taken(write):
    path = write("%YAML:1.0\n---\ngyroscope:\n  noise_density: 5e-06\n")
    assert load_profile(path).gyroscope.noise_density == 5e-6


def test_a_misspelt_key_names_file_key_and_the_nearest(write):
    path = write("gyroscope:\n  noise_densty: 0.1\n")
    with pytest.raises(UnknownNameError) as caught:
        load_profile(path)
    message = str(caught.value)
    assert "noise_densty" in message
    assert "did you mean 'noise_density'?" in message
    assert f"{path}: gyroscope" in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gyroscope:\n  noise_density: -1\n", "gyroscope: noise_density = -1: must be"),
        ("accelerometer: {range: -1}\n", "0 or more [m/s^2]"),
        ("gyroscope:\n  noise_density: .nan\n", "finite"),
        ("gyroscope:\n  noise_density: yes\n", "noise_density = True"),
        ("gyroscope: 3\n", "must be a mapping"),
        (f"gyroscope: {{range: 1{'0' * 400}}}\n", "or three (x, y, z), 0 or more [rad/s]"),
        (f"gyroscope: {{range: 0x{'f' * 9000}}}\n", "or three (x, y, z), 0 or more [rad/s]"),
        (f"gyroscope: {{range: [1 deg/s, 1{'0' * 400}, 0]}}\n", "must have a unit with so large"),
        (f"warm_up_time: 1{'0' * 400}\n", "must be a finite number, 0 or more [s]"),
        ("gyroscope:\n  noise_density:\n", "noise_density = None: has no value"),
        ("gyroscope:\n  noise_type: both\n", "must be one of double-sided, single-sided"),
    ],
)
def test_a_bad_figure_is_one_sentence_with_file_and_key(write, text, said):
    path = write(text)
    with pytest.raises(ParameterError) as caught:
        load_profile(path)
    message = str(caught.value)
    assert said in message
    assert str(path) in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gyroscope:\n\tnoise_density: 1\n", "not valid YAML at line 2"),
        ("a: [1, 2\n", "not valid YAML"),
        ("- 1\n- 2\n", "must be a mapping"),
        (f"gyroscope: {{range: 1{'0' * 5000}}}\n", "not valid YAML"),
        ("gyroscope: {}\ngyroscope: {}\n", "line 2, column 1: the key 'gyroscope' stands twice"),
        ("gyroscope: {range: 1, range: 2}\n", "the key 'range' stands twice"),
        ("", "with figures under gyroscope, accelerometer or magnetometer$"),
        ("!!python/object/apply:os.system ['true']\n", "not valid YAML"),
    ],
)
def test_a_file_that_is_no_profile_is_one_sentence(write, text, said):
    path = write(text)
    with pytest.raises(InputError, match=said) as caught:
        load_profile(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        load_profile(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="cannot be read"):
        load_profile(str(tmp_path) + "/")


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "binary.yaml"
    path.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(InputError, match="not UTF-8"):
        load_profile(path)


def test_presets_are_found_by_their_file_names():
    assert {"bmi088", "adis16470"} <= set(presets())


@pytest.mark.parametrize("name", [None, 3, b"bmi088"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(ParameterError, match="must be a preset's name, or a path"):
        load_profile(name)
