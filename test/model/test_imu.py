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

"""The model's face: what it takes, what it gives, and how it says no."""

from __future__ import annotations

import numpy as np
import pytest
from model_specs import CORRELATED, SPECS

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec
from imu_noise_node.model.stage import Stateless

GOLDEN = [
    [0.173747517282612, -0.533776881852796, 0.683502777838294, -0.03, -0.64, 0.31],
    [0.151602553620831, -0.482376717709542, 0.675956277845445, 0.1, -0.37, -0.34],
    [0.258216077631821, -0.488317029967302, 0.636039924495524, 0.13, -0.17, -0.01],
]
"""The first samples of seed 0, the last one after 0.3 s: one by the table, one not."""


def test_a_perfect_sensor_reads_the_truth(batch):
    model = ImuModel(batch=batch)
    rate, force = np.random.default_rng(0).normal(size=(2, 5, *batch, 3))
    m = model.run(np.full(5, 0.01), rate, force)
    assert np.array_equal(m.angular_velocity, rate)
    assert np.array_equal(m.linear_acceleration, force)
    assert not m.bias.values.any()
    assert not m.covariance.any()


def test_a_sample_has_the_shape_of_the_batch(full, batch):
    m = ImuModel(full, batch=batch).step(0.01, (0.0, 0.0, 0.0), (0.0, 0.0, 9.8))
    for channels in (m, m.truth, m.bias):
        assert channels.values.shape == (*batch, 6)
        assert channels.angular_velocity.shape == (*batch, 3)
        assert channels.linear_acceleration.shape == (*batch, 3)
    assert np.broadcast_to(m.covariance, (*batch, 6, 6)).any()
    assert m.angular_velocity_covariance.shape[-2:] == (3, 3)
    assert m.linear_acceleration_covariance.shape[-2:] == (3, 3)


def test_a_run_has_time_in_front(full, batch):
    m = ImuModel(full, batch=batch).run([0.01, 0.02, 0.01], np.zeros(3), np.zeros((3, *batch, 3)))
    for channels in (m, m.truth, m.bias):
        assert channels.values.shape == (3, *batch, 6)
    assert np.broadcast_to(m.covariance, (3, *batch, 6, 6)).any()


def test_one_sensor_has_plain_matrices(full):
    model = ImuModel(full)
    assert model.step(0.01, 0.0, 0.0).covariance.shape == (6, 6)
    assert model.run([0.01, 0.01], 0.0, 0.0).covariance.shape == (2, 6, 6)
    assert model.run([0.01, 0.02], 0.0, 0.0).covariance.shape == (2, 6, 6)


def test_a_run_gives_its_samples_one_by_one(full, batch):
    m = ImuModel(full, batch=batch).run([0.01, 0.02, 0.01], 1.0, 2.0)
    for k in (0, 1, 2, -1):
        assert np.array_equal(m[k].values, m.values[k])
        assert np.array_equal(m[k].truth.values, m.truth.values[k])
        assert np.array_equal(m[k].bias.values, m.bias.values[k])
        assert np.array_equal(m[k].covariance, m.covariance[k])


def test_measured_is_truth_plus_bias_plus_noise(batch):
    # Without white noise what is left is what the processes do within the interval.
    triad = TriadSpec(constant_bias=[1.0, 2.0, 3.0], random_walk=1e-6)
    m = ImuModel(ImuSpec(triad, triad), batch=batch).step(0.01, 5.0, 7.0)
    np.testing.assert_allclose(m.bias.values, np.broadcast_to([1.0, 2.0, 3.0] * 2, (*batch, 6)))
    np.testing.assert_allclose(m.values, m.truth.values + m.bias.values, atol=1e-5)


def test_the_input_is_not_changed(full):
    truth = np.ones((4, 3))
    ImuModel(full).run(np.full(4, 0.01), truth, truth)
    assert (truth == 1.0).all()


