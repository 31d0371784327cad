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

"""What a profile says of its figures, and the sentences for what it gets wrong."""

import numpy as np
import pytest

from imu_noise_node.errors import ImuNoiseError, InputError, ParameterError, UnknownNameError
from imu_noise_node.profiles.loader import load_profile, read_profile
from imu_noise_node.profiles.provenance import Source

FULL = """
name: My sensor
description: on the bench
grade: tactical
sources:
  sheet: {title: The datasheet, address: https://example.org/sheet, date: 2026-11-30}
  bench: {title: Measured at home}
gyroscope:
  noise_density: {value: 2e-4, what: a spectral figure, source: sheet, where: table 1}
  range: {value: [1, 2, 3.5], source: bench}
  resolution: 1e-3
accelerometer: {noise_density: {value: [1e-3, 2e-3, 3e-3]}}
warm_up_time: {value: 3, what: until ready, source: sheet}
increments_scale: 2.0
"""


def test_a_profile_is_read_with_what_is_known_of_each_figure(write):
    path = write(FULL)
    profile = read_profile(path)
    about = (profile.name, profile.description, profile.grade, profile.path)
    assert about == ("My sensor", "on the bench", "tactical", path)
    assert dict(profile.sources) == {
        "sheet": Source("The datasheet", "https://example.org/sheet", "2026-11-30"),
        "bench": Source("Measured at home"),
    }
    noise = profile.provenance["gyroscope.noise_density"]
    assert (noise.written, noise.what) == (2e-4, "a spectral figure")
    assert (noise.source, noise.where) == ("sheet", "table 1")
    assert profile.provenance["gyroscope.range"].written == [1, 2, 3.5]
    assert profile.provenance["gyroscope.resolution"].written == 1e-3
    assert profile.provenance["gyroscope.resolution"].source == ""
    assert profile.provenance["warm_up_time"].what == "until ready"
    assert list(profile.provenance) == [
        "gyroscope.noise_density",
        "gyroscope.range",
        "gyroscope.resolution",
        "accelerometer.noise_density",
        "warm_up_time",
        "increments_scale",
    ]


def test_the_figures_are_the_same_with_and_without_provenance(write):
    plain = "gyroscope: {noise_density: 2e-4, range: [1, 2, 3.5], resolution: 1e-3}\n"
    bare, full = load_profile(write(plain, "bare.yaml")), load_profile(write(FULL))
    assert bare.gyroscope.noise_density == full.gyroscope.noise_density == 2e-4
    assert bare.gyroscope.range.tolist() == full.gyroscope.range.tolist() == [1.0, 2.0, 3.5]
    assert full.accelerometer.noise_density.tolist() == [1e-3, 2e-3, 3e-3]
    assert (full.warm_up_time, full.increments_scale) == (3.0, 2.0)
    assert load_profile(write(FULL)).gyroscope.noise_density == 2e-4


def test_texts_with_units_work_alone_and_per_axis(write):
    text = """
    gyroscope:
      noise_density: {value: 0.014 deg/s/sqrt(Hz)}
      range: 2000 deg/s
    accelerometer:
      noise_density: {value: [160 ug/sqrt(Hz), 160 ug/sqrt(Hz), 190 ug/sqrt(Hz)]}
    """
    profile = read_profile(write(text))
    spec = profile.spec
    assert spec.gyroscope.noise_density == pytest.approx(0.014 * np.pi / 180)
    assert spec.gyroscope.range == pytest.approx(2000 * np.pi / 180)
    expected = np.array([160, 160, 190]) * 9.80665e-6
    assert spec.accelerometer.noise_density == pytest.approx(expected)
    assert profile.provenance["gyroscope.range"].written == "2000 deg/s"


def test_a_file_that_says_nothing_of_itself_is_named_after_its_file(write):
    profile = read_profile(write("gyroscope: {}\n"))
    assert (profile.name, profile.description, profile.grade) == ("mine", "", "")
    assert not profile.provenance
    assert not profile.sources


@pytest.mark.parametrize("name", ["mine.json", "mine.jsonc", "mine.JSON"])
def test_json_with_comments_works_as_well(write, monkeypatch, name):
    path = write(
        '{"gyroscope": {"noise_density": {"value": 2e-4, "source": "a"}}, // white\n'
        ' "sources": {"a": {"title": "A", "date": "2026-11-30"}}}\n',
        name,
    )
    monkeypatch.chdir(path.parent)
    # A name with such a suffix is a file, also without a slash.
    profile = read_profile(name)
    assert profile.spec.gyroscope.noise_density == 2e-4
    assert profile.sources["a"].date == "2026-11-30"


SHEET = "sources: {sheet: {title: S}}\n"

