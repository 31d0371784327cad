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

"""Pictures are written whole, of runs that went well and of those that did not."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib import image, rcParams

from imu_noise_node.analysis.plots import plot_rates
from imu_noise_node.analysis.rate_runs import RUNS, TRUE_VALUES, Parked

TRUTH = Parked()


def recorded(run):
    stamps = TRUTH.captures(run.rate)
    noise = np.random.default_rng(0).standard_normal((len(stamps), 6))
    return stamps, TRUE_VALUES + 2e-3 * noise


def test_the_picture_of_the_rates_is_small_and_leaves_no_trace(tmp_path):
    before = dict(rcParams)
    plot_rates(tmp_path / "rates.png", TRUTH, {run: recorded(run) for run in RUNS})
    pixels = image.imread(tmp_path / "rates.png")
    assert pixels.shape[:2] == (825, 1290)
    assert pixels[..., :3].std() > 0.05
    assert (tmp_path / "rates.png").stat().st_size < 200_000
    assert [path.name for path in tmp_path.iterdir()] == ["rates.png"]
    assert dict(rcParams) == before


def test_a_picture_in_the_way_is_replaced(tmp_path):
    path = tmp_path / "rates.png"
    path.write_text("not a picture")
    plot_rates(path, TRUTH, {run: recorded(run) for run in RUNS})
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_run_without_samples_is_an_empty_panel(tmp_path):
    nothing = (np.empty(0, np.int64), np.empty((0, 6)))
    plot_rates(tmp_path / "rates.png", TRUTH, dict.fromkeys(RUNS, nothing))
    assert (tmp_path / "rates.png").exists()
