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

"""Side by side with the package imu-error-model: the same truth and figures, 200 runs of each.

What both mean alike agrees within the statistical bounds, term by term; where they differ on
purpose, the size of the difference is shown. docs/comparison.md says which is right, and why.
Bounds have a false-alarm rate of 1e-9 each (`model_statistics`).
"""

from __future__ import annotations

import numpy as np
import pytest
from model_statistics import Z, allan_variance

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.samples import Truth

peer = pytest.importorskip("imu_error_model", reason="comes with make bench, from Python 3.11 on")

RUNS, DT, COUNT = 200, 2.0, 50
"""100 s in 50 captures, 600 runs of one axis each."""

RATE, FORCE = 0.02, 0.3
"""True rate about z [rad/s] and force along z [m/s^2], so that no force is turned."""

OURS_TO_THEIRS = {
    "noise_density": "white_noise_density",
    "turn_on_bias_stddev": "turn_on_bias_std",
    "bias_stddev": "bias_std",
    "bias_correlation_time": "bias_correlation_time",
    "random_walk": "bias_std",
    "bias_instability": "flicker_bias_std",
    "scale_factor": "scale_factor",
    "misalignment_stddev": "misalignment_std",
    "misalignment_covariance": "misalignment_covariance",
    "noise_covariance": "noise_covariance",
    "resolution": "quantization_step",
    "range": "measurement_range",
    "temperature_bias": "thermal_bias_coefficient",
    "temperature_scale_factor": "thermal_scale_factor_coefficient",
    "temperature_noise": "thermal_noise_coefficient",
}


def axis_config(figures):
    theirs = {OURS_TO_THEIRS[k]: v for k, v in figures.items() if k != "bias_instability_band"}
    if "bias_instability_band" in figures:
        low, high = figures["bias_instability_band"]
        theirs |= {"flicker_min_correlation_time": low, "flicker_max_correlation_time": high}
    return peer.AxisConfig(**theirs)


