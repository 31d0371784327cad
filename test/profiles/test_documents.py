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

"""Files as people have them: each quirk is read as what it means, or refused with its place."""

import math
from xml.etree.ElementTree import Element

import pytest

from imu_noise_node.errors import InputError
from imu_noise_node.profiles.documents import read_document


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a text to a file and reads it as a document."""

    def read(text, name="figures.yaml"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return read_document(path)

    return read


def test_yaml_as_people_write_it(read):
    cases = {
        "%YAML:1.0\na: 1\n": {"a": 1},
        "%YAML:1.0\n---\na: 1\n": {"a": 1},
        "%YAML:1.0 \r\n---\r\na: 4e-3\r\n": {"a": 0.004},
        "\ufeff%YAML:1.0\na: 1\n": {"a": 1},
        "a: [1e-3, 5e-06, -2E+3, .5, 1.,]\n": {"a": [0.001, 5e-6, -2000.0, 0.5, 1.0]},
        'name: "16448"\n': {"name": "16448"},
        "name: c63aecb41bfdfd6b\n": {"name": "c63aecb41bfdfd6b"},
        # YAML 1.1 has 128 and 5400 for these.
        "a: 0200\n": {"a": 200},
        "a: 1:30\n": {"a": "1:30"},
        "a: 0x1f\n": {"a": 31},
        "a: 0.1 deg/s # // not here\n": {"a": "0.1 deg/s"},
        "a: 'a // b'\n": {"a": "a // b"},
        "topic: //imu\n": {"topic": "//imu"},
        "m: !!opencv-matrix\n  rows: 2\n  cols: 2\n  dt: d\n  data: [1., 2, 3e0,\n   4]\n": {
            "m": [[1.0, 2], [3.0, 4]]
        },
    }
    for text, expected in cases.items():
        assert read(text) == expected, text


def test_a_missing_value_of_yaml_is_none_and_infinity_is_one(read):
    assert read("a:\nb: .inf\n") == {"a": None, "b": math.inf}


def test_yaml_that_is_wrong_names_its_place(read):
    cases = {
        "a: 1\n\tb: 2\n": "line 2",
        "a: 0.0003490659 // 0.02 degrees\n": (
            "line 1, column 4: '0.0003490659 // 0.02 degrees' is no number; "
            "a comment starts with #, not with //"
        ),
        "a: [1, 2 // two\n  ]\n": "'2 // two' is no number",
        "a: 1\nb: 2\na: 3\n": "line 3, column 1: the key 'a' stands twice",
        "? [a]\n: 1\n": "a key must be a name",
        "m: !!opencv-matrix [1, 2]\n": "must be a mapping of rows, cols and data",
        "m: !!opencv-matrix {rows: 2, cols: 2, data: [1, 2, 3]}\n": "rows x cols data",
        "m: !!opencv-matrix {rows: 2, data: [1, 2, 3]}\n": "rows x cols data",
        "a: 2024-13-45\n": "not valid YAML",
        "!!python/object/apply:os.system ['true']\n": "not valid YAML",
        "[" * 5000: "not valid YAML",
    }
    for text, said in cases.items():
        with pytest.raises(InputError) as caught:
            read(text)
        assert said in str(caught.value), text
        assert "\n" not in str(caught.value)


def test_json_with_comments_and_trailing_commas(read):
    text = """\ufeff// a comment, with "quotes" and a }
    {
      "a": 1e-3, /* over
      two lines, ] */
      "url": "https://example.org/*no*/,]", // a comment
      "b": [1, 2, 3,],
      "quoted": "say \\"// no\\" ,}",
    }
    """
    expected = {
        "a": 0.001,
        "url": "https://example.org/*no*/,]",
        "b": [1, 2, 3],
        "quoted": 'say "// no" ,}',
    }
    for name in ("figures.json", "figures.jsonc", "FIGURES.JSON", "figures", "figures.txt"):
        assert read(text, name) == expected, name
    # YAML knows no // comments, and says so.
    with pytest.raises(InputError, match="not valid YAML"):
        read(text, "figures.yaml")


def test_json_that_is_wrong_names_its_place(read):
    cases = {
        "{\n/* a\n*/ 'a': 1}": "line 3, column 4",
        '{"a": 1, "a": 2}': "the key 'a' stands twice",
        '{"a": [1,,]}': "line 1, column",
        '{"a": 1} x': "Extra data",
        '{"a": "b\n"}': "line 1",
        '{"a": /* never ends': "line 1",
        "": "line 1",
    }
    for text, said in cases.items():
        with pytest.raises(InputError) as caught:
            read(text, "figures.json")
        assert "not valid JSON" in str(caught.value)
        assert said in str(caught.value), text[:40]


def test_a_document_is_xml_by_its_first_character(read):
    texts = (
        "<sdf><a>1</a></sdf>",
        '\ufeff<?xml version="1.0" encoding="latin1"?>\n<sdf><a>1</a></sdf>',
        "\n  <!-- a comment -->\n<sdf><a>1</a></sdf>",
    )
    for text in texts:
        for name in ("model.sdf", "robot.urdf", "model", "odd.yaml"):
            root = read(text, name)
            assert isinstance(root, Element)
            assert root.findtext("a") == "1"


def test_xml_that_is_wrong_names_its_line(read):
    cases = {
        "<sdf>\n<a>\n</sdf>": "line 3",
        "<?xml version='1.0'?>\n\n<sdf>\n</sdx>": "line 4",
        '<!DOCTYPE a [\n<!ENTITY b "c">]>\n<a>&b;</a>': "must declare no entities; line 2 does",
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>': "no entities",
        "<a>&b;</a>": "undefined entity",
    }
    for text, said in cases.items():
        with pytest.raises(InputError) as caught:
            read(text, "model.sdf")
        assert said in str(caught.value), text


def test_a_file_that_cannot_be_read(tmp_path):
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00\x81")
    for path, said in (
        (tmp_path / "none.yaml", "No such file"),
        (tmp_path, "cannot be read"),
        (tmp_path / "bytes.json", "not UTF-8"),
    ):
        with pytest.raises(InputError, match=said):
            read_document(path)
