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

"""What filters are told of a sensor: its white noise, and a walk in place of all slow terms."""

from __future__ import annotations

import numpy as np
import pytest
from filter_specs import DRIFTING, FLICKERING, SLOW, WALKING

from imu_noise_node import ImuModel
from imu_noise_node.errors import ParameterError
from imu_noise_node.filters.equivalent import SHARE, figures_of
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.model.theory import Theory
from imu_noise_node.profiles.loader import load_profile


def gyroscope(triad, rate=100.0, **arguments):
    return figures_of(ImuSpec(gyroscope=triad), rate, **arguments).gyroscope


def test_white_noise_and_a_random_walk_come_out_as_they_are():
    for time_scale in (None, 0.01, 5.0, 1e6):
        figures = figures_of(WALKING, 200.0, time_scale)
        for sensor in figures.sensors():
            triad = getattr(WALKING, sensor.sensor)
            assert (sensor.density == triad.noise_density).all()
            assert (sensor.random_walk == triad.random_walk).all()
            assert sensor.stands_for == ()
        assert figures.notes == ()
    axes = gyroscope(TriadSpec(noise_density=np.array([1e-4, 2e-4, 3e-4]), random_walk=1e-6))
    assert axes.density.tolist() == [1e-4, 2e-4, 3e-4]


@pytest.mark.parametrize("triad", [FLICKERING, DRIFTING])
def test_the_walk_has_the_allan_variance_of_the_slow_terms(triad):
    found = gyroscope(triad)
    tau, walk, noise = found.time_scale[0], found.random_walk[0], found.density[0]
    terms = Theory.of(ImuSpec(gyroscope=triad)).allan_deviation([tau])["gyroscope"]
    (slow,) = (values[0, 0] for term, values in terms.items() if term not in ("white", "total"))
    assert walk**2 * tau / 3 == pytest.approx(slow**2, rel=1e-12)
    # The first of 1,001 times from 0.1 to 1000 s at which it has that share: 1 % apart.
    assert slow**2 * tau / noise**2 == pytest.approx(SHARE, rel=0.03)
    given = gyroscope(triad, time_scale=50.0)
    assert (given.time_scale == 50.0).all()
    assert given.random_walk[0] != walk


def test_the_walk_of_flicker_and_of_gauss_markov_by_hand():
    # At the floor, B^2 = K^2 tau/3; at a tenth of T, nearly K^2 = 2 sigma^2/T.
    flicker = gyroscope(FLICKERING, time_scale=30.0).random_walk[0]
    assert flicker == pytest.approx(FLICKERING.bias_instability * np.sqrt(3 / 30.0), rel=0.01)
    drift = gyroscope(DRIFTING, time_scale=0.1).random_walk[0]
    assert drift == pytest.approx(DRIFTING.bias_stddev * np.sqrt(2 / 100.0), rel=1e-3)


