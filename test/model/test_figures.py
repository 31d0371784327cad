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

"""A spec compiled to rows and columns."""

from __future__ import annotations

import numpy as np
import pytest
from model_specs import CORRELATED, SPECS

from imu_noise_node.model.figures import compile_spec, merge, slots
from imu_noise_node.model.flicker import components
from imu_noise_node.model.spec import ImuSpec, TriadSpec


def names(figures) -> list[str]:
    return [slot.name for slot in slots(figures)]


def test_a_perfect_sensor_has_no_processes_and_draws_nothing():
    figures = compile_spec(ImuSpec())
    assert figures.labels == ()
    assert figures.sigma.shape == (0, 6)
    assert names(figures) == []
    assert np.isinf(figures.range).all()


def test_each_process_has_a_row_and_each_axis_a_column():
    figures = compile_spec(SPECS["full"])
    flicker = [f"flicker/{c}" for c in range(5)]
    assert figures.labels == ("random_walk", "gauss_markov", *flicker)
    assert figures.effects == {
        "random_walk": slice(0, 1),
        "gauss_markov": slice(1, 2),
        "flicker": slice(2, 7),
    }
    assert figures.is_walk.tolist() == [True] + [False] * 6
    np.testing.assert_allclose(0.5 / figures.half_rate[1], [3.0, 0.5, 20.0] * 2)
    times, sigmas = components(0.5, 50.0)
    np.testing.assert_allclose(0.5 / figures.half_rate[2:, 4], times)
    np.testing.assert_allclose(figures.sigma[2:, 4], 0.03 * sigmas)


def test_a_triad_without_an_effect_that_the_other_has_is_zero_there():
    figures = compile_spec(ImuSpec(TriadSpec(), TriadSpec(random_walk=1.0)))
    assert figures.sigma[0].tolist() == [0.0] * 3 + [2.0**30] * 3
    assert names(figures) == ["accelerometer/white", "accelerometer/random_walk"]


def test_triads_may_have_bands_of_different_width():
    narrow = TriadSpec(bias_instability=1.0, bias_instability_band=[1.0, 10.0])
    wide = TriadSpec(bias_instability=1.0, bias_instability_band=[1.0, 1e5])
    figures = compile_spec(ImuSpec(narrow, wide))
    assert len(figures.labels) == 10
    assert not figures.sigma[5:, :3].any()
    np.testing.assert_allclose(figures.sigma[:, 3], components(1.0, 1e5)[1])


def test_members_may_have_bands_of_different_width():
    bands = np.array([[1.0, 10.0], [2.0, 2e5], [3.0, 30.0]])
    figures = compile_spec(
        ImuSpec(TriadSpec(bias_instability=2.0, bias_instability_band=bands)), 1
    )
    for member, band in enumerate(bands):
        times, sigmas = components(*band)
        count = len(times)
        assert np.array_equal(figures.sigma[:count, member, 1], 2.0 * sigmas)
        np.testing.assert_allclose(0.5 / figures.half_rate[:count, member, 1], times)
        assert not figures.sigma[count:, member].any()


def test_batch_axes_appear_only_where_a_figure_has_them():
    triad = TriadSpec(noise_density=np.ones((4, 3)), random_walk=1.0)
    figures = compile_spec(ImuSpec(triad), batch_axes=1)
    assert figures.density.shape == (4, 6)
    assert figures.sigma.shape == (1, 1, 6)
    assert figures.resolution.shape == (6,)
    assert figures.is_batch
    assert not figures.is_single


def test_a_covariance_of_one_triad_is_zero_for_the_other():
    figures = compile_spec(ImuSpec(TriadSpec(), TriadSpec(noise_covariance=CORRELATED)))
    assert np.array_equal(figures.covariance[3:, 3:], CORRELATED)
    assert not figures.covariance[:3].any()
    assert names(figures) == ["accelerometer/white"]


def test_an_effect_switched_on_or_resized_moves_no_other_stream():
    expected = {slot.name: slot.axes for slot in slots(compile_spec(SPECS["full"]))}
    assert len(expected) == 8
    for name in ("walk", "white", "correlated"):
        for slot in slots(compile_spec(SPECS[name])):
            assert slot.axes == expected[slot.name]


def merged(old: TriadSpec, new: TriadSpec, where):
    mask = np.asarray(where)[..., None]
    figures = (compile_spec(ImuSpec(old, old), 1), compile_spec(ImuSpec(new, new), 1))
    return merge(*figures, mask)


def test_merging_takes_each_member_from_its_own_spec():
    old = TriadSpec(noise_density=1.0, random_walk=1.0, range=7.0)
    new = TriadSpec(noise_stddev=2.0, bias_stddev=3.0, bias_correlation_time=5.0)
    figures = merged(old, new, [False, True])
    assert figures.labels == ("random_walk", "gauss_markov")
    assert figures.density[:, 0].tolist() == [1.0, 0.0]
    assert figures.per_sample[:, 0].tolist() == [0.0, 2.0]
    assert figures.range[:, 0].tolist() == [7.0, np.inf]
    assert figures.sigma[:, :, 0].tolist() == [[2.0**30, 0.0], [0.0, 3.0]]


def test_merging_covariances_with_and_without():
    old, new = TriadSpec(noise_density=1.0), TriadSpec(noise_covariance=CORRELATED)
    figures = merged(old, new, [False, True])
    assert not figures.covariance[0].any()
    assert np.array_equal(figures.covariance[1, :3, :3], CORRELATED)
    assert np.array_equal(merged(new, old, [True, False]).covariance, figures.covariance[[0, 1]])
    assert merged(old, old, [True, False]).covariance is None


def test_an_effect_that_no_member_has_any_more_is_gone():
    figures = merged(TriadSpec(random_walk=1.0), TriadSpec(noise_density=1.0), [True, True])
    assert figures.labels == ()
    assert figures.sigma.shape == (0, 2, 6)


@pytest.mark.parametrize("where", [[True, True], [False, False], [True, False]])
def test_merging_with_itself_changes_nothing(where):
    figures = compile_spec(SPECS["full"], 1)
    again = merge(figures, figures, np.array(where)[..., None])
    assert again.labels == figures.labels
    assert (again.sigma == figures.sigma).all()
    assert (again.half_rate == figures.half_rate).all()
