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

"""Each format's file reads to figures worked out by hand, in our units and meanings."""

import math

import format_files
import numpy as np
import pytest

from imu_noise_node.errors import ImuNoiseError, InputError, ParameterError, UnknownNameError
from imu_noise_node.model.spec import figures_given
from imu_noise_node.profiles.documents import read_document
from imu_noise_node.profiles.formats import FORMATS, Ask, find_format, import_document


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a text to a file and imports it."""

    def read(text, file="figures.yaml", source=None, which=None, **said):
        path = tmp_path / file
        path.write_text(text, encoding="utf-8")
        return import_document(read_document(path), Ask(str(path), name=which, **said), source)

    return read


def expect(triad, **figures):
    """Check that a triad has these figures and no others."""
    given = figures_given(triad)
    assert given.keys() == figures.keys()
    for name, value in figures.items():
        if isinstance(value, str):
            assert given[name] == value
            continue
        found = np.asarray(given[name])
        assert found == pytest.approx(np.asarray(value), rel=1e-12), name


def test_each_file_is_known_by_its_content_alone(read, tmp_path):
    assert format_files.FILES.keys() == FORMATS.keys()
    for name, (file, text) in format_files.FILES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
        document = read_document(tmp_path / file)
        assert find_format(document) == name
        # And no other format takes it for its own, but for the four figures of Kalibr.
        takers = {other for other, form in FORMATS.items() if form.is_mine(document)}
        assert takers - {"kalibr"} == {name} - {"kalibr"}


def test_what_is_in_no_format_is_refused(read):
    bridge = '- topic_name: "/imu"\n  ros_type_name: "sensor_msgs/msg/Imu"\n'
    for text in (
        bridge,
        "",
        "3\n",
        "a: {b: 1}\n",
        "sigmas: 3\n",
        "acc_n: 1\n",
        "imu_simulator:\n",
    ):
        with pytest.raises(InputError, match="no IMU figures in a known format: EuRoC"):
            read(text)
    with pytest.raises(InputError, match="must be a file of the format maplab; it is not"):
        read(format_files.KALIBR, source="maplab")
    with pytest.raises(UnknownNameError, match="did you mean 'kalibr'"):
        read(format_files.KALIBR, source="kalibrr")


def test_kalibr(read):
    for text in (format_files.KALIBR, format_files.EUROC):
        found = read(text)
        expect(found.spec.gyroscope, noise_density=1.7e-4, random_walk=2e-5)
        expect(found.spec.accelerometer, noise_density=2e-3, random_walk=3e-3)
        assert found.spec.magnetometer is None
        assert found.notes == []


def test_a_kalibr_file_without_a_sensor_or_with_more_says_so(read):
    found = read("gyroscope_noise_density: 1e-4\ncolour: blue\n")
    expect(found.spec.gyroscope, noise_density=1e-4)
    expect(found.spec.accelerometer)
    assert "has no accelerometer_noise_density: that sensor is without noise" in found.notes[0]
    assert found.notes[1].endswith("colour")


def test_of_several_imus_one_must_be_named(read):
    one = "{gyroscope_noise_density: 1e-4, accelerometer_noise_density: 1e-3}"
    two = "{gyroscope_noise_density: 2e-4, accelerometer_noise_density: 2e-3}"
    text = f"imu0: {one}\nimu1: {two}\ncam0: {{camera_model: pinhole}}\n"
    with pytest.raises(InputError, match="several: imu0, imu1; pass --name"):
        read(text)
    with pytest.raises(UnknownNameError, match=r"unknown IMU 'imu2' in .*did you mean 'imu"):
        read(text, which="imu2")
    found = read(text, which="imu1")
    expect(found.spec.gyroscope, noise_density=2e-4)
    assert found.about == {"name": "imu1"}
    assert found.notes[-1].endswith("cam0")


def test_the_matrices_of_openvins(read):
    found = read(format_files.OPENVINS)
    triad = found.spec.gyroscope
    tw = np.array([[1.01, 0, 0], [0.002, 0.98, 0], [0.003, 0.004, 1]])
    rotation = np.array([[1, -0.001, 0], [0.001, 1, 0], [0, 0, 1]])
    truth = np.array([0.3, -0.5, 0.7])
    ours = np.reshape(triad.cross_axis, (3, 3)) @ ((1 + triad.scale_factor) * truth)
    assert ours == pytest.approx(tw @ rotation @ truth, rel=1e-12)
    assert triad.g_sensitivity == pytest.approx(np.arange(1, 10) * 1e-4, rel=1e-12)
    # The accelerometer's is the identity, which is no error.
    expect(found.spec.accelerometer, noise_density=2e-3, random_walk=3e-3)
    assert found.notes == []
    for wrong, said in (
        ("Ta: [[0, 1, 0], [1, 0, 0], [0, 0, 1]]", "Ta = .*must have a diagonal above 0"),
        ("Ta: [1, 2, 3]", "Ta = .*three rows of three"),
        ("Tw: [[1, 2], [3, 4]]", "Tw = .*must be"),
    ):
        with pytest.raises(ParameterError, match=said):
            read(f"gyroscope_noise_density: 1e-4\n{wrong}\n")


def test_maplab(read):
    found = read(format_files.MAPLAB)
    expect(found.spec.gyroscope, noise_density=1e-4, random_walk=2e-4, range=7.5)
    expect(found.spec.accelerometer, noise_density=4e-3, random_walk=5e-3, range=150.0)
    assert found.notes == []


def test_vins_reads_densities_unless_told_otherwise(read):
    found = read(format_files.VINS)
    expect(found.spec.gyroscope, noise_density=0.01, random_walk=0.0001)
    expect(found.spec.accelerometer, noise_density=0.1, random_walk=0.001)
    assert "read as densities" in found.notes[0]
    per_sample = read(format_files.VINS, meaning="per-sample", rate=400.0)
    # The estimator halves the variance of the noise of a reading, and not that of the bias.
    half = np.sqrt(0.5)
    expect(per_sample.spec.gyroscope, noise_density=0.01 / 20 * half, random_walk=0.0001 / 20)
    expect(per_sample.spec.accelerometer, noise_density=0.1 / 20 * half, random_walk=0.001 / 20)
    with pytest.raises(InputError, match="figures per sample: pass their rate, --rate"):
        read(format_files.VINS, meaning="per-sample")


def test_imu_utils_needs_to_know_what_its_noise_is(read):
    for said in ({}, {"rate": 100.0}, {"meaning": "per-sample"}):
        with pytest.raises(InputError) as caught:
            read(format_files.IMU_UTILS, **said)
        message = str(caught.value)
        assert "as densities gyr 0.002 rad/s/sqrt(Hz), acc 0.02 m/s^2/sqrt(Hz)" in message
        assert "--meaning density, or --meaning per-sample with the --rate" in message
        if "rate" in said:
            assert "at 100 Hz they would be gyr 0.0002 rad/s/sqrt(Hz), acc 0.002" in message


def test_imu_utils_by_axis_in_both_readings(read):
    for said, factor in (
        ({"meaning": "density"}, 1.0),
        ({"meaning": "density", "rate": 400.0}, 1.0),
        ({"meaning": "per-sample", "rate": 400.0}, 0.05),
    ):
        found = read(format_files.IMU_UTILS, **said)
        noise, floor = np.array([1e-3, 2e-3, 3e-3]), np.array([1e-5, 2e-5, 3e-5])
        # The floor is one of the Allan deviation, whatever the noise is.
        expect(found.spec.gyroscope, noise_density=noise * factor, bias_instability=floor)
        expect(
            found.spec.accelerometer,
            noise_density=10 * noise * factor,
            bias_instability=10 * floor,
        )
        assert found.about == {"name": "16448"}
    with pytest.raises(InputError, match="Acc = 'z-axis': must hold acc_n"):
        read(format_files.IMU_UTILS.partition("   z-axis:\n      acc_n")[0], meaning="density")


def test_rwth_irt(read):
    found = read(format_files.RWTH)
    uniform = 1 / math.sqrt(3)
    markov = math.sqrt(math.log(2) / math.pi) / 0.4365
    expect(
        found.spec.accelerometer,
        noise_density=[1e-3, 2e-3, 3e-3],
        random_walk=[1e-5, 2e-5, 3e-5],
        bias_stddev=1e-4 * markov,
        bias_correlation_time=[44.0, 30.0, 176.0],
        turn_on_bias_stddev=0.05 * uniform,
        scale_factor_stddev=0.002 * uniform,
        misalignment_stddev=1e-3 * uniform,
        range=49.0,
        resolution=5e-6,
    )
    # The peak of the Gauss-Markov's Allan deviation is what B is: 0.664 B.
    assert markov * 0.61736 == pytest.approx(math.sqrt(2 * math.log(2) / math.pi), rel=2e-3)
    # What is disabled is not there.
    expect(
        found.spec.gyroscope,
        turn_on_bias_stddev=3e-4 * uniform,
        misalignment_stddev=1e-3 * uniform,
        range=7.0,
        resolution=1e-6,
    )
    assert any("interval_non_orthogonality" in note for note in found.notes)
    # Also where it stands in a parameter file of ROS.
    inside = "".join(f"    {line}\n" for line in format_files.RWTH.splitlines())
    again = read(f"/**:\n  ros__parameters:\n{inside}")
    expect(again.spec.accelerometer, **figures_given(found.spec.accelerometer))


def test_mathworks(read):
    found = read(format_files.MATHWORKS, "generic.json")
    floor = math.sqrt(2 * math.log(2) / math.pi)
    expect(
        found.spec.gyroscope,
        range=4.36,
        resolution=1.3e-4,
        constant_bias=[0.01, -0.02, 0.03],
        # Three numbers are what is picked up of x, y and z.
        cross_axis=[1, 0.025, 0.035, 0.015, 1, 0.035, 0.015, 0.025, 1],
        noise_density=8.7e-5,
        noise_type="single-sided",
        random_walk=3e-6 * math.sqrt(2),
        bias_instability=2e-5 * floor,
        temperature_bias=[0.001, 0.002, 0.003],
        temperature_scale_factor=0.002,
        g_sensitivity=[1e-4, 2e-4, 3e-4],
    )
    assert found.spec.gyroscope.density == pytest.approx(8.7e-5 / math.sqrt(2))
    accelerometer = found.spec.accelerometer
    assert accelerometer.range == 0.0
    assert accelerometer.noise_type == "double-sided"
    assert accelerometer.random_walk == 4e-5
    percent = np.array([[101, 0.2, 0.3], [0.4, 98, 0.6], [0.7, 0.8, 100]])
    truth = np.array([3.0, -5.0, 9.8])
    ours = np.reshape(accelerometer.cross_axis, (3, 3)) @ (
        (1 + accelerometer.scale_factor) * truth
    )
    assert ours == pytest.approx(percent / 100 @ truth, rel=1e-12)
    expect(
        found.spec.magnetometer,
        noise_density=0.06e-6,
        resolution=0.1e-6,
        constant_bias=1e-6,
        range=1200e-6,
        temperature_bias=0.5e-6,
        temperature_scale_factor=0.001,
        bias_instability=0.02e-6 * floor,
        random_walk=0.003e-6,
    )
    assert found.about == {"name": "LowCost9Axis"}
    notes = "\n".join(found.notes)
    assert "set bias_instability to 2e-05" in notes
    assert "Colour" in notes
    assert "SampleRate" not in notes


def test_mathworks_at_the_top_and_its_limits(read):
    ideal = (
        "Gyroscope: {MeasurementRange: Inf, AxesMisalignment: [[100, 0, 0], [0, 100, 0], "
        "[0, 0, 100]], NoiseDensity: 1e-4, BiasInstabilityCoefficients: {Numerator: 1}}\n"
    )
    found = read(ideal)
    expect(found.spec.gyroscope, noise_density=1e-4)
    assert found.notes == []
    one = read("Accelerometer: {AxesMisalignment: 2}\n").spec.accelerometer
    expect(one, cross_axis=[1, 0.02, 0.02, 0.02, 1, 0.02, 0.02, 0.02, 1])
    for wrong, said in (
        ("NoiseType: both", "NoiseType = 'both': must be one of double-sided, single-sided"),
        ("MeasurementRange: 0", "MeasurementRange = 0: must be a finite number above 0"),
        ("NoiseDensity: [1, 2]", "NoiseDensity"),
        ("AxesMisalignment: [[0, 1, 1], [1, 100, 1], [1, 1, 100]]", "diagonal above 0"),
    ):
        with pytest.raises(ParameterError, match=said):
            read(f"Gyroscope: {{{wrong}}}\n")
    with pytest.raises(InputError, match="several: A, B; pass --name"):
        read(f"A: {{{ideal.strip()}}}\nB: {{{ideal.strip()}}}\n")


def test_imu_error_model(read):
    found = read(format_files.IMU_ERROR_MODEL)
    expect(
        found.spec.accelerometer,
        noise_density=1e-3,
        turn_on_bias_stddev=[0.1, 0.2, 0.3],
        # Without a correlation time the bias walks.
        random_walk=2e-3,
        bias_instability=3e-4,
        bias_instability_band=[2.0, 200.0],
        scale_factor=5e-3,
        range=160.0,
        resolution=5e-3,
        misalignment_stddev=1e-3,
        temperature_bias=[0.01, 0.02, 0.03],
        temperature_noise=0.004,
        temperature_scale_factor=1e-5,
    )
    expect(
        found.spec.gyroscope,
        noise_covariance=[[4e-8, 1e-8, 0], [1e-8, 4e-8, 0], [0, 0, 9e-8]],
        bias_stddev=1e-5,
        bias_correlation_time=300.0,
        nonlinearity=1e-3,
        range=35.0,
        misalignment_covariance=[[1e-6, 0, 0], [0, 2e-6, 0], [0, 0, 3e-6]],
    )
    assert found.spec.reference_temperature == 20.0
    assert found.spec.increments_scale == 1000.0
    assert found.about == {"name": "Mine"}
    notes = "\n".join(found.notes)
    assert "nonlinear_factor 0.001 is read as a fraction of full scale" in notes
    assert "measurement_range 35 is taken over" in notes
    assert "averaging times" in notes
    assert "not taken over" not in notes


def test_the_corners_of_imu_error_model(read):
    def accelerometer(figures):
        return read(f"accelerometer: {{turn_on_bias_std: 0, {figures}}}\n")

    found = accelerometer("measurement_range: 8, apply_clipping: false")
    expect(found.spec.accelerometer)
    assert "measurement_range 8 is left out: apply_clipping is false" in found.notes[0]
    found = accelerometer("nonlinear_factor: 1e-3, bias_correlation_time: null")
    expect(found.spec.accelerometer)
    assert "nonlinear_factor is not taken over" in found.notes[0]
    found = accelerometer("output_scale: 2, gain: 3")
    assert found.spec.increments_scale == 2.0
    assert found.notes[0].endswith("gain")
    scales = "gyroscope: {bias_std: 0, output_scale: 3}\noutput_scale_gyroscope: 2\n"
    found = read(f"accelerometer: {{output_scale: 5}}\n{scales}")
    assert found.spec.increments_scale == 1.0
    assert "output_scale, which differs" in found.notes[0]
    assert read(f"accelerometer: {{output_scale: 6}}\n{scales}").spec.increments_scale == 6.0
    warm = "thermal_bias_coefficient: 1, reference_temperature_celsius"
    with pytest.raises(ParameterError, match="must be the same for both sensors"):
        read(f"accelerometer: {{{warm}: 20}}\ngyroscope: {{{warm}: 30}}\n")
    # A reference that nothing refers to does not matter.
    cold = "reference_temperature_celsius: 30"
    found = read(f"accelerometer: {{{warm}: 20}}\ngyroscope: {{bias_std: 0, {cold}}}\n")
    assert found.spec.reference_temperature == 20.0
    with pytest.raises(ParameterError, match=r"flicker_bias_std = .*needs flicker_min"):
        accelerometer("flicker_bias_std: 1e-3")


def test_a_bad_figure_of_any_format_names_file_and_key(read):
    cases = {
        "gyroscope_noise_density: -1\n": "gyroscope_noise_density = -1: must be",
        "rate_hz: 200\naccelerometer_noise_density: abc\n": "accelerometer_noise_density = 'abc'",
        "sigmas: {acc_noise_density: .nan}\n": "sigmas: acc_noise_density = nan",
        "acc_n: 1\ngyr_n:\n": "gyr_n = None",
        "imu_simulator: {model_parameter_settings: {gyroscope: {N: yes}}}\n": "gyroscope: N",
        "gyroscope: {white_noise_density: [1, 2, 3]}\n": "white_noise_density",
    }
    for text, said in cases.items():
        with pytest.raises(ImuNoiseError) as caught:
            read(text)
        message = str(caught.value)
        assert said in message
        assert "figures.yaml" in message
        assert "\n" not in message
