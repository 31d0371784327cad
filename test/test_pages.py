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

"""The Python on the pages runs, and does what the pages say."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest

from imu_noise_node.model.conformance import ConformanceError, check_stage

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = [
    path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if BLOCK.search(path.read_text(encoding="utf-8"))
]


def executed(page: Path) -> dict:
    """Run the Python blocks of a page, one after the other, and return what they have defined."""
    text = page.read_text(encoding="utf-8")
    names: dict = {"__name__": page.stem}
    for match in BLOCK.finditer(text):
        # Blank lines in front, so that a traceback gives the line of the page.
        code = "\n" * (text.count("\n", 0, match.start()) + 1) + match.group(1)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, str(page), "exec"), names)
    return names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page):
    executed(page)


def test_the_other_sum_for_the_time_is_told_what_the_page_says():
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    stage = BLOCK.search(page).group(1)
    start, end = stage.index("        steps = np.full"), stage.index("  # the start of each")
    other = "        moments = self._time + np.arange(len(block) + 1) * dt"
    names: dict = {}
    exec(stage[:start] + other + stage[end:], names)
    with pytest.raises(ConformanceError) as caught:
        check_stage(lambda batch: names["Hum"](0.02, 50.0, batch))
    rule, found = str(caught.value).split("; ")
    assert f"ConformanceError: {rule}; with batch ()," in page
    assert found.startswith("with batch (), capture ")


@pytest.fixture(scope="module")
def page():
    return executed(ROOT / "docs" / "extending.md")


def test_the_hum_is_gone_at_the_rate_of_the_mains_and_there_at_others(page):
    def read(rate, count, amplitude=0.02):
        stage = page["Hum"](amplitude, 50.0)
        return stage.apply(np.zeros((count, 6)), 1.0 / rate, None)

    assert np.abs(read(50.0, 40)).max() < 1e-12
    # At 400 Hz the mean over an eighth of a period: sin(pi/8)/(pi/8) of the amplitude.
    fast = read(400.0, 400)
    assert np.sqrt(2.0 * np.mean(fast[:, 0] ** 2)) == pytest.approx(0.0194899, rel=1e-4)
    # The mean over 2.5 ms is that of ten means over 0.25 ms.
    np.testing.assert_allclose(read(4000.0, 4000).reshape(400, 10, 6).mean(axis=1), fast)


def test_the_hum_is_in_the_model_and_in_no_bias(page):
    imu_model, spec = page["ImuModel"], page["spec"]
    still = (np.full(400, 0.0025), 0.0, [0.0, 0.0, 9.80665])
    hum = imu_model(spec, 1, extra_stages=[page["Hum"](0.02, 50.0, seed=1)]).run(*still)
    quiet = imu_model(spec, 1).run(*still)
    added = hum.values - quiet.values
    assert 0.018 < np.abs(added).max() < 0.022
    assert np.array_equal(hum.bias.values, quiet.bias.values)
    assert np.array_equal(hum.covariance, quiet.covariance)


def test_the_batch_of_the_page_has_phases_of_its_own(page):
    stage = page["Hum"](0.02, 50.0, (64,))
    model = page["ImuModel"](batch=(64,), extra_stages=[stage])
    found = model.run(np.full(8, 0.0025), 0.0, 0.0).values
    assert len(np.unique(found[0, :, 0])) == 64


def test_the_table_is_the_bias(page):
    warm, dt = np.array([-60.0, -25.0, 25.0, 85.0, 99.0]), np.full(5, 0.01)
    models = {"gyroscope": page["by_table"]}
    model = page["ImuModel"](thermal_models=models)
    m = model.run(dt, 0.0, 0.0, warm)
    expected = np.radians([0.31, 0.215, 0.0, 0.25, 0.25])
    np.testing.assert_allclose(m.angular_velocity[:, 0], expected, rtol=1e-12)
    np.testing.assert_allclose(m.angular_velocity[:, 1], np.radians([-0.2, -0.15, 0, 0.1, 0.1]))
    assert not m.angular_velocity[:, 2].any()
    one = page["ImuModel"](thermal_models=models)
    steps = [one.step(0.01, 0.0, 0.0, float(t)).values for t in warm]
    assert np.array_equal(steps, m.values)
