"""The node's settings, from flat values by ROS name; no ROS here."""

import dataclasses

import numpy as np
import pytest

from imu_noise_node import ParameterError, TriadSpec, UnknownNameError, load_profile
from imu_noise_node.ros.settings import (
    allowed_of,
    catalogue,
    defaults,
    settings,
    unit_of,
    unknown_names,
)


def test_every_figure_of_both_sensors_is_a_parameter():
    names = {field.name for field in dataclasses.fields(TriadSpec)}
    for sensor in ("gyroscope", "accelerometer"):
        assert {f"{sensor}.{name}" for name in names} <= set(catalogue())


def test_without_values_everything_is_at_its_default():
    empty = settings(defaults({}))
    assert empty.spec.gyroscope.noise_density is None
    assert (empty.node.frame_id, empty.node.seed, empty.policy.rate) == ("imu_link", 0, 0.0)
    assert set(defaults({})) == set(catalogue())


def test_a_profile_is_the_default_and_a_given_figure_wins():
    given = {"profile": "bmi088", "gyroscope.noise_density": 1e-3}
    values = {**defaults(given), **given}
    spec = settings(values).spec
    bmi088 = load_profile("bmi088")
    assert spec.gyroscope.noise_density == 1e-3
    assert spec.gyroscope.range == bmi088.gyroscope.range
    assert np.array_equal(spec.accelerometer.noise_density, bmi088.accelerometer.noise_density)


def test_a_given_figure_displaces_the_one_of_the_profile_that_contradicts_it():
    covariance = np.diag([1e-6, 2e-6, 3e-6]).ravel().tolist()
    given = {"profile": "bmi088", "gyroscope.noise_covariance": covariance}
    spec = settings({**defaults(given), **given}).spec
    assert spec.gyroscope.noise_density is None
    assert np.array_equal(spec.gyroscope.noise_covariance.ravel(), covariance)
    assert spec.accelerometer.noise_density is not None


def test_a_given_density_displaces_a_covariance_of_the_profile(tmp_path):
    profile = tmp_path / "correlated.yaml"
    covariance = np.diag([1e-6, 2e-6, 3e-6]).ravel().tolist()
    profile.write_text(f"gyroscope: {{noise_covariance: {covariance}}}")
    given = {"profile": str(profile), "gyroscope.noise_density": 1e-3}
    spec = settings({**defaults(given), **given}).spec
    assert spec.gyroscope.noise_covariance is None
    assert spec.gyroscope.noise_density == 1e-3


def test_left_out_is_no_figure_and_displaces_nothing(tmp_path):
    profile = tmp_path / "correlated.yaml"
    covariance = np.diag([1e-6, 2e-6, 3e-6]).ravel().tolist()
    profile.write_text(f"gyroscope: {{noise_covariance: {covariance}}}")
    given = {"profile": str(profile), "gyroscope.noise_density": None}
    spec = settings({**defaults(given), **given}).spec
    assert np.array_equal(spec.gyroscope.noise_covariance.ravel(), covariance)


