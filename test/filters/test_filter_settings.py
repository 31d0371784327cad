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

"""What is written for each filter is right by that filter's own arithmetic, and reads back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml
from filter_specs import WALKING

from imu_noise_node.filters import (
    FILTERS,
    figures_of,
    kalibr,
    madgwick,
    openvins,
    px4,
    robot_localization,
    vins_fusion,
)
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.model.theory import Theory
from imu_noise_node.motion.rotations import product
from imu_noise_node.profiles.formats import Ask, import_document
from imu_noise_node.profiles.loader import load_profile, presets
from imu_noise_node.profiles.yaml_reader import parse_yaml

RATE = 200.0


def named(filter_, spec=WALKING, rate=RATE):
    return {s.name: s.value for s in filter_.settings(figures_of(spec, rate)).settings}


def grown(step, dt, walk_step, seconds=1.0):
    """Variance of the angle, and of the bias, after some time of a filter's own predictions.

    Parameters
    ----------
    step, walk_step : float
        Variance of the angle that one prediction adds, and of the bias.
    """
    covariance = np.zeros((2, 2))
    transition = np.array([[1.0, -dt], [0.0, 1.0]])
    for _ in range(round(seconds / dt)):
        covariance = transition @ covariance @ transition.T + np.diag([step, walk_step])
    return covariance[0, 0], covariance[1, 1]


def expected(sensor):
    """The same by theory, over a second: N^2 + K^2/3, and K^2."""
    model = Theory.of(WALKING).filter_model(1.0, rounding=False)
    output = model.outputs.index(
        {"gyroscope": "delta_theta_x", "accelerometer": "delta_v_x"}[sensor]
    )
    state = model.index(sensor, "random_walk")[0]
    angle, bias = (
        model.conditional_covariance[output, output],
        model.process_covariance[state, state],
    )
    triad = getattr(WALKING, sensor)
    assert angle == pytest.approx(triad.noise_density**2 + triad.random_walk**2 / 3, rel=1e-12)
    return angle, bias


SENSORS = [("gyroscope", "GYR", "gyr"), ("accelerometer", "ACC", "acc")]


def agree(found, sensor, dt):
    """A prediction leaves out what the walk does within a step: 1.5 dt of it in a second."""
    angle, bias = expected(sensor)
    assert found[0] == pytest.approx(angle, rel=1.6 * dt)
    assert found[1] == pytest.approx(bias, rel=1e-9)


@pytest.mark.parametrize(("sensor", "upper", "lower"), SENSORS)
def test_px4_predicts_the_growth_of_theory(sensor, upper, lower):
    for rate, dt in ((200.0, 0.01), (400.0, 0.01), (1000.0, 0.01), (50.0, 0.02)):
        found = named(px4, rate=rate)
        assert px4.interval(rate) == pytest.approx(dt)
        noise, walk = found[f"EKF2_{upper}_NOISE"], found[f"EKF2_{upper}_B_NOISE"]
        agree(grown((dt * noise) ** 2, dt, (dt * walk) ** 2), sensor, dt)
    # Two readings and a half are three.
    assert px4.interval(250.0) == pytest.approx(0.012)


@pytest.mark.parametrize(("sensor", "upper", "lower"), SENSORS)
def test_vins_fusion_predicts_the_growth_of_theory(sensor, upper, lower):
    for rate in (100.0, 400.0):
        found, dt = named(vins_fusion, rate=rate), 1.0 / rate
        noise, walk = found[f"{lower}_n"], found[f"{lower}_w"]
        # V has 0.5 dt for each end of the interval, and the noise of both is independent.
        step = 2 * (0.5 * dt * noise) ** 2
        agree(grown(step, dt, (dt * walk) ** 2), sensor, dt)
        # What the mean of neighbours really does: each reading has the weight of a whole interval.
        white = np.random.default_rng(0).standard_normal((4000, round(rate) + 1))
        white *= getattr(WALKING, sensor).noise_density / np.sqrt(dt)
        angles = dt * (white[:, 1:] + white[:, :-1]).sum(axis=1) / 2
        assert angles.var() == pytest.approx(rate * step, rel=5 * np.sqrt(2 / 4000) + dt)


@pytest.mark.parametrize(("sensor", "upper", "lower"), SENSORS)
def test_openvins_and_kalibr_predict_the_growth_of_theory(sensor, upper, lower):
    dt = 1.0 / RATE
    for filter_ in (openvins, kalibr):
        found = named(filter_)
        noise, walk = (found[f"{sensor}_{name}"] for name in ("noise_density", "random_walk"))
        # Qc has their squares over dt, and G is dt.
        agree(grown(dt**2 * noise**2 / dt, dt, dt**2 * walk**2 / dt), sensor, dt)


def test_px4_starts_with_the_bias_of_switching_on_and_says_what_it_does_not_allow():
    spec = load_profile("bmi088")
    settings = px4.settings(figures_of(spec, RATE))
    found = {s.name: s.value for s in settings.settings}
    assert found["EKF2_GBIAS_INIT"] == pytest.approx(spec.gyroscope.turn_on_bias_stddev)
    assert "EKF2_GBIAS_INIT" not in named(px4)
    lines = [line for line in settings.text.splitlines() if not line.startswith("#")]
    assert [line.split()[2] for line in lines] == list(found)
    assert [float(line.split()[3]) for line in lines] == pytest.approx(
        list(found.values()), rel=1e-5
    )
    outside = px4.settings(figures_of(load_profile("tactical"), RATE)).notes
    assert any("EKF2_ACC_NOISE is outside of 0.01 to 1" in note for note in outside)


def test_what_is_written_for_kalibr_openvins_and_vins_reads_back():
    asks = {
        kalibr: Ask("imu.yaml"),
        openvins: Ask("chain.yaml"),
        vins_fusion: Ask("vins.yaml", rate=RATE, meaning="per-sample"),
    }
    for spec in (WALKING, *map(load_profile, list(presets())[::5])):
        figures = figures_of(spec, RATE)
        for filter_, ask in asks.items():
            document = parse_yaml(filter_.settings(figures).text, Path(ask.where))
            back = import_document(document, ask).spec
            for sensor in figures.sensors():
                read = getattr(back, sensor.sensor)
                for name, value in (
                    ("noise_density", sensor.density),
                    ("random_walk", sensor.random_walk),
                ):
                    rms = np.sqrt(np.mean(value**2))
                    assert getattr(read, name) == pytest.approx(rms, rel=1e-12), (filter_, name)


def test_the_openvins_file_has_every_key_that_it_asks_for(shared_data):
    text = openvins.settings(figures_of(WALKING, RATE)).text
    theirs = shared_data / "params" / "openvins_euroc_kalibr_imu_chain.yaml"
    ours = yaml.safe_load(text.partition("\n")[2])
    keys = yaml.safe_load(theirs.read_text(encoding="utf-8").partition("\n")[2])["imu0"]
    assert set(ours["imu0"]) == set(keys)
    assert text.startswith("%YAML:1.0")
    for name, value in keys.items():
        if isinstance(value, list):
            assert ours["imu0"][name] == value


def test_a_walk_of_zero_is_noted_by_what_each_reader_makes_of_it():
    figures = figures_of(load_profile("bmi088"), RATE)
    assert "which Kalibr refuses" in " ".join(kalibr.settings(figures).notes)
    notes = " ".join(openvins.settings(figures).notes)
    assert "Kalibr" not in notes
    assert "so that the filter stops estimating the bias" in notes


def test_robot_localization_is_given_the_covariance_of_a_reading():
    spec = ImuSpec(
        gyroscope=TriadSpec(noise_covariance=np.array([4, 1, 0, 1, 9, 0, 0, 0, 1]) * 1e-10),
        accelerometer=TriadSpec(noise_density=np.array([1e-3, 2e-3, 3e-3])),
    )
    settings = robot_localization.settings(figures_of(spec, 100.0))
    document = yaml.safe_load(settings.text)
    rates = np.reshape(document["angular_velocity_covariance"], (3, 3))
    assert rates == pytest.approx(np.array([[4, 1, 0], [1, 9, 0], [0, 0, 1]]) * 1e-8, rel=1e-9)
    forces = np.reshape(document["linear_acceleration_covariance"], (3, 3))
    assert forces == pytest.approx(np.diag([1, 4, 9]) * 1e-4, rel=1e-9)
    assert not any("taken for 1e-9" in note for note in settings.notes)
    tiny = robot_localization.settings(figures_of(load_profile("strategic"), 100.0)).notes
    assert any("angular_velocity_covariance[0] is below 1e-9" in note for note in tiny)


def test_the_gain_of_madgwick_is_the_quaternion_derivative_of_the_error():
    spec = ImuSpec(
        gyroscope=TriadSpec(noise_density=3e-4, turn_on_bias_stddev=4e-3, random_walk=1e-5),
        accelerometer=TriadSpec(noise_density=1e-3, turn_on_bias_stddev=0.0980665),
    )
    found = named(madgwick, spec, rate=100.0)
    # 3 mrad/s of noise and 4 of bias on every axis: q (0, w)/2 has the length sqrt(3) w/2.
    derivative = product((0.1, -0.7, 0.1, 0.7), (5e-3, 5e-3, 5e-3, 0.0))
    assert found["gain"] == pytest.approx(np.linalg.norm(derivative) / 2, rel=1e-6)
    # The walk's drift where it has a tenth of the white noise's variance: tau^2 = 0.3 (N/K)^2.
    tau = np.sqrt(0.3) * 3e-4 / 1e-5
    assert found["zeta"] == pytest.approx(np.sqrt(0.75) * 1e-5 / np.sqrt(tau), rel=0.01)
    assert found["orientation_stddev"] == pytest.approx(0.01, rel=1e-9)
    document = yaml.safe_load(madgwick.settings(figures_of(spec, 100.0)).text)
    assert document["/**"]["ros__parameters"] == pytest.approx(found, rel=1e-5)
    assert "orientation_stddev" not in named(madgwick)


def test_every_filter_takes_every_preset():
    files = set()
    for spec in (WALKING, ImuSpec(), *map(load_profile, presets())):
        figures = figures_of(spec, RATE)
        for filter_ in FILTERS:
            settings = filter_.settings(figures)
            assert settings.text.endswith("\n")
            assert all(np.isfinite(s.value) and s.value >= 0 and s.unit for s in settings.settings)
            files.add(settings.file)
    assert len(files) == len(FILTERS)
