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

"""The lines in the picture are those of an axis that has them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("scipy", reason="needs scipy")

from matplotlib import image
from matplotlib.axes import Axes

from imu_noise_node.analysis.allan import AllanCurves
from imu_noise_node.analysis.allan_plot import plot_allan
from imu_noise_node.analysis.fit import AxisFit

BAND = np.array([1.0, 1000.0])
TAUS = 0.1 * 2.0 ** np.arange(16)


def axis(white: float, walk: float, seen: bool = True) -> AxisFit:
    values = np.array([0.0, white, 0.0, walk])
    lower = 0.5 * values * [0, 1, 0, seen]
    return AxisFit(values, lower, 2.0 * values + 1e-9, 0.1, 0.0, np.full(16, 9.0))


def test_a_grey_line_is_the_term_of_the_axis_where_it_is_largest(tmp_path, monkeypatch):
    fits = [axis(1.0, 0.02, seen=False), axis(2.0, 0.0), axis(1.0, 0.01), *3 * [None]]
    deviations = np.full((6, len(TAUS)), np.nan)
    for row, found in enumerate(fits[:3]):
        _, white, _, walk = found.values
        deviations[row] = np.sqrt(white**2 / TAUS + walk**2 * TAUS / 3.0)
    octaves = np.arange(len(TAUS))
    curves = AllanCurves("made", TAUS, deviations, octaves, 0.1, 300_000)
    drawn, labels = [], []
    plot, annotate = Axes.plot, Axes.annotate

    def plotted(axes, x, y, **look):
        drawn.append((np.asarray(x), np.asarray(y), look))
        return plot(axes, x, y, **look)

    def annotated(axes, text, *rest, **look):
        labels.append(text)
        return annotate(axes, text, *rest, **look)

    monkeypatch.setattr(Axes, "plot", plotted)
    monkeypatch.setattr(Axes, "annotate", annotated)
    plot_allan(tmp_path / "allan.png", curves, fits, (BAND, BAND), "A title that is made")
    assert image.imread(tmp_path / "allan.png").shape[1] == 690
    assert labels[1:] == ["N y", "K z"]
    white, walk = ((x, y) for x, y, look in drawn if look.get("zorder") == 1)
    unit = np.radians(1.0) / 3600.0
    np.testing.assert_allclose(white[1] * unit, 2.0 / np.sqrt(white[0]))
    np.testing.assert_allclose(walk[1] * unit, 0.01 * np.sqrt(walk[0] / 3.0))
    # That of the first axis, where no walk is seen, is white noise alone.
    fitted = next((x, y) for x, y, look in drawn if "linestyle" in look and len(x))
    np.testing.assert_allclose(fitted[1] * unit, 1.0 / np.sqrt(fitted[0]))