def test_a_sample_does_not_change_with_the_next(full):
    model = ImuModel(full, covariance="total")
    first = model.step(0.01, 0.0, 0.0)
    values, covariance = first.values.copy(), ImuModel(full, 0, (), "total").step(0.01, 0, 0)
    for _ in range(100):
        model.step(0.01, 0.0, 0.0)
    assert np.array_equal(first.values, values)
    assert np.array_equal(first.covariance, covariance.covariance)


def test_integers_lists_and_numpy_numbers_will_do(full):
    expected = ImuModel(full).step(1.0, np.array([1.0, 2.0, 3.0]), np.zeros(3)).values
    for dt, rate in [(1, [1, 2, 3]), (np.float64(1.0), (1.0, 2.0, 3.0)), (np.int64(1), [1, 2, 3])]:
        assert np.array_equal(ImuModel(full).step(dt, rate, [0, 0, 0]).values, expected)


@pytest.mark.parametrize("dt", [0.0, -0.01, float("nan"), float("inf"), 0])
def test_a_step_takes_time(full, dt):
    model = ImuModel(full)
    with pytest.raises(ParameterError, match=r"^dt = .*: must be a finite time above 0 \[s\]$"):
        model.step(dt, 0.0, 0.0)
    expected = ImuModel(full).step(0.01, 0.0, 0.0).values
    assert np.array_equal(model.step(0.01, 0.0, 0.0).values, expected)


@pytest.mark.parametrize(
    "dt",
    [[0.01, 0.0], [0.01, -0.01], [float("nan")], [float("inf")], [], 0.01, [[0.01]]],
)
def test_so_does_every_step_of_a_run(full, dt):
    with pytest.raises(ParameterError, match=r"^dt = .*one or more finite times above 0 \[s\]"):
        ImuModel(full).run(dt, 0.0, 0.0)


@pytest.mark.parametrize("shape", [(2,), (4,), (6,), (2, 3), (3, 1)])
def test_a_truth_of_another_shape_is_refused(full, shape):
    wrong, right = np.zeros(shape), np.zeros(3)
    for rate, force in ((wrong, right), (right, wrong)):
        if shape == (3, 1):
            continue
        with pytest.raises(
            ParameterError, match=r"must be numbers of shapes that broadcast to \(3,\)"
        ):
            ImuModel(full).step(0.01, rate, force)
        with pytest.raises(
            ParameterError, match=r"must be numbers of shapes that broadcast to \(5, 3\)"
        ):
            ImuModel(full).run(np.full(5, 0.01), rate, force)


def test_a_truth_of_another_batch_is_refused(full):
    with pytest.raises(ParameterError, match=r"broadcast to \(4, 3\)"):
        ImuModel(full, batch=(4,)).step(0.01, np.zeros((5, 3)), 0.0)


@pytest.mark.parametrize("name", ["noise_density", "random_walk", "range", "constant_bias"])
@pytest.mark.parametrize("shape", [(5, 3), (2, 3), (4, 4, 3), (1, 4, 3)])
def test_figures_of_another_batch_are_refused(name, shape):
    spec = ImuSpec(TriadSpec(**{name: np.ones(shape)}))
    for act in (lambda: ImuModel(spec, batch=(4,)), lambda: ImuModel(batch=(4,)).retune(spec)):
        with pytest.raises(ParameterError, match=r"^spec = .*batch axes that fit batch \(4,\)$"):
            act()


def test_figures_that_do_not_fit_each_other_are_refused():
    spec = ImuSpec(TriadSpec(noise_density=np.ones((4, 3))), TriadSpec(range=np.ones((5, 3))))
    with pytest.raises(ParameterError, match=r"^spec = \[\(4, 3\), \(5, 3\)\]: must have batch"):
        ImuModel(spec, batch=(4,))
    spec = ImuSpec(TriadSpec(random_walk=np.ones((4, 3))), TriadSpec(random_walk=np.ones((5, 3))))
    with pytest.raises(ParameterError, match=r"^spec = "):
        ImuModel(spec, batch=(4,))