@pytest.mark.parametrize("triad", [FLICKERING, DRIFTING, SLOW])
def test_a_filter_with_that_walk_is_as_good_as_it_says(triad):
    # A Kalman filter that knows N and K estimates the bias of 180 sensors from readings at 10 Hz.
    dt, count = 0.1, 1200
    found = gyroscope(triad, 1.0 / dt)
    noise, walk, start = (x[0] for x in (found.density, found.random_walk, found.start))
    readings = ImuModel(ImuSpec(gyroscope=triad), seed=3, batch=(60,)).run(
        np.full(count, dt), 0.0, 0.0
    )
    measured = readings.angular_velocity.reshape(count, -1)
    bias = readings.bias.angular_velocity.reshape(count, -1)
    estimate, variance, squares = np.zeros(measured.shape[1]), start**2, []
    for k in range(count):
        variance += walk**2 * dt
        gain = variance / (variance + noise**2 / dt)
        estimate += gain * (measured[k] - estimate)
        variance *= 1.0 - gain
        squares.append(np.mean((estimate - bias[k]) ** 2) / variance)
    # The errors are correlated over some seconds: 180 sensors have ten independent times at least,
    # so that the mean is known to sqrt(2/1800) = 3.3 %.
    assert np.mean(squares[count // 2 :]) == pytest.approx(1.0, abs=0.2 + 5 * 0.033)


def test_what_averages_out_is_in_the_white_noise():
    rate, dt = 100.0, 0.01
    rounded = gyroscope(TriadSpec(noise_density=1e-4, resolution=3e-3))
    assert rounded.density[0] == pytest.approx(np.sqrt(1e-8 + 9e-6 / 12 * dt), rel=1e-9)
    slow = gyroscope(TriadSpec(noise_density=1e-4, integration_time=0.0025))
    assert slow.density[0] == pytest.approx(2e-4, rel=1e-9)
    per_sample = gyroscope(TriadSpec(noise_stddev=1e-3))
    assert per_sample.density[0] == pytest.approx(1e-3 * np.sqrt(dt), rel=1e-9)
    band = gyroscope(TriadSpec(noise_density=1e-4, bandwidth=10.0))
    # Sampled and not averaged: x coth x of the variance per Hz, x = dt/(2 T) = pi f dt.
    x = np.pi * 10.0 * dt
    assert band.density[0] == pytest.approx(1e-4 * np.sqrt(x / np.tanh(x)), rel=1e-6)
    single = gyroscope(TriadSpec(noise_density=1e-4, noise_type="single-sided"))
    assert single.density[0] == pytest.approx(1e-4 / np.sqrt(2), rel=1e-9)
    notes = figures_of(ImuSpec(TriadSpec(noise_density=1e-4, resolution=3e-3)), rate).notes
    assert "rounding and the like make its white noise 1.32 times as large at 100 Hz" in notes[0]


def test_notes_are_about_the_axes_that_have_what_they_tell_of():
    # The rounding of x has no noise beside which it could be large.
    quiet = ImuSpec(TriadSpec(noise_density=[0.0, 1e-3, 1e-3], resolution=1e-5))
    assert not any("as large" in note for note in figures_of(quiet, 100.0).notes)
    # Only y drifts: its random walk has one averaging time.
    drifting = TriadSpec(noise_density=1e-3, bias_instability=[0.0, 1e-4, 0.0])
    figures = figures_of(ImuSpec(drifting), 100.0)
    alone = f"at {figures.gyroscope.time_scale[1]:.3g} s"
    assert any(note.endswith(alone) for note in figures.notes)


def test_the_bias_at_the_start():
    triad = TriadSpec(
        noise_density=1e-4,
        constant_bias=np.array([3e-3, 0.0, 0.0]),
        turn_on_bias_stddev=4e-3,
        bias_stddev=2e-3,
        bias_correlation_time=100.0,
        bandwidth=50.0,
    )
    expected = np.sqrt(np.array([9, 0, 0]) + 16 + 4) * 1e-3
    assert gyroscope(triad).start == pytest.approx(expected, rel=1e-9)


def test_the_covariance_of_a_reading_is_what_the_model_publishes():
    for name in ("adis16470", "stim300", "lsm6dsv"):
        spec = load_profile(name)
        published = ImuModel(spec, seed=0).step(0.005, [0.0, 0.0, 0.0], [0.0, 0.0, 9.8])
        found = figures_of(spec, 200.0).sample_covariance
        assert found[:3, :3] == pytest.approx(published.angular_velocity_covariance, rel=1e-9)
        assert found[3:, 3:] == pytest.approx(published.linear_acceleration_covariance, rel=1e-9)


def test_what_is_missing_is_noted():
    notes = figures_of(ImuSpec(), 100.0).notes
    assert sum("without white noise" in note for note in notes) == 2
    assert sum("no figure says how its bias moves" in note for note in notes) == 2
    lost = figures_of(ImuSpec(TriadSpec(noise_density=1e-4, scale_factor=0.01)), 100.0).notes
    assert "gyroscope.scale_factor" in lost[0]
    odd = figures_of(ImuSpec(TriadSpec(noise_density=0.5, random_walk=1e-3)), 100.0).notes
    assert "where real sensors are" in odd[0]


@pytest.mark.parametrize(
    ("rate", "time_scale"),
    [(0.5, None), (np.nan, None), (1e6, None), (100.0, 1e-3), (100.0, np.inf)],
)
def test_rates_and_times_that_will_not_do(rate, time_scale):
    with pytest.raises(ParameterError):
        figures_of(WALKING, rate, time_scale)


def test_a_batch_is_refused():
    with pytest.raises(ParameterError, match="one sensor, not a batch"):
        figures_of(ImuSpec(TriadSpec(noise_density=np.full((5, 3), 1e-4))), 100.0)
