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

"""docs/faults.md: its schedule can be loaded, and it leaves out no mode, field or key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from imu_noise_node.model.condition import State
from imu_noise_node.model.fault_spec import MODES, Fault
from imu_noise_node.profiles.fault_schedule import load_faults
from imu_noise_node.ros.fault_settings import FaultSettings
from imu_noise_node.schema import parameters

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "faults.md").read_text(encoding="utf-8")


def test_the_schedule_can_be_loaded(tmp_path):
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "faults.yaml"
    path.write_text(example, encoding="utf-8")
    faults = load_faults(path)
    assert {fault.mode for fault in faults} == set(MODES)
    knock, heater, plug, *_, death = faults
    assert knock == Fault("bias", "accelerometer", "z", 0.05 * 9.80665, 60.0, 0.5, name="knock")
    assert (heater.unit, heater.start) == ("rad/s/s", 120.0)
    assert (plug.magnitude, plug.mtbf) == (0.5, 900.0)
    assert death.start == 3600.0


@pytest.mark.parametrize(
    "name",
    [
        *(f"`{mode}`" for mode in MODES),
        *(f"`{field}`" for field in parameters(Fault)),
        *(f"`fault.{name}`" for name in parameters(FaultSettings)),
        *(f"`{state.value}`" for state in State),
        *("`state`", "`reasons`", "`samples lost to faults`"),
        *("`operating_temperature`", "`vibration_limit`", "`shock_limit`"),
    ],
)
def test_everything_has_its_row(name):
    assert re.search(rf"^\|[^|]*{re.escape(name)}[^|]*\|", PAGE, re.MULTILINE)


def test_others_link_to_it():
    assert "(faults.md)" in (DOCS / "model.md").read_text(encoding="utf-8")
    assert "(docs/faults.md)" in (DOCS.parent / "README.md").read_text(encoding="utf-8")
