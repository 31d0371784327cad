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

"""Least squares for variances, where they can be worked out by hand."""

from statistics import NormalDist

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the fit needs SciPy")

from imu_noise_node.analysis.least_squares import Problem, solve

Z = NormalDist().inv_cdf(0.975)
"""Of a 95 % interval."""


def one_beside_another(first, own, other):
    """Of two variances, `first` and 1, each told by one observation.

    That of the first scatters by own * first^2 + other * 1^2, that of the second by a tenth of it.
    """
    forms = np.zeros((2, 2, 2, 2))
    forms[0, 0] = np.diag([own, other])
    forms[1, 1] = np.diag([0.0, 0.01])
    return solve(Problem(np.eye(2), np.array([first, 1.0]), forms))


@pytest.mark.parametrize(("first", "own", "other"), [(2.0, 0.04, 0.1), (0.3, 0.01, 0.2)])
def test_an_interval_has_all_that_does_not_contradict_what_was_seen(first, own, other):
    """(first - t)^2 = Z^2 (own t^2 + other), of which the ends are the roots; t >= 0."""
    found = one_beside_another(first, own, other)
    np.testing.assert_allclose(found.theta, [first, 1.0], rtol=1e-12)
    np.testing.assert_allclose(found.errors, np.diag([own * first**2 + other, 0.01]), rtol=1e-12)
    roots = np.roots([1.0 - Z**2 * own, -2.0 * first, first**2 - Z**2 * other])
    # By sixteen bisections, of no more than ten times the larger of the estimate and its sigma.
    nearly = 10.0 * max(first, (own * first**2 + other) ** 0.5) / 2**16
    np.testing.assert_allclose(
        found.interval(0), np.maximum(np.sort(roots), 0.0), rtol=0, atol=nearly
    )


def test_what_scatters_by_more_than_itself_has_no_upper_end():
    # Z^2 own is above 1: the more there is, the less an observation of 2 says against it.
    lower, upper = one_beside_another(2.0, 0.3, 0.1).interval(0)
    assert upper == np.inf
    assert 0.0 < lower < 2.0


def test_observations_of_one_variance_weigh_by_their_precision():
    share = np.array([0.01, 0.04, 0.25])
    observed = np.array([2.0, 2.6, 1.0])
    forms = np.zeros((3, 3, 1, 1))
    forms[range(3), range(3), 0, 0] = share
    found = solve(Problem(np.ones((3, 1)), observed, forms))
    mean = np.sum(observed / share) / np.sum(1.0 / share)
    assert found.theta == pytest.approx([mean], rel=1e-6)
    assert found.errors[0, 0] == pytest.approx(mean**2 / np.sum(1.0 / share), rel=1e-5)
    expected = np.sum((observed - mean) ** 2 / (share * mean**2))
    assert (found.chi_square, found.freedom) == (pytest.approx(expected, rel=1e-5), 2)


def test_none_is_below_zero():
    # The second would be -1 if it could.
    design = np.array([[1.0, 0.0], [1.0, 1.0]])
    forms = np.zeros((2, 2, 2, 2))
    forms[range(2), range(2), 0, 0] = 0.01
    found = solve(Problem(design, np.array([3.0, 2.0]), forms))
    assert found.theta[1] == 0.0
    assert found.theta[0] == pytest.approx(2.5, rel=1e-6)
    assert found.freedom == 1
