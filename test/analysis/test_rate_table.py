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

"""The rate table is right about right data, and finds each thing that can be wrong with it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.analysis.rate_runs import RUNS, TRUE_VALUES, Parked, Run
from imu_noise_node.analysis.rate_table import evaluate, rate_table, same_bits, window_averages
from imu_noise_node.motion.intervals import Verdict

TRUTH = Parked()
DENSITY_100, DENSITY_400, PER_SAMPLE_100, PER_SAMPLE_400 = RUNS


def simulated(run: Run, seed: int = 1):
    """Stamps and values of a run without ROS."""
    figure = "noise_density" if run.law == "density" else "noise_stddev"
    gyroscope, accelerometer = (TriadSpec(**{figure: noise}) for noise in run.noise)
    stamps = TRUTH.captures(run.rate)
    dt = np.full(len(stamps), 1.0 / run.rate)
    model = ImuModel(ImuSpec(gyroscope, accelerometer), seed)
    return stamps, model.run(dt, TRUE_VALUES[0:3], TRUE_VALUES[3:6]).values


def counted(samples: int) -> dict[str, int]:
    """What a node counts that has lost nothing."""
    counts = {verdict.value: 0 for verdict in Verdict}
    rest = TRUTH.count - samples - 1
    return {**counts, "samples": samples, "baseline": 1, "between_captures": rest}


def complaints(run: Run, stamps, values, counts=None) -> list[str]:
    counts = counted(len(stamps)) if counts is None else counts
    return list(evaluate(run, TRUTH, stamps, values, counts).complaints())


@pytest.mark.parametrize("seed", range(5))
def test_runs_as_they_should_be_raise_no_complaint(seed):
    samples = {run.name: simulated(run, seed) for run in RUNS}
    counts = {name: counted(len(stamps)) for name, (stamps, _) in samples.items()}
    table = rate_table(TRUTH, samples, counts)
    assert table.identical
    assert table.complaints() == []
    for result in table.results:
        assert result.windows == result.complete == 199
        assert result.lost == result.foreign == 0
        assert result.on_time


def test_what_is_expected_is_what_the_figures_mean():
    sigmas = [[run.sigma(sensor, 1.0 / run.rate) for sensor in (0, 1)] for run in RUNS]
    averages = [[run.sigma(sensor, 0.1) for sensor in (0, 1)] for run in RUNS]
    np.testing.assert_allclose(sigmas, [[2e-3, 2e-2], [4e-3, 4e-2], [2e-3, 2e-2], [2e-3, 2e-2]])
    fixed = [[6.3246e-4, 6.3246e-3]] * 3
    np.testing.assert_allclose(averages, [*fixed, [3.1623e-4, 3.1623e-3]], rtol=1e-4)


def test_each_figure_scatters_as_its_spread_says():
    rng = np.random.default_rng(3)
    stamps = TRUTH.captures(100)
    scattered = []
    for _ in range(400):
        noise = rng.standard_normal((len(stamps), 6)) * np.repeat([2e-3, 2e-2], 3)
        result = evaluate(DENSITY_100, TRUTH, stamps, TRUE_VALUES + noise, counted(len(stamps)))
        figures = [f for group in result.figures.values() for f in vars(group).values()]
        scattered.append([(f.measured - f.expected) / f.spread for f in figures])
    # 400 draws of unit variance: the mean within 5/sqrt(400), the sd within 5/sqrt(2*399).
    assert np.abs(np.mean(scattered, axis=0)).max() < 0.25
    assert np.abs(np.std(scattered, axis=0, ddof=1) - 1.0).max() < 0.18


@pytest.mark.parametrize(
    ("label", "measured"), [(DENSITY_400, PER_SAMPLE_400), (PER_SAMPLE_400, DENSITY_400)]
)
def test_one_law_is_not_taken_for_the_other(label, measured):
    found = complaints(label, *simulated(measured))
    assert len(found) == 4
    assert any("sample of the gyroscope" in sentence for sentence in found)
    assert any("average of the accelerometer" in sentence for sentence in found)


def test_six_percent_too_much_noise_is_found():
    stamps, values = simulated(DENSITY_400)
    found = complaints(DENSITY_400, stamps, TRUE_VALUES + 1.06 * (values - TRUE_VALUES))
    assert [sentence.split(":")[1].split(" is ")[0] for sentence in found] == [
        " sample of the gyroscope",
        " sample of the accelerometer",
    ]


def test_another_gravity_is_found():
    stamps, values = simulated(DENSITY_100)
    values[:, 5] += 0.05
    assert any(
        "average of the accelerometer" in s for s in complaints(DENSITY_100, stamps, values)
    )


def test_correlated_noise_is_found():
    stamps, values = simulated(DENSITY_400)
    errors = values - TRUE_VALUES
    errors[1:] = (errors[1:] + 0.1 * errors[:-1]) / math.hypot(1.0, 0.1)
    found = complaints(DENSITY_400, stamps, TRUE_VALUES + errors)
    assert any("correlation of the gyroscope" in sentence for sentence in found)


def test_a_sample_lost_on_the_way_is_found():
    stamps, values = (np.delete(array, 4000, axis=0) for array in simulated(DENSITY_400))
    found = complaints(DENSITY_400, stamps, values, counted(len(stamps) + 1))
    assert found == [
        "density_400hz: 1 messages were lost",
        "density_400hz: 1 of 199 windows lack samples",
        "density_400hz: stamps of samples differ from those of the truth",
    ]


def test_truth_that_the_node_did_not_get_is_found():
    stamps, values = simulated(DENSITY_100)
    counts = {**counted(len(stamps)), "between_captures": 5990}
    assert complaints(DENSITY_100, stamps, values, counts) == [
        "density_100hz: 10 messages were lost"
    ]


def test_messages_of_somebody_else_do_not_hide_a_loss():
    stamps, values = simulated(DENSITY_100)
    counts = {**counted(len(stamps)), "late": 3, "samples": len(stamps) + 3}
    result = evaluate(DENSITY_100, TRUTH, stamps, values, counts)
    assert (result.lost, result.foreign) == (3, 6)


def test_another_stamp_is_found():
    stamps, values = simulated(DENSITY_100)
    stamps[77] += 1
    assert complaints(DENSITY_100, stamps, values) == [
        "density_100hz: stamps of samples differ from those of the truth"
    ]


def test_nothing_at_all_is_out_of_every_bound():
    nothing = {verdict.value: 0 for verdict in Verdict}
    found = complaints(DENSITY_100, np.empty(0, np.int64), np.empty((0, 6)), nothing)
    assert len(found) == 6 + 3
    assert "density_100hz: 8000 messages were lost" in found


def test_one_other_bit_is_not_the_same_run():
    stamps, values = simulated(DENSITY_100)
    other = values.copy()
    other[5, 2] = np.nextafter(other[5, 2], 1.0)
    assert same_bits((stamps, values), simulated(PER_SAMPLE_100))
    assert not same_bits((stamps, values), (stamps, other))
    assert not same_bits((stamps, values), (stamps[:-1], values[:-1]))


def test_an_average_weighs_each_sample_by_its_interval():
    truth = Parked(start=1_000, step=25_000_000, count=9)
    stamps = 1_000 + np.array([25, 100, 125, 150, 175], dtype=np.int64) * 1_000_000
    errors = np.repeat([[1.0], [3.0], [5.0], [6.0], [7.0]], 6, axis=1)
    averages, starts = window_averages(Run("density", 20, (1.0, 1.0)), truth, stamps, errors)
    # The second window has three samples where 20 Hz gives two, so it is not what was asked for.
    np.testing.assert_array_equal(averages, np.full((1, 6), 0.25 * 1.0 + 0.75 * 3.0))
    np.testing.assert_array_equal(starts, [1_000])