@pytest.mark.parametrize(
    ("value", "figure"),
    [
        (0, 0.0),
        (200, 200.0),
        ("4e-3", 4e-3),
        ("5e-06", 5e-6),
        (" 1.5 ", 1.5),
        ([0, 1, 1], [0.0, 1.0, 1.0]),
        (["0", "1e-3", "1e-3"], [0.0, 1e-3, 1e-3]),
        ([0.5], [0.5]),
    ],
)
def test_numbers_come_in_any_clothes(value, figure):
    density = settings({"gyroscope.noise_density": value}).spec.gyroscope.noise_density
    assert np.array_equal(density, figure)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "gyroscope.noise_density",
            -1e-3,
            "gyroscope.noise_density = -0.001: must be a finite number, or three (x, y, z), "
            "0 or more [rad/s/sqrt(Hz)]",
        ),
        ("gyroscope.noise_density", float("nan"), "gyroscope.noise_density = nan: must be a fin"),
        ("gyroscope.noise_density", float("inf"), "gyroscope.noise_density = inf: must be a fin"),
        ("gyroscope.noise_density", "nan", "gyroscope.noise_density = 'nan': must be a finite"),
        ("gyroscope.noise_density", [1.0, 2.0], "gyroscope.noise_density = [1.0, 2.0]: must be"),
        ("gyroscope.noise_density", [1, -1, 1], "gyroscope.noise_density = [1, -1, 1]: must be"),
        ("gyroscope.noise_density", True, "gyroscope.noise_density = True: must be a finite"),
        ("accelerometer.range", "wide", "accelerometer.range = 'wide': must be a finite number"),
        (
            "accelerometer.noise_covariance",
            [1.0] * 8,
            "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]: must be 9 finite numbers [(m/s^2)^2/Hz]",
        ),
        ("rate", -1.0, "rate = -1.0: must be a finite number, 0 or more [Hz]"),
        ("rate", [1.0, 2.0], "rate = [1.0, 2.0]: must be a finite number, 0 or more [Hz]"),
        ("max_gap", 0, "max_gap = 0: must be a finite number above 0 [s]"),
        ("seed", 1.5, "seed = 1.5: must be a whole number"),
        ("seed", -2, "seed = -2: must be a whole number from -1 to"),
        ("enabled", "yes", "enabled = 'yes': must be true or false"),
        ("frame_id", 7, "frame_id = 7: must be a text"),
        ("twist_frame", "map", "twist_frame = 'map': must be one of body, world, pose"),
        (
            "mount.rpy",
            [0.0, 1.0],
            "mount.rpy = [0.0, 1.0]: must be 3 finite numbers from -6.28319 to 6.28319 [rad]",
        ),
        ("queue_depth", 0, "queue_depth = 0: must be a whole number from 1 to"),
        ("gyroscope.noise_type", "loud", "must be one of double-sided, single-sided"),
    ],
)
def test_a_bad_value_is_refused_in_one_sentence(name, value, sentence):
    with pytest.raises(ParameterError) as refusal:
        settings({name: value})
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert (refusal.value.key, refusal.value.value) == (name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate", 1e308),
        ("rate", 1e-320),
        ("max_gap", 1e308),
        ("reset_threshold", 1e308),
        ("teleport_distance", 1e200),
        ("gyroscope.noise_density", 1e200),
        ("gyroscope.integration_time", 1e-320),
        ("gyroscope.bias_instability_band", [1e-300, 1e300]),
    ],
)
def test_what_arithmetic_cannot_take_is_refused(name, value):
    """Any of these would end the node, or make it publish infinities and NaN."""
    with pytest.raises(ParameterError, match="of a size from 1e-100 to 1e"):
        settings({name: value})


def test_figures_are_checked_together():
    with pytest.raises(ParameterError, match=r"bias_correlation_time = 0\.0: must be"):
        settings({"gyroscope.bias_stddev": 0.1})
    together = {"gyroscope.bias_stddev": 0.1, "gyroscope.bias_correlation_time": 10}
    assert settings(together).spec.gyroscope.bias_correlation_time == 10.0


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("gyroscope.noise_densty", "gyroscope.noise_density"),
        ("gyro.noise_density", "gyroscope.noise_density"),
        ("accel.random_walk", "accelerometer.random_walk"),
        ("gyroscope.noise", "gyroscope.noise_type"),
        ("mount.position", "mount.translation"),
        ("profil", "profile"),
        ("twistframe", "twist_frame"),
        ("enable", "enabled"),
        ("seeds", "seed"),
    ],
)
def test_a_misspelt_name_is_an_error_that_names_the_nearest(name, near):
    with pytest.raises(UnknownNameError) as refusal:
        unknown_names(["rate", name])
    assert str(refusal.value) == f"unknown parameter '{name}'; did you mean '{near}'?"


@pytest.mark.parametrize(
    "name",
    ["odom_frame_id", "base_frame_id", "robot_description", "publish_rate", "camera.frame_rate"],
)
def test_other_nodes_parameters_are_theirs(name):
    assert unknown_names(["seed", name]) == [name]


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("gyroscope.noise_density", "rad/s/sqrt(Hz)"),
        ("accelerometer.noise_density", "m/s^2/sqrt(Hz)"),
        ("gyroscope.random_walk", "rad/s/s/sqrt(Hz)"),
        ("gyroscope.noise_covariance", "(rad/s)^2/Hz"),
        ("accelerometer.noise_covariance", "(m/s^2)^2/Hz"),
        ("accelerometer.range", "m/s^2"),
        ("rate", "Hz"),
        ("mount.rpy", "rad"),
        ("seed", ""),
    ],
)
def test_units_are_those_of_the_sensor(name, unit):
    facts = catalogue()[name]
    assert unit_of(name, facts) == unit
    assert allowed_of(name, facts).endswith(f"[{unit}]") == bool(unit)
