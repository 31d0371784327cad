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

"""The picture of drift: the lines of theory, and names that do not lie on each other."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from imu_noise_node.analysis.drift import Drift
from imu_noise_node.analysis.drift_plot import _apart, draw_drift

TIMES = np.geomspace(0.1, 60.0, 40)


def made(sigma):
    """Drifts whose every error is one normal times sigma times the time."""
    normals = np.random.default_rng(1).standard_normal((1, 400, 9))
    column = TIMES[:, None, None]
    covariance = (sigma * column) ** 2 * np.eye(9)
    return Drift(TIMES, sigma * column * normals, np.zeros((40, 9)), covariance)


def test_lines_are_theory_and_dots_are_measured():
    figure, small = Figure(), made(1e-3)
    draw_drift(figure, "title", {"small": small})
    attitude, position = figure.axes
    for axes, scale in ((attitude, np.degrees(1.0)), (position, 1.0)):
        *_, theory, dots = axes.lines
        times, values = theory.get_data()
        np.testing.assert_allclose(values, scale * 1e-3 * np.sqrt(3.0) * times)
        times, values = dots.get_data()
        np.testing.assert_allclose(values, scale * 1e-3 * np.sqrt(3.0) * times, rtol=0.1)
        assert axes.get_xlim()[0] >= 0.6


def test_beyond_the_theory_the_line_ends():
    figure = Figure()
    draw_drift(figure, "title", {"large": made(0.1)})
    values = figure.axes[1].lines[-2].get_ydata()
    assert np.isnan(values[-1])
    assert np.isfinite(values[0])


def test_a_perfect_sensor_has_a_picture_too():
    draw_drift(Figure(), "title", {"perfect": made(0.0)})


def test_names_are_a_line_apart_and_in_order():
    places = [100.0, 101.0, 10.0, 99.0, 300.0]
    moved = _apart(places)
    assert (np.diff(np.sort(moved)) >= 15.0 - 1e-9).all()
    assert np.argsort(moved).tolist() == np.argsort(places).tolist()
    assert moved[[2, 4]].tolist() == [10.0, 300.0]
    assert moved[[0, 1, 3]].mean() == pytest.approx(100.0)
