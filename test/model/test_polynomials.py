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

"""The tabulated law of short intervals equals the closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from model_specs import SPECS

from imu_noise_node.model.coefficients import exact_law
from imu_noise_node.model.figures import compile_spec
from imu_noise_node.model.polynomials import LawPolynomials
from imu_noise_node.model.spec import ImuSpec, TriadSpec

WIDE = TriadSpec(bias_instability=1.0, bias_instability_band=[1e-3, 1e6], random_walk=1.0)
SHARES = np.geomspace(1e-7, 1.0, 29)
"""Of the longest interval that the table covers."""


@pytest.fixture(
    params=[SPECS["walk"], SPECS["full"], ImuSpec(WIDE, WIDE)], ids=["walk", "full", "wide"]
)
def figures(request):
    return compile_spec(request.param)


@pytest.mark.parametrize("name", ["keep", "kick", "gain"])
def test_they_are_the_closed_forms_to_a_few_roundings(figures, name):
    polynomials = LawPolynomials(figures)
    there = figures.sigma > 0.0
    for dt in SHARES * polynomials.longest:
        found = getattr(polynomials.law(dt), name)[there]
        expected = getattr(exact_law(figures, dt), name)[there]
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_the_variance_is_as_good_as_the_series_of_the_closed_form(figures):
    # The series behind the samples is good to 2e-12 of a term that is a twelfth of Var w dt/tau.
    polynomials = LawPolynomials(figures)
    for dt in SHARES * polynomials.longest:
        found, expected = polynomials.law(dt).variance, exact_law(figures, dt).variance
        np.testing.assert_allclose(found, expected, rtol=5e-12)


def test_the_table_reaches_to_half_the_shortest_correlation_time():
    triad = TriadSpec(bias_stddev=[1.0, 1.0, 0.0], bias_correlation_time=[3.0, 7.0, 0.1])
    polynomials = LawPolynomials(compile_spec(ImuSpec(triad)))
    assert polynomials.longest == pytest.approx(1.5)


def test_an_axis_without_the_process_adds_nothing():
    triad = TriadSpec(bias_stddev=[1.0, 1.0, 0.0], bias_correlation_time=[3.0, 7.0, 0.1])
    law = LawPolynomials(compile_spec(ImuSpec(triad))).law(1.0)
    assert law.variance[2] == 0.0
    assert law.kick[0, 2] == 0.0


def test_figures_with_batch_axes_of_one_fit():
    figures = compile_spec(SPECS["full"], batch_axes=4)
    law = LawPolynomials(figures).law(0.01)
    plain = LawPolynomials(compile_spec(SPECS["full"])).law(0.01)
    assert law.keep.shape == (len(figures.labels), 1, 1, 1, 1, 6)
    for one, other in zip(law, plain, strict=True):
        np.testing.assert_array_equal(one.ravel(), other.ravel())
