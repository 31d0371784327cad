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

import numpy as np
import pytest

from imu_noise_node import ImuModel
from imu_noise_node.analysis.allan import (
    AllanCurves,
    allan,
    averaging_factors,
    octaves_of,
    overlapping,
)
from imu_noise_node.analysis.allan_terms import shapes
from imu_noise_node.analysis.fit import fit
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.profiles.loader import GRADES, load_profile
from imu_noise_node.simulation.at_rest import record_at_rest

pytest.importorskip("allantools", reason="needs allantools")
pytest.importorskip("scipy", reason="needs scipy")

BAND = np.array([1.0, 1000.0])


def exact_curves(theta, count=360_000, dt=0.1, noise=None) -> AllanCurves:
    """Return curves that are theory itself, or theory times `noise`; alike on all axes."""
    factors = averaging_factors(count, 1.0 / dt)
    taus = factors * dt
    deviations = np.sqrt(shapes(taus, (1.0, 1000.0)) @ np.square(theta))
    if noise is not None:
        deviations = deviations * noise(taus)
    return AllanCurves("theory", taus, np.tile(deviations, (6, 1)), octaves_of(factors), dt, count)


@pytest.mark.parametrize(
    "theta",
    [
        (0.0, 1e-4, 5e-5, 1e-5),
        (3e-4, 1e-4, 5e-5, 1e-5),
        (0.0, 1e-9, 0.0, 0.0),
        (0.0, 2.0, 1.0, 0.2),
    ],
)
def test_theory_is_found_again(theta):
    found = fit(exact_curves(theta))[0]
    np.testing.assert_allclose(found.values, theta, rtol=1e-4, atol=1e-6 * max(theta))
    assert list(found.seen) == [value > 0.0 for value in theta]
    assert (found.lower <= theta).all()
    assert (np.array(theta) <= found.upper * (1.0 + 1e-9)).all()
    assert found.misfit == 0.0


def test_what_a_filter_takes_from_short_times_does_not_spoil_the_fit():
    theta = (0.0, 1e-4, 3e-5, 1e-5)
    found = fit(exact_curves(theta, noise=lambda taus: 1.0 - 0.4 * np.exp(-taus / 0.1)))[0]
    assert found.values[1] == pytest.approx(theta[1], rel=0.03)
    np.testing.assert_allclose(found.values[2:], theta[2:], rtol=0.10)
    assert found.shortest > 0.1


def test_a_bump_widens_the_intervals_and_is_told():
    theta = (0.0, 1e-4, 3e-5, 1e-5)
    bump = exact_curves(theta, noise=lambda taus: 1.0 + 0.3 * np.exp(-(np.log(taus / 10.0) ** 2)))
    found, clean = fit(bump)[0], fit(exact_curves(theta))[0]
    assert found.misfit > 0.05
    assert found.upper[1] - found.lower[1] > 3.0 * (clean.upper[1] - clean.lower[1])
    assert found.lower[1] < theta[1] < found.upper[1]


def test_an_axis_without_noise_has_no_fit():
    curves = exact_curves((0.0, 1e-4, 0.0, 0.0))
    curves.deviations[2] = 0.0
    curves.deviations[3:] = np.nan
    assert [found is None for found in fit(curves)] == [False, False, True, True, True, True]


def test_the_intervals_cover_at_their_rate():
    """204 seeds, each with N, B and K that its record shows.

    Expected inside: 95 % of 204, sigma 3.1; 4.8 sigma below is a false alarm in 1e6. The squared
    errors in units of the half widths have the mean 1/1.96^2 if the widths are right, and scatter
    by about 15 % of it over 204; both too wide and too narrow ones are noticed.
    """
    seeds, count, rate = 34, 16_000, 4.0
    triad = TriadSpec(noise_density=1.0, bias_instability=0.4, random_walk=0.2)
    spec = ImuSpec(gyroscope=triad, accelerometer=triad)
    runs = ImuModel(spec, 11, batch=(seeds,)).run(np.full(count, 1.0 / rate), 0.0, 0.0).values
    factors = averaging_factors(count, rate)
    inside, errors = np.zeros(3), []
    for run in np.moveaxis(runs, 1, 0):
        rows = np.stack([overlapping(np.ascontiguousarray(row), rate, factors) for row in run.T])
        curves = AllanCurves("", factors / rate, rows, octaves_of(factors), 1.0 / rate, count)
        for axis in fit(curves):
            truth = np.array([1.0, 0.4, 0.2])
            inside += (axis.lower[1:] <= truth) & (truth <= axis.upper[1:])
            half = (axis.upper[1:] ** 2 - axis.lower[1:] ** 2) / 2.0
            errors.append((axis.values[1:] ** 2 - truth**2) / half)
    assert (inside >= 204 * 0.95 - 4.8 * 3.1).all(), inside
    spread = np.mean(np.square(errors), axis=0) * 1.96**2
    assert ((spread > 0.5) & (spread < 1.7)).all(), spread


@pytest.mark.parametrize("grade", [GRADES[0], GRADES[-1]])
def test_simulate_then_allan(grade):
    """An hour and more of a grade whose presets say no B and K; these are in their usual ratio.

    Theory (the fit's own covariance) gives sigmas of 0.2 %, 2 % and 6 % here.
    """
    figures = {}
    for name, triad in load_profile(grade).triads().items():
        density = float(np.max(triad.density))
        figures[name] = TriadSpec(
            noise_density=density, bias_instability=0.5 * density, random_walk=0.2 * density
        )
    curves = allan(record_at_rest(ImuSpec(**figures), 12_000.0, 10.0, seed=2))
    assert curves.count == 120_000
    for place, found in enumerate(fit(curves)):
        density = figures["gyroscope" if place < 3 else "accelerometer"].noise_density
        ratios = found.values[1:] / (density * np.array([1.0, 0.5, 0.2]))
        np.testing.assert_allclose(ratios[0], 1.0, rtol=0.02)
        np.testing.assert_allclose(ratios[1], 1.0, rtol=0.10)
        np.testing.assert_allclose(ratios[2], 1.0, rtol=0.30)


def test_white_noise_alone_shows_nothing_else():
    curves = allan(record_at_rest(load_profile("tactical"), 3600.0, 10.0, seed=1))
    for place, found in enumerate(fit(curves)):
        assert list(found.seen) == [False, True, False, False]
        assert np.isfinite(found.upper).all()
        truth = load_profile("tactical").triads()["gyroscope" if place < 3 else "accelerometer"]
        assert found.values[1] == pytest.approx(float(truth.density), rel=0.02)