@pytest.mark.parametrize("kind", ["fresh", "", None, "Sample"])
def test_an_unknown_covariance_is_refused(full, kind):
    with pytest.raises(ParameterError, match=r"^covariance = .*must be one of sample, total$"):
        ImuModel(full, covariance=kind)
    model = ImuModel(full)
    with pytest.raises(ParameterError, match="must be one of sample, total"):
        model.covariance = kind
    assert model.covariance == "sample"


def test_the_covariance_may_be_changed_while_running(full):
    model, total = ImuModel(full), ImuModel(full, covariance="total")
    model.step(0.01, 0.0, 0.0)
    total.step(0.01, 0.0, 0.0)
    model.covariance = "total"
    one, other = model.step(0.01, 0.0, 0.0), total.step(0.01, 0.0, 0.0)
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.covariance, other.covariance)


def test_a_negative_seed_is_refused():
    with pytest.raises(ParameterError, match=r"^seed = -2"):
        ImuModel(seed=-2)


def test_minus_one_draws_a_seed_and_keeps_it():
    seeds = {ImuModel(seed=-1).seed for _ in range(10)}
    assert len(seeds) > 1
    assert min(seeds) >= 0


def test_a_thousand_seeds_give_a_thousand_runs():
    spec = ImuSpec(TriadSpec(noise_density=1.0), TriadSpec(noise_density=1.0))
    values = [ImuModel(spec, seed).step(1.0, 0.0, 0.0).values for seed in range(1000)]
    assert np.unique(values).size == 6000


def test_no_two_axes_share_their_numbers(batch):
    figures = {"random_walk": 1.0, "bias_stddev": 1.0, "bias_correlation_time": 1.0}
    triad = TriadSpec(noise_density=1.0, turn_on_bias_stddev=1.0, bias_instability=1.0, **figures)
    m = ImuModel(ImuSpec(triad, triad), 3, batch).run(np.full(50, 0.1), 0.0, 0.0)
    assert np.unique(m.values).size == m.values.size
    assert np.unique(m.bias.values).size == m.values.size


@pytest.mark.parametrize(("density", "sigma"), [(0.0002, 0.002), (0.002, 0.02)])
def test_at_100_hz_a_density_and_its_noise_per_sample_are_the_same_run(density, sigma, batch):
    dt = np.full(200, 0.01)
    by_density = ImuSpec(TriadSpec(noise_density=density), TriadSpec(noise_density=density))
    per_sample = ImuSpec(TriadSpec(noise_stddev=sigma), TriadSpec(noise_stddev=sigma))
    one, other = (ImuModel(s, 3, batch).run(dt, 0.0, 9.8) for s in (by_density, per_sample))
    assert one.values.tobytes() == other.values.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()


def test_beside_processes_they_are_the_same_but_for_rounding(batch):
    # There a density is joined to the processes' remainders as a variance.
    dt, walk = np.full(200, 0.01), {"random_walk": 0.01}
    by_density = ImuSpec(TriadSpec(noise_density=0.0002, **walk))
    per_sample = ImuSpec(TriadSpec(noise_stddev=0.002, **walk))
    one, other = (ImuModel(s, 3, batch).run(dt, 0.0, 9.8) for s in (by_density, per_sample))
    np.testing.assert_allclose(one.values, other.values, rtol=1e-13, atol=1e-17)


def test_what_saturates_reads_the_end_of_the_range(batch):
    triad = TriadSpec(noise_density=0.1, range=2.0, resolution=0.3)
    m = ImuModel(ImuSpec(triad, triad), 1, batch).run(np.full(100, 0.01), 1.5, -9.0)
    assert np.abs(m.values).max() <= 2.0
    assert (m.linear_acceleration == -1.7999999999999998).all()
    np.testing.assert_allclose(m.values / 0.3, np.rint(m.values / 0.3), atol=1e-12)


