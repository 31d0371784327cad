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

"""docs/model.md: its conversions come out, its pictures exist, and it leaves no parameter out."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from imu_noise_node.model.fault_spec import MODES, Fault
from imu_noise_node.model.spec import SENSORS, UNITS, ImuSpec, TriadSpec, spell_out_unit
from imu_noise_node.schema import parameters
from imu_noise_node.units import si

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "model.md").read_text(encoding="utf-8")


def tables(*headings):
    """Cells of the rows of each table that has these headings, in order."""
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE):
        first, _, *rows = (split(line) for line in table.splitlines())
        if first == list(headings):
            yield from rows


def split(line):
    return [cell.strip().strip("`") for cell in line.strip("|\n").split("|")]


AS_PRINTED = list(tables("A datasheet prints", "Write", "Parameter", "In SI"))
WITH_SUM = list(tables("A datasheet prints", "Sum", "Write", "Parameter", "In SI"))


def test_the_tables_are_there():
    assert len(AS_PRINTED) >= 24
    assert len(WITH_SUM) >= 11


@pytest.mark.parametrize(("_printed", "text", "name", "converted"), AS_PRINTED)
def test_a_figure_as_printed_is_that_in_si(_printed, text, name, converted):
    check(text, name, converted)


@pytest.mark.parametrize(("_printed", "formula", "text", "name", "converted"), WITH_SUM)
def test_a_figure_with_a_sum_is_that_in_si(_printed, formula, text, name, converted):
    check(text, name, converted)
    known = {"sqrt": math.sqrt, "log": math.log, "pi": math.pi, "__builtins__": {}}
    assert float(text.split()[0]) == pytest.approx(eval(formula, known), rel=1e-5)


@pytest.mark.parametrize(("printed", "text"), [row[:2] for row in AS_PRINTED])
def test_what_to_write_is_in_what_is_printed(printed, text):
    assert text.split()[0] in printed


def check(text, name, converted):
    sensor, figure = name.split(".")
    assert sensor in SENSORS
    unit = spell_out_unit(parameters(TriadSpec)[figure].unit, name)
    number, shown = converted.split(" ", 1)
    assert shown == unit
    assert float(number) == pytest.approx(si(text, unit), rel=1e-5)


@pytest.mark.parametrize(
    "name",
    [*parameters(TriadSpec), *parameters(ImuSpec), *sorted(set(parameters(Fault)) - {"name"})],
)
def test_every_parameter_is_named(name):
    assert re.search(rf"`{name}`", PAGE)


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_of_failure_is_named(mode):
    assert f"| `{mode}` |" in PAGE


def test_every_sensor_has_its_unit():
    assert all(unit in PAGE for unit in UNITS.values())


def test_pictures_say_in_words_what_they_show():
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", PAGE)
    assert len(pictures) == 4
    for words, target in pictures:
        assert len(words) > 40
        assert (DOCS / target).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("target", re.findall(r"(?<!!)\[[^\]]*\]\(([^)]*)\)", PAGE))
def test_links_lead_somewhere(target):
    file, _, place = target.partition("#")
    text = (DOCS / file).read_text(encoding="utf-8") if file else PAGE
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}
    assert not place or place in anchors
