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

"""A small file cannot take the memory or the time of a huge one, and a huge one is not read."""

from __future__ import annotations

import pytest

from imu_noise_node.errors import InputError, ParameterError
from imu_noise_node.profiles.documents import read_document
from imu_noise_node.profiles.nesting import is_too_deep
from imu_noise_node.units import si

LAUGHS = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
MERGES = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12)
)


def refusal(tmp_path, text, name="figures.yaml"):
    """Return what is said of a file with this text."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_document(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"file = '{path}': ")
    assert "\n" not in sentence
    return sentence.partition("': ")[2]


@pytest.mark.parametrize("text", [LAUGHS, MERGES], ids=["lists", "merges"])
def test_aliases_of_aliases_are_counted(tmp_path, text):
    said = refusal(tmp_path, text)
    assert said.startswith("is not valid YAML at line 6, column ")
    assert said.endswith("must have no more than 200000 values, those behind aliases counted")


def test_an_alias_of_itself_is_refused(tmp_path):
    said = refusal(tmp_path, "a: &a [1, *a]\n")
    assert said.endswith("line 1, column 11: the alias '*a' stands within what it means")


def test_aliases_as_people_use_them_are_read(tmp_path):
    path = tmp_path / "figures.yaml"
    path.write_text("a: &a {x: 1, y: [2]}\nb: {<<: *a, x: 3}\nc: [*a, *a]\n")
    plain = {"x": 1, "y": [2]}
    assert read_document(path) == {"a": plain, "b": {"x": 3, "y": [2]}, "c": [plain, plain]}


def test_what_is_nested_too_deep_is_refused(tmp_path):
    deep = "must not be nested deeper than 50 levels"
    assert refusal(tmp_path, "[" * 60 + "]" * 60).endswith(deep)
    assert refusal(tmp_path, "[" * 60 + "]" * 60, "figures.json") == deep
    assert refusal(tmp_path, "a: " + "{b: " * 60 + "1" + "}" * 60).endswith(deep)
    assert not is_too_deep([[{"a": [1]}]])


def test_a_matrix_without_columns_has_no_rows(tmp_path):
    """Each of a million million rows would be an empty list."""
    text = "m: !!opencv-matrix {rows: 1000000000000, cols: 0, data: []}\n"
    assert refusal(tmp_path, text).endswith("must have rows, cols, and rows x cols data")


@pytest.mark.parametrize("name", ["figures.yaml", "figures.json", "figures.sdf"])
def test_a_file_larger_than_any_of_figures_is_not_read(tmp_path, name):
    assert refusal(tmp_path, b"<" * 10_000_001, name) == "must be no larger than 10 MB"


@pytest.mark.parametrize("text", ['"\\', "/*", "/* *", '"', ',"', "//"])
def test_json_is_looked_through_once(tmp_path, text):
    """From every sign to the end would take hours."""
    assert "not valid JSON" in refusal(tmp_path, text * 300_000, "figures.json")


@pytest.mark.parametrize(
    "text",
    [
        "!!int ''",
        "!!bool maybe",
        "!!timestamp x",
        "!!float ''",
        "!!float '1:x'",
        "a\x00",
        "!!set 1",
    ],
)
def test_a_value_that_is_not_what_its_tag_says(tmp_path, text):
    assert refusal(tmp_path, f"a: {text}\n").startswith("is not valid YAML")


@pytest.mark.parametrize("text", ["[" + "1" * 100_000, "1" + " " * 100_000 + "x"])
def test_a_text_longer_than_any_figure_is_refused(text):
    with pytest.raises(ParameterError, match=r"must be a number in rad/s, .*it is too long"):
        si(text, "rad/s")