def test_correlated_axes_move_together():
    rows = np.outer([1.0, -2.0, 0.5], [1.0, -2.0, 0.5])
    m = ImuModel(ImuSpec(TriadSpec(noise_covariance=rows))).run(np.full(50, 0.25), 0.0, 0.0)
    x, y, z = m.angular_velocity.T
    np.testing.assert_allclose(y, -2.0 * x, rtol=1e-12)
    np.testing.assert_allclose(z, 0.5 * x, rtol=1e-12)
    assert not m.linear_acceleration.any()
    assert np.array_equal(SPECS["correlated"].gyroscope.noise_covariance, CORRELATED)


def test_the_samples_of_a_seed_stay_the_same_from_release_to_release(full):
    model = ImuModel(full, seed=0)
    values = [
        model.step(dt, (0.1, -0.2, 0.3), (0.1, 0.2, -0.3)).values for dt in (0.01, 0.01, 0.3)
    ]
    np.testing.assert_allclose(values, GOLDEN, rtol=1e-12)


@pytest.mark.parametrize(
    ("argument", "value"),
    [("seed", 1.5), ("seed", -2), ("seed", True), ("batch", 4), ("batch", (0,)), ("history", -1)],
)
def test_a_bad_argument_is_one_sentence(argument, value):
    with pytest.raises(ParameterError, match=argument):
        ImuModel(**{argument: value})


@pytest.mark.parametrize("spec", ["bmi088", {"gyroscope": {}}, TriadSpec()])
def test_what_is_no_spec_is_refused(spec):
    with pytest.raises(ParameterError, match="must be an ImuSpec; load_profile"):
        ImuModel(spec)


def test_a_sensor_that_is_no_triad_is_refused():
    with pytest.raises(ParameterError, match=r"gyroscope = .*: must be a TriadSpec"):
        ImuSpec(gyroscope={"noise_density": 1.0})


@pytest.mark.parametrize("dt", ["a", None, [0.1], np.ones(4)])
def test_what_is_no_time_is_refused(dt):
    with pytest.raises(ParameterError, match="dt = "):
        ImuModel().step(dt, np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("dt", [["x"], [[0.1], [0.1, 0.2]], "a", None])
def test_what_are_no_times_is_refused(dt):
    with pytest.raises(ParameterError, match="dt = "):
        ImuModel().run(dt, np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("rate", [["a", 0, 0], [[0], 0, 0], [1j, 0, 0], {}])
def test_a_truth_that_is_no_numbers_is_refused(rate):
    with pytest.raises(ParameterError, match="must be numbers"):
        ImuModel().step(0.01, rate, np.zeros(3))


def test_a_measurement_shows_its_values():
    shown = repr(ImuModel().step(0.01, [0.0, 0.0, 1.0], [0.0, 0.0, 9.5]))
    assert shown == "Measurement(angular_velocity=[0. 0. 1.], linear_acceleration=[0.  0.  9.5])"


def test_what_the_caller_writes_to_his_arrays_does_not_change_a_run():
    rate, force = np.zeros((5, 3)), np.ones((5, 3))
    m = ImuModel(ImuSpec(TriadSpec(scale_factor=0.5))).run([0.01] * 5, rate, force)
    rate[...], force[...] = 7.0, 8.0
    assert not m.truth.angular_velocity.any()
    assert (m.response.linear_acceleration == 1.0).all()


def test_an_interval_may_be_any_number():
    for dt in (np.float32(0.5), np.array(0.5), np.float64(0.5)):
        assert ImuModel().step(dt, [0.0] * 3, [0.0] * 3).values.shape == (6,)


@pytest.mark.parametrize("stages", [1, [1], "stage", [object()]])
def test_what_is_no_stage_is_refused(stages):
    with pytest.raises(ParameterError, match="extra_stages"):
        ImuModel(extra_stages=stages)


@pytest.mark.parametrize("result", [None, np.zeros((1, 3)), 3.0])
def test_a_stage_that_returns_something_else_is_named(result):
    class Odd(Stateless):
        def apply(self, block, dt, context):
            return result

    with pytest.raises(ParameterError, match=r"^Odd\.apply = .*must return shape \(1, 6\)"):
        ImuModel(extra_stages=[Odd()]).step(0.01, [0.0] * 3, [0.0] * 3)
