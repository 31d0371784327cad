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

"""The presets as `profile list` prints them, and as the docs show them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from imu_noise_node.cli._profile_list import _COLUMNS, list_markdown
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.profiles.loader import GRADES, presets, read_profile

DOCS = Path(__file__).resolve().parents[2] / "docs" / "profiles.md"


def test_the_list_has_one_line_for_each_preset(tool):
    code, out, err = tool("list")
    assert (code, err) == (0, "")
    titles, units, *lines = out.splitlines()
    assert " ".join(titles.split()) == "name grade gyro N gyro B accel N accel B description"
    assert units.split() == ["deg/sqrt(h)", "deg/h", "m/s/sqrt(h)", "ug"]
    names = [line.split()[0] for line in lines]
    assert sorted(names) == sorted(presets())
    assert names[:5] == list(GRADES)
    assert max(map(len, out.splitlines())) <= 100
    for line in lines:
        assert line[titles.index("grade") :].startswith(read_profile(line.split()[0]).grade)
        assert read_profile(line.split()[0]).description in line


def test_the_list_has_figures_in_the_units_of_datasheets(tool):
    rows = {line.split()[0]: line.split() for line in tool("list")[1].splitlines()[2:]}
    assert rows["adis16470"][1:6] == ["industrial", "0.34", "8", "0.037", "13"]
    assert rows["stim300"][1:6] == ["tactical", "0.15", "0.5", "0.06", "50"]
    assert rows["navigation"][1:6] == ["navigation", "0.001", "-", "0.003", "-"]
    # The worst of three axes: 190 ug/sqrt(Hz).
    assert rows["bmi088"][1:6] == ["consumer", "0.84", "-", "0.112", "-"]
    assert rows["hg9900"][2:6] == ["0.002", "-", "-", "-"]


def test_the_noise_that_is_listed_is_that_of_a_two_sided_spectrum():
    triad = TriadSpec(noise_density=[3e-4, 1e-4, 2e-4], noise_type="single-sided")
    listed = float(_COLUMNS[0].text(ImuSpec(gyroscope=triad)))
    assert listed == pytest.approx(np.degrees(3e-4) * 60 / np.sqrt(2), rel=1e-2)


def test_the_list_as_markdown_is_the_table_of_the_docs(tool):
    code, out, _ = tool("list", "--markdown")
    assert code == 0
    assert out == f"{list_markdown()}\n"
    assert out.count("\n") == 2 + len(presets())
    text = DOCS.read_text(encoding="utf-8")
    found = re.search(r"<!-- presets: .*? -->\n(.*?)\n<!-- end of presets -->", text, re.DOTALL)
    assert found is not None
    assert found.group(1) == list_markdown(), "run the command beside it and paste the table"