BAD = [
    # Keys and names, with the nearest that exist.
    (UnknownNameError, "gyroscop: {range: 1}\n", "unknown key 'gyroscop' in {path}; did you mean"),
    (UnknownNameError, "sorces: {}\n", "unknown key 'sorces' in {path}; did you mean 'sources'?"),
    (UnknownNameError, "descripton: x\n", "did you mean 'description'?"),
    (
        UnknownNameError,
        "gyroscope: {range: {valeu: 1}}\n",
        "unknown key 'valeu' in {path}: gyroscope: range; did you mean 'value'?",
    ),
    (
        UnknownNameError,
        "gyroscope: {rnge: {value: 1}}\n",
        "unknown key 'rnge' in {path}: gyroscope; did you mean 'range'?",
    ),
    (
        UnknownNameError,
        "sources: {a: {title: A, adress: b}}\n",
        "unknown key 'adress' in {path}: sources: a; did you mean 'address'?",
    ),
    (
        UnknownNameError,
        SHEET + "gyroscope: {range: {value: 1, source: shet}}\n",
        "unknown source 'shet' in {path}: gyroscope: range; did you mean 'sheet'?",
    ),
    (
        ParameterError,
        "gyroscope: {range: {value: 1, source: sheet}}\n",
        "{path}: gyroscope: range: source = 'sheet': must be a key of sources, and there are none",
    ),
    # Values.
    (ParameterError, "gyroscope: {range: {what: x}}\n", "gyroscope: range: value = None: must be"),
    (ParameterError, "gyroscope: {range: {value: }}\n", "gyroscope: range: value = None: must be"),
    (ParameterError, "gyroscope: {range: {value: 1, what: 3}}\n", "what = 3: must be a text"),
    (ParameterError, "gyroscope: {range: {value: 1, source: 3}}\n", "source = 3: must be a text"),
    (
        ParameterError,
        "gyroscope: {range: {value: -1}}\n",
        "gyroscope: range = -1: must be",
    ),
    (ParameterError, "gyroscope: {range: [1, 2]}\n", "three (x, y, z), 0 or more [rad/s]"),
    (ParameterError, "gyroscope: {range: {value: [1, 2]}}\n", "{path}: gyroscope: range = [1, 2]"),
    (ParameterError, "gyroscope: {range: [1 m, 2 m, 3 m]}\n", "rad/s"),
    (ParameterError, "gyroscope: {noise_density: {value: 20 mg}}\n", "rad/s/sqrt(Hz)"),
    (ParameterError, "accelerometer: {range: 2 parsecs}\n", "parsecs"),
    (ParameterError, "grade: excellent\n", "grade = 'excellent': must be one of consumer, indus"),
    (ParameterError, "name: 3\n", "{path}: name = 3: must be a text"),
    (ParameterError, "description: [a]\n", "description = ['a']: must be a text"),
    (ParameterError, "gyroscope: [1]\n", "{path}: gyroscope = [1]: must be a mapping of figures"),
    (ParameterError, "magnetometer:\n", "must be a mapping of figures"),
    # Sources.
    (InputError, "sources: [The datasheet]\n", "sources = ['The datasheet']: must be a mapping"),
    (
        InputError,
        "sources: {a: A}\n",
        "sources: a = 'A': must have a title",
    ),
    (ParameterError, "sources: {a: {address: b}}\n", "sources: a: title = '': must say what"),
    (ParameterError, "sources: {a: {title: A, address: 3}}\n", "address = 3: must be a text"),
    (ParameterError, "sources: {a: {title: A, date: soon}}\n", "date = 'soon': must be a day"),
    (ParameterError, "sources: {a: {title: A, date: 2026}}\n", "date = 2026: must be a text"),
    (ParameterError, "sources: {a: {title: A, date: '20261130'}}\n", "must be a day"),
    (ParameterError, "sources: {a: {title: A, date: 2026-11-30 10:00:00}}\n", "must be a day"),
    (ParameterError, "sources: {a: {title: }}\n", "title = None: has no value"),
    # Files.
    (
        InputError,
        "- 1\n",
        "must be a mapping with figures under gyroscope, acc",
    ),
    (
        InputError,
        "",
        "must be a mapping with figures under gyroscope, acc",
    ),
    (InputError, "gyroscope:\n\trange: 1\n", "not valid YAML at line 2, column 1"),
    (InputError, "gyroscope: {range: {value: 1, value: 2}}\n", "the key 'value' stands twice"),
]


@pytest.mark.parametrize(("error", "text", "said"), BAD)
def test_what_is_wrong_is_one_sentence_with_file_and_key(write, error, text, said):
    path = write(text)
    with pytest.raises(ImuNoiseError) as caught:
        read_profile(path)
    message = str(caught.value)
    assert said.format(path=path) in message
    assert str(path) in message
    assert "\n" not in message
    assert caught.type is error