def turned(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def theirs(figures, rate=RATE, force=FORCE, temperature=None, runs=RUNS, seed=1):
    """Mean rates and forces of their increments, shape (T, runs, 6)."""
    config = peer.ImuConfig(gyroscope=axis_config(figures), accelerometer=axis_config(figures))
    found = np.empty((COUNT, runs, 6))
    for run in range(runs):
        model = peer.ImuModel(config, np.random.default_rng([seed, run]))
        model.measure(0.0, np.zeros(3), np.eye(3), temperature)
        for k in range(COUNT):
            now = (k + 1) * DT
            velocity = np.array([0.0, 0.0, force * now])
            output = model.measure(now, velocity, turned(rate * now), temperature)
            found[k, run] = [*output.angular_rate, *output.acceleration]
    return found


def ours(figures, rate=RATE, force=FORCE, temperature=None, runs=RUNS, seed=2):
    triad = TriadSpec(**figures)
    model = ImuModel(ImuSpec(triad, triad), seed, (runs,))
    m = model.run(np.full(COUNT, DT), [0.0, 0.0, rate], [0.0, 0.0, force], temperature)
    return m.values


def assert_alike(one, other, independent):
    """Check means and variances along all axes but the last of two sets of normal samples.

    `independent` says how many samples the values of one axis are worth, in either set.
    """
    axes = tuple(range(one.ndim - 1))
    pooled = 0.5 * (one.var(axis=axes) + other.var(axis=axes))
    apart = np.abs(one.mean(axis=axes) - other.mean(axis=axes))
    assert (apart <= Z * np.sqrt(2.0 * pooled / independent) + 1e-12).all(), apart
    # Alike in all axes: together they are worth as many times more; log of a ratio of variances.
    ratio = np.log(one.var(axis=axes).sum() / other.var(axis=axes).sum())
    bound = Z * np.sqrt(4.0 / (independent * one.shape[-1]))
    assert abs(ratio) < bound, f"ratio of variances {np.exp(ratio):.3f}, bound {np.exp(bound):.3f}"


RANDOM = {
    "white": ({"noise_density": 0.01}, COUNT),
    "turn-on": ({"turn_on_bias_stddev": 0.02}, 1),
    "gauss-markov": ({"bias_stddev": 0.02, "bias_correlation_time": 60.0}, 1),
    "misalignment": ({"misalignment_stddev": 0.05}, 1),
    "random walk": ({"random_walk": 0.002}, 1),
}
WARM = {"thermal noise": ({"noise_density": 0.01, "temperature_noise": 0.02}, 55.0)}


@pytest.fixture(scope="module")
def pairs():
    """The increments of both for each random term, computed once."""
    return {name: (theirs(f), ours(f)) for name, (f, _) in RANDOM.items()}


@pytest.mark.parametrize("name", list(RANDOM)[:4])
def test_random_terms_agree(pairs, name):
    """Increments: white 30000 in each axis, variance within 7 %; the others 200, within 34 %.

    The sums over 100 s: 200 in each axis, all six together 1200, variance within 42 %.
    """
    one, other = pairs[name]
    if name == "misalignment":
        # Along z nothing changes to first order, and the two axes across turn alike.
        one, other = (values[..., [3, 4]] for values in (one, other))
    assert_alike(one, other, RUNS * RANDOM[name][1])
    assert_alike(DT * one.sum(axis=0), DT * other.sum(axis=0), RUNS)


def test_random_walks_agree_over_long_spans(pairs):
    """In 50 captures theirs has (1 + 1/50)(1 + 1/100) = 1.03 of K^2 T^3/3; bound 42 %."""
    one, other = pairs["random walk"]
    assert_alike(DT * one.sum(axis=0), DT * other.sum(axis=0), RUNS)
    assert_alike(one[-1:], other[-1:], RUNS)


def test_of_a_random_walk_a_capture_reads_a_third_of_what_theirs_does(pairs):
    """The first capture: the mean of a walk over dt is K^2 dt/3, its end K^2 dt; 1200 of each."""
    one, other = (np.var(values[0] - values[0].mean(axis=0)) for values in pairs["random walk"])
    k2dt = 0.002**2 * DT
    assert one == pytest.approx(k2dt, rel=Z * np.sqrt(2.0 / 1200.0))
    assert other == pytest.approx(k2dt / 3.0, rel=Z * np.sqrt(2.0 / 1200.0))


def test_thermal_noise_agrees():
    figures, temperature = WARM["thermal noise"]
    one, other = (f(figures, temperature=temperature) for f in (theirs, ours))
    assert_alike(one, other, RUNS * COUNT)
    assert_alike(DT * one.sum(axis=0), DT * other.sum(axis=0), RUNS)


def test_correlated_noise_agrees():
    covariance = np.array([[4.0, 1.0, -2.0], [1.0, 9.0, 3.0], [-2.0, 3.0, 5.0]]) * 1e-4
    given = tuple(map(tuple, covariance.tolist()))
    one = theirs({"noise_covariance": given}, runs=100).reshape(-1, 6)
    other = ours({"noise_covariance": covariance}, runs=100).reshape(-1, 6)
    found = [np.cov(values[:, :3].T) * DT for values in (one, other)]
    # 5000 of each: a covariance has deviation sqrt((s_ij^2 + s_ii s_jj)/n).
    variances = np.diag(covariance)
    bound = Z * np.sqrt((covariance**2 + np.outer(variances, variances)) * 2.0 / 5000.0)
    assert (np.abs(found[0] - found[1]) < bound).all()


@pytest.mark.parametrize(
    ("figures", "temperature"),
    [
        ({"scale_factor": (0.01, -0.02, 0.03)}, None),
        ({"temperature_bias": (0.001, 0.0, -0.002)}, 55.0),
        ({"temperature_scale_factor": (1e-3, 0.0, 2e-3)}, -5.0),
        ({"resolution": (0.003, 0.007, 0.0013)}, None),
        ({"resolution": 0.001, "range": 0.25, "scale_factor": 0.01}, None),
    ],
    ids=["scale factor", "thermal bias", "thermal scale factor", "quantisation", "range"],
)
def test_what_is_not_random_is_equal(figures, temperature):
    one = theirs(figures, temperature=temperature, runs=1)
    other = ours(figures, temperature=temperature, runs=1)
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


def test_flicker_agrees_at_the_centre_of_its_band():
    """At 10 s of a band of 1 to 100 s, by 5 captures: 1200 runs, about 8 pairs of averages each.

    Their mean of 5 end values and ours of means differ by 1 %; bound 15 %.
    """
    figures = {"bias_instability": 0.01, "bias_instability_band": (1.0, 100.0)}
    found = [np.sqrt(allan_variance(f(figures), 5).mean()) for f in (theirs, ours)]
    np.testing.assert_allclose(found, 0.01, rtol=0.1)
    assert found[0] == pytest.approx(found[1], rel=0.15)


def test_their_flicker_sags_at_the_ends_of_its_band():
    """Eight equal components, by their own formula: 0.70 and 0.89 of the floor; ours 1 %."""
    from imu_error_model.processes import FlickerBiasProcess, flicker_component_parameters

    figures = {"bias_instability": 1.0, "bias_instability_band": (1.0, 1000.0)}
    spans = [1.0, 31.6228, 1000.0]
    taus, sigmas = flicker_component_parameters(axis_config(figures))
    variance = FlickerBiasProcess.allan_variance
    their_deviation = [
        np.sqrt(sum(variance(s**2, t, span) for t, s in zip(taus, sigmas, strict=True)))
        for span in spans
    ]
    np.testing.assert_allclose(their_deviation, [0.70, 1.0, 0.89], atol=0.005)
    model = ImuModel(ImuSpec(TriadSpec(**figures)))
    our_deviation = model.theory.allan_deviation(spans)["gyroscope"]["flicker"][:, 0]
    np.testing.assert_allclose(our_deviation, 1.0, atol=0.01)


def test_their_bias_is_its_end_value_so_that_slow_captures_change_the_average():
    """Gauss-Markov, tau 1 s, captures of 2 s: one capture, and the average over 100 s.

    Theirs 1 and (1 + e^-2)/(1 - e^-2)/50 = 0.0263 of sigma^2; the mean over the interval has
    (1 + e^-2)/2 = 0.568, the true average over 100 s 0.0198. Six axes: 60000 and 1200 values, one
    correlated with the next by 0.14; variances within 4 % and 25 %, and 33 % apart.
    """
    figures = {"bias_stddev": 0.02, "bias_correlation_time": 1.0}
    their_share = ((1.0 + np.exp(-2.0)) / (1.0 - np.exp(-2.0))) / COUNT
    our_share = 2.0 / 100.0**2 * (100.0 - 1.0)
    for f, one, whole in (
        (theirs, 1.0, their_share),
        (ours, 0.5 * (1.0 + np.exp(-2.0)), our_share),
    ):
        errors = f(figures, rate=0.0, force=0.0) / 0.02
        # Squares of neighbours are correlated by 0.14^2 at most for theirs, 0.33^2 for ours.
        assert np.mean(errors**2) == pytest.approx(one, rel=1.2 * Z * np.sqrt(2.0 / 60_000.0))
        average = errors.mean(axis=0)
        assert np.mean(average**2) == pytest.approx(whole, rel=Z * np.sqrt(2.0 / 1200.0))


def test_their_non_linearity_more_than_doubles_gravity():
    """Theirs is x (1 + k |x|^2), with the datasheet's fraction of full scale put in for k."""
    profile = peer.load_example_profile("ADIS16470")
    profile = getattr(profile, "config", profile)
    quiet = {
        "white_noise_density": 0.0,
        "turn_on_bias_std": 0.0,
        "bias_std": 0.0,
        "flicker_bias_std": 0.0,
        "output_scale": 1.0,
    }
    channel = profile.accelerometer.model_copy(update=quiet)
    model = peer.ImuModel(peer.ImuConfig(accelerometer=channel), np.random.default_rng(0))
    model.measure(0.0, np.zeros(3), np.eye(3))
    found = model.measure(1.0, np.array([0.0, 0.0, 9.81]), np.eye(3)).acceleration[2]
    assert found == pytest.approx(23.99, abs=0.01)
    # The same figures as the datasheet means them: 1.5 % of 40 g at 40 g.
    triad = TriadSpec(
        scale_factor=float(np.max(channel.scale_factor)),
        nonlinearity=channel.nonlinear_factor,
        range=channel.measurement_range,
    )
    ours = ImuModel(ImuSpec(TriadSpec(), triad)).step(1.0, 0.0, [0.0, 0.0, 9.81])
    assert ours.values[5] == pytest.approx(9.81 * 1.001 + 0.015 * (9.81 * 1.001) ** 2 / 392.266)


def test_they_turn_the_force_by_the_attitude_at_the_start():
    """A body that turns by 1 rad/s under a steady force, at 100 Hz.

    In axes that turn, the mean over an interval is that of R(t)^T f: exactly, the force turned by
    the attitude half-way, times sin(phi/2)/(phi/2). Theirs is off by phi/2 = 5 mrad of the force.
    """
    rate, dt, force, count = 1.0, 0.01, 5.0, 100
    model = peer.ImuModel(peer.ImuConfig(), np.random.default_rng(0))
    kinematics = PoseKinematics(Mount(), 0.0, "world", 10.0, print)
    errors = []
    for k in range(count + 1):
        now, angle = k * dt, rate * k * dt
        velocity = (force * now, 0.0, 0.0)
        output = model.measure(now, np.array(velocity), turned(angle))
        station = kinematics.locate(
            Truth(
                round(now * 1e9),
                (0.5 * force * now**2, 0.0, 0.0),
                (0.0, 0.0, np.sin(angle / 2.0), np.cos(angle / 2.0)),
                velocity,
                (0.0, 0.0, rate),
            )
        )
        if k == 0:
            kinematics.begin(station)
            continue
        found = kinematics.advance(station).specific_force
        middle = turned(rate * (now - 0.5 * dt)).T @ [force, 0.0, 0.0]
        exact = middle * np.sinc(rate * dt / 2.0 / np.pi)
        if k > 2:
            errors.append([output.acceleration - exact, found - exact])
    theirs, ours = np.sqrt(np.mean(np.square(errors), axis=(0, 2)) * 3.0)
    assert theirs == pytest.approx(force * rate * dt / 2.0, rel=1e-3)
    assert ours < 1e-9
