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

"""The pictures of the error model draw, and their lines are what theory says."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib import image, rcParams
from matplotlib.figure import Figure

from imu_noise_node import ImuSpec, Theory, TriadSpec, presets
from imu_noise_node.analysis.pictures import anatomy, ladder, rates, series, trends
from imu_noise_node.profiles.loader import GRADES
from imu_noise_node.units import si

DENSITY = si("0.3 deg/sqrt(h)", "rad/s/sqrt(Hz)")
NOISY = ImuSpec(
    gyroscope=TriadSpec(noise_density=DENSITY, turn_on_bias_stddev=si("10 deg/h", "rad/s")),
    accelerometer=TriadSpec(noise_density=si("100 ug/sqrt(Hz)", "m/s^2/sqrt(Hz)")),
)
FLAT = ImuSpec(gyroscope=TriadSpec(bias_instability=si("8 deg/h", "rad/s")))


def lines_of(axes):
    found = {line.get_label(): line for line in axes.lines}
    return {
        name: (np.asarray(line.get_xdata()), np.asarray(line.get_ydata()))
        for name, line in found.items()
        if not name.startswith("_")
    }


@pytest.mark.parametrize(
    "plot",
    [
        lambda path: ladder.plot_ladder(path, {"noisy": NOISY}, {"flat": FLAT}),
        lambda path: anatomy.plot_anatomy(path, duration=60.0),
        lambda path: trends.plot_trends(path, duration=0.5),
        lambda path: series.plot_series(path, {"noisy": NOISY, "flat": FLAT}),
        rates.plot_model_rates,
    ],
    ids=["ladder", "anatomy", "trends", "series", "rates"],
)
def test_a_picture_is_written_whole_and_leaves_no_trace(tmp_path, plot):
    before = dict(rcParams)
    plot(tmp_path / "picture.png")
    pixels = image.imread(tmp_path / "picture.png")
    assert pixels.shape[1] == 1290
    assert pixels[..., :3].std() > 0.05
    assert [path.name for path in tmp_path.iterdir()] == ["picture.png"]
    assert dict(rcParams) == before


def test_the_ladder_is_in_units_of_datasheets():
    figure = Figure()
    ladder.draw_ladder(figure, {"noisy": NOISY}, {"flat": FLAT})
    gyroscopes, accelerometers = map(lines_of, figure.axes)
    times, deviations = gyroscopes["noisy"]
    # 0.3 deg/sqrt(h) is 18 deg/h at 1 s.
    np.testing.assert_allclose(deviations, 18.0 / np.sqrt(times))
    times, deviations = gyroscopes["flat"]
    np.testing.assert_allclose(deviations[times >= 1.0], 8.0, rtol=0.01)
    times, deviations = accelerometers["noisy"]
    np.testing.assert_allclose(deviations, 100.0 / np.sqrt(times))
    assert "flat" not in accelerometers
    biases = [
        line.get_ydata()
        for axes in figure.axes
        for line in axes.lines
        if len(line.get_ydata()) == 1
    ]
    np.testing.assert_allclose(biases, [[10.0]])


def test_the_parts_of_the_anatomy_are_those_of_theory():
    figure = Figure()
    anatomy.draw_anatomy(figure, duration=60.0)
    drawn = lines_of(figure.axes[0])
    times = anatomy.TAUS
    spec = ImuSpec(gyroscope=anatomy.GYROSCOPE)
    theory = Theory.of(spec).allan_deviation(times)["gyroscope"]
    for term, name in (
        ("white", "white noise"),
        ("flicker", "bias instability"),
        ("gauss_markov", "Gauss-Markov"),
        ("random_walk", "random walk"),
    ):
        np.testing.assert_allclose(drawn[name][1], theory[term][:, 0] / anatomy.UNIT)
    at_1_s, at_3_s = np.argmin(abs(times - 1.0)), np.argmin(abs(times - 3.0))
    assert drawn["white noise"][1][at_1_s] == pytest.approx(18.0, rel=0.05)
    assert drawn["random walk"][1][at_3_s] == pytest.approx(0.12, rel=0.05)
    parts = [drawn[name][1] ** 2 for name in drawn if name not in ("sum", "record")]
    np.testing.assert_allclose(drawn["sum"][1] ** 2, np.sum(parts, axis=0))


def test_the_record_follows_the_sum():
    times, deviations = anatomy.record(600.0)
    expected = anatomy.allan_terms(times)["total"]
    many = times < 6.0
    np.testing.assert_allclose(deviations[many], expected[many], rtol=0.1)


def test_the_estimator_is_half_the_mean_square_of_differences():
    samples = np.array([[1.0], [2.0], [4.0], [3.0], [0.0]])
    by_one = 0.5 * np.mean(np.array([1.0, 2.0, -1.0, -3.0]) ** 2)
    by_two = 0.5 * np.mean(np.array([3.5 - 1.5, 1.5 - 3.0]) ** 2)
    assert anatomy.overlapping_allan_variance(samples, 1) == pytest.approx(by_one)
    assert anatomy.overlapping_allan_variance(samples, 2) == pytest.approx(by_two)


def test_the_trends_of_the_model_are_those_of_the_formulas():
    figure = Figure()
    trends.draw_trends(figure, duration=20.0)
    bias, scale, noise, warm_up = map(lines_of, figure.axes)
    for panel, rtol, atol in ((bias, 0, 0.02), (scale, 0, 0.02), (noise, 0.05, 0)):
        np.testing.assert_allclose(panel["model"][1], panel["formula"][1], rtol=rtol, atol=atol)
    assert bias["formula"][1][-1] == pytest.approx(0.015 * 60.0)
    assert scale["formula"][1][-1] == pytest.approx(0.03 * 60.0)
    assert noise["formula"][1][-1] == pytest.approx(0.14 * 1.24)
    times, values = warm_up["formula"]
    assert np.interp(300.0, times, values) == pytest.approx(0.95 * 0.015 * 35.0, rel=1e-3)
    times, values = warm_up["model"]
    np.testing.assert_allclose(values, trends.warming(times), atol=0.02)


def test_the_series_are_about_the_truth():
    figure = Figure()
    series.draw_series(figure, {"noisy": NOISY, "flat": FLAT})
    times, truth = series.motion()
    readings, shown = (line.get_ydata() for line in figure.axes[0].lines)
    errors = figure.axes[1].lines[0].get_ydata()
    np.testing.assert_array_equal(shown, truth)
    np.testing.assert_allclose(errors, readings - truth, atol=1e-12)
    # White noise of 0.3 deg/sqrt(h) is 0.05 deg/s at 100 Hz; 500 samples, 5 sigma.
    assert errors.std() == pytest.approx(0.05, rel=5.0 / np.sqrt(2 * len(times)))


def test_the_presets_that_the_ladder_shows_exist():
    assert {*GRADES, *ladder.PARTS} <= set(presets())
