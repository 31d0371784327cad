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

"""The node's settings, from flat values by ROS name; no ROS here."""

import numpy as np
import pytest

from imu_noise_node import ParameterError, TriadSpec, UnknownNameError, load_profile
from imu_noise_node.model.spec import SENSORS
from imu_noise_node.ros.settings import (
    allowed_of,
    catalogue,
    defaults,
    settings,
    unit_of,
    unknown_names,
)
from imu_noise_node.schema import parameters
from imu_noise_node.units.expression import parse

DEGREE, G = np.pi / 180.0, 9.80665


def test_every_figure_of_a_sensor_is_a_parameter():
    figures = parameters(TriadSpec)
    for sensor in SENSORS:
        own = {f"{sensor}.{n}" for n, f in figures.items() if not f.sensors or sensor in f.sensors}
        assert {name for name in catalogue() if name.startswith(f"{sensor}.")} == own
    assert "gyroscope.g_sensitivity" in catalogue()
    assert "accelerometer.g_sensitivity" not in catalogue()


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
    ("name", "value", "figure"),
    [
        ("gyroscope.noise_density", "0.014 deg/s/sqrt(Hz)", 0.014 * DEGREE),
        ("gyroscope.constant_bias", ["1 deg/s", 0.0, "0 rad/s"], [DEGREE, 0.0, 0.0]),
        ("gyroscope.constant_bias", ["1 deg/s", " -2 deg/s", " 0"], [DEGREE, -2 * DEGREE, 0.0]),
        ("gyroscope.noise_covariance", "1 0 0 0 1 0 0 0 1 (deg/s)^2/Hz", np.eye(3) * DEGREE**2),
        ("gyroscope.g_sensitivity", "0.1 deg/s/g", 0.1 * DEGREE / G),
        ("gyroscope.bandwidth", "0.1 kHz", 100.0),
        ("gyroscope.cross_axis", "0.1 %", 1e-3),
        ("gyroscope.misalignment", "0.1 0 0 deg", [0.1 * DEGREE, 0.0, 0.0]),
        (
            "accelerometer.noise_density",
            "100, 100, 200 ug/sqrt(Hz)",
            [1e-4 * G, 1e-4 * G, 2e-4 * G],
        ),
        ("accelerometer.noise_density", "100 100 200 µg/√Hz", [1e-4 * G, 1e-4 * G, 2e-4 * G]),
        ("accelerometer.noise_density", ["100 ug/sqrt(Hz)"] * 3, [1e-4 * G] * 3),
        ("accelerometer.range", "16 g", 16 * G),
        ("accelerometer.temperature_scale_factor", "0.02 %/degC", 2e-4),
        ("magnetometer.turn_on_bias_stddev", "5 mGauss", 5e-7),
    ],
)
def test_a_figure_comes_with_a_unit_of_its_sensor(name, value, figure):
    spec = settings({"magnetic_field": "20, 0, -40 uT", name: value}).spec
    sensor, field = name.split(".")
    found = getattr(getattr(spec, sensor), field)
    np.testing.assert_allclose(found, figure, rtol=1e-15)


def test_so_do_the_other_settings():
    found = settings(
        {
            "rate": "1 kHz",
            "max_gap": "300 ms",
            "mount.translation": "1, 2, 3 cm",
            "mount.rpy": ["0 deg", 0.0, "90 deg"],
            "temperature": "40 °C",
            "orientation_stddev": "0.5 deg",
            "frame_id": "3 cm",
            "warm_up_time": "2 min",
            "operating_temperature": "-40, 85 degC",
            "shock_limit": "2000 g",
        }
    )
    assert (found.policy.rate, found.policy.max_gap, found.node.temperature) == (1000.0, 0.3, 40.0)
    assert found.mount.translation == pytest.approx([0.01, 0.02, 0.03])
    assert found.mount.rpy == pytest.approx([0.0, 0.0, np.pi / 2])
    assert found.node.orientation_stddev == pytest.approx(0.5 * DEGREE)
    assert found.node.frame_id == "3 cm"
    assert (found.spec.warm_up_time, found.spec.shock_limit) == (120.0, 19613.3)
    assert found.spec.operating_temperature.tolist() == [-40.0, 85.0]


def test_the_unit_of_every_figure_can_be_read():
    for name, facts in catalogue().items():
        if facts.kind is float:
            parse(unit_of(name, facts))


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
        (
            "gyroscope.noise_density",
            "60 ug/sqrt(Hz)",
            "gyroscope.noise_density = '60 ug/sqrt(Hz)': must be a number in rad/s/sqrt(Hz), "
            "deg/s/sqrt(Hz) or deg/sqrt(h)",
        ),
        (
            "accelerometer.noise_density",
            "-60 ug/sqrt(Hz)",
            "accelerometer.noise_density = '-60 ug/sqrt(Hz)': must be a finite number, or three "
            "(x, y, z), 0 or more [m/s^2/sqrt(Hz)]",
        ),
        (
            "accelerometer.range",
            "16 G",
            "accelerometer.range = '16 G': must be a number in m/s^2, g or mg",
        ),
        (
            "gyroscope.bandwidth",
            "116 hz",
            "gyroscope.bandwidth = '116 hz': must be a number in Hz or kHz (no unit 'hz': did you "
            "mean 'Hz'?)",
        ),
        (
            "gyroscope.constant_bias",
            ["0.1", "0.2", "0.3 deg/s"],
            "must have a unit with 0.1, too, as another number has one",
        ),
        ("magnetometer.range", "8 g", "magnetometer.range = '8 g': must be a number in T, uT or "),
        ("reference_temperature", "300 K", "must be a number in degC (a temperature in K is "),
        ("accelerometer.scale_factor", "0.1 deg", "must be a number without unit, or one in % or"),
        ("seed", "3 s", "seed = '3 s': must be a whole number"),
        ("tf.window", 4, "tf.window = 4: must be 0, or an odd number from 3 on"),
        ("fault.axes", True, "YAML takes y, n, on, off for true or false; in quotes, \"'y'\", it"),
        ("temperature", -300, "temperature = -300: must be a finite number from -273.15 to 1000"),
        ("tf.window", 1, "tf.window = 1: must be 0, or an odd number from 3 on"),
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


def test_the_magnitude_of_a_fault_may_have_a_unit():
    given = {"fault.mode": "bias", "fault.target": "gyroscope", "fault.magnitude": "1 deg/s"}
    (fault,) = settings({**defaults(given), **given}).fault.injected
    assert fault.magnitude == np.radians(1.0)
    for magnitude, target in (("1 mg", "gyroscope"), ("5 %", "gyroscope"), ("1 deg/s", "all")):
        bad = {**given, "fault.magnitude": magnitude, "fault.target": target}
        with pytest.raises(ParameterError, match=r"^fault\."):
            settings({**defaults(bad), **bad})
    waiting = {**given, "fault.mode": "none"}
    assert settings({**defaults(waiting), **waiting}).fault.injected == ()
