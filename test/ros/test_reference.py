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

"""docs/parameters.md."""

import re
from pathlib import Path

from imu_noise_node.model.spec import SENSORS
from imu_noise_node.ros.reference import markdown
from imu_noise_node.ros.settings import catalogue, unit_of
from imu_noise_node.units import CUSTOMARY

PAGE = Path(__file__).parents[2] / "docs/parameters.md"


def rows():
    """The cells of each table's rows, by section."""
    found = {}
    for section in markdown().split("\n## ")[1:]:
        lines = [line for line in section.splitlines() if line.startswith("| `")]
        cells = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines]
        found[section.splitlines()[0]] = cells
    return found


def test_the_page_is_what_the_schema_says():
    fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == markdown()
    assert fresh, "docs/parameters.md is not what the schema says: run `make docs`"


def test_every_parameter_is_told_once():
    shown = [cells[0].strip("`") for section in rows().values() for cells in section]
    own = [name for name in catalogue() if name.split(".")[0] not in SENSORS]
    figures = {name.partition(".")[2] for name in catalogue() if name.split(".")[0] in SENSORS}
    assert sorted(shown) == sorted([*own, *figures, *SENSORS])


def test_a_row_tells_unit_default_meaning_values_and_whether_it_is_live():
    tables = rows()
    told = {cells[0].strip("`"): cells[1:] for section in tables.values() for cells in section}
    assert told["gravity"] == ["m/s^2", "9.80665", "acceleration of gravity", *told["gravity"][3:]]
    assert told["gravity"][3:] == ["a number, 0 or more", "yes"]
    assert told["seed"][1] == "0"
    assert told["seed"][3:] == ["a whole number from -1 to 9223372036854775807", "no"]
    assert told["mount.rpy"][:2] == ["rad", "0, 0, 0"]
    assert told["noise_density"][:2] == ["u/sqrt(Hz)", "*not given*"]
    assert told["profile"][:2] == ["", "*empty*"]
    assert told["enabled"][1] == "true"
    assert told["g_sensitivity"][2].endswith("; only of the gyroscope")
    assert told["nonlinearity"][2].endswith(r"growing as x \|x\|; needs range")
    assert {sensor: told[sensor] for sensor in SENSORS} == {
        "gyroscope": ["rad/s"],
        "accelerometer": ["m/s^2"],
        "magnetometer": ["T"],
    }


def test_every_unit_is_in_the_list_of_units():
    for name, facts in catalogue().items():
        # There is no other for a temperature, and that of a fault depends on its mode.
        if facts.kind is float and facts.unit not in ("degC", ""):
            assert unit_of(name, facts) in CUSTOMARY, f"{name}: units/text.py has no other unit"
            assert f"\n| {unit_of(name, facts)} | " in markdown()


def test_all_tables_are_whole():
    tables = re.findall(r"(?:^\|.*\n)+", markdown(), re.MULTILINE)
    assert len(tables) > 5
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1
