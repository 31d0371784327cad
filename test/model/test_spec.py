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

"""The schema: what each figure may be, and the sentence for what it may not."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuNoiseError, ParameterError
from imu_noise_node.model.spec import ImuSpec, TriadSpec, figures_given
from imu_noise_node.schema import from_mapping, parameters

POSITIVE = [
    "noise_density",
    "noise_stddev",
    "integration_time",
    "bandwidth",
    "turn_on_bias_stddev",
    "bias_stddev",
    "bias_correlation_time",
    "random_walk",
    "bias_instability",
    "scale_factor_stddev",
    "misalignment_stddev",
    "range",
    "resolution",
]
SIGNED = [
    "constant_bias",
    "scale_factor",
    "nonlinearity",
    "vibration_rectification",
    "temperature_bias",
    "temperature_scale_factor",
    "temperature_noise",
]
FIGURES = [*POSITIVE, *SIGNED]
MATRICES = ["cross_axis", "g_sensitivity"]
COVARIANCES = ["noise_covariance", "misalignment_covariance"]
NEEDED = {"bias_stddev": {"bias_correlation_time": 1.0}, "nonlinearity": {"range": 1.0}}
UNIT = [1.0, 0.1, 0.2, 0.3, 1.0, 0.4, 0.5, 0.6, 1.0]
"""A cross-axis matrix."""


def triad_with(name: str, value) -> TriadSpec:
    return TriadSpec(**{name: value, **NEEDED.get(name, {})})


def test_all_fields_are_told_here_by_name():
    others = {"noise_type", "bias_instability_band", "misalignment"}
    assert set(parameters(TriadSpec)) == {*FIGURES, *MATRICES, *COVARIANCES, *others}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (3, 3.0),
        (0, 0.0),
        (2.5e-4, 2.5e-4),
        ("4e-3", 4e-3),
        ("5e-06", 5e-6),
        ([1, 2, 3], [1.0, 2.0, 3.0]),
        (("1e-3", 2, 0.5), [1e-3, 2.0, 0.5]),
        (np.float32(0.5), 0.5),
        (np.ones((4, 3)), np.ones((4, 3))),
        (np.ones((2, 1, 5, 3)), np.ones((2, 1, 5, 3))),
    ],
    ids=str,
)
def test_one_number_or_three_or_more_with_batch_axes(name, given, expected):
    found = getattr(triad_with(name, given), name)
    assert np.array_equal(found, expected)
    assert np.asarray(found).dtype == np.float64


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize(
    "bad",
    [
        float("nan"),
        float("inf"),
        "-inf",
        "nan",
        True,
        [True, 1.0, 1.0],
        "fast",
        "",
        [1.0, 2.0],
        [1.0, 2.0, 3.0, 4.0],
        [1.0, float("nan"), 1.0],
        np.ones((3, 4)),
        {"x": 1.0},
        1j,
    ],
    ids=repr,
)
def test_anything_else_is_refused_in_one_sentence(name, bad):
    with pytest.raises(ParameterError) as caught:
        triad_with(name, bad)
    message = str(caught.value)
    assert message.startswith(f"{name} = ")
    assert re.sub(r"\n *", " ", repr(bad))[:70] in message
    assert "must be a finite number, or three (x, y, z)" in message
    assert "\n" not in message.replace(repr(bad)[:77], "")


@pytest.mark.parametrize("name", POSITIVE)
@pytest.mark.parametrize("bad", [-1e-12, -1, [0.1, -0.1, 0.1], "-4e-3"], ids=str)
def test_a_size_is_never_negative(name, bad):
    with pytest.raises(ParameterError, match=f"^{name} = .*, 0 or more"):
        triad_with(name, bad)


@pytest.mark.parametrize("name", SIGNED)
def test_what_is_no_size_may_be_negative(name):
    assert getattr(triad_with(name, -0.1), name) == -0.1


def test_an_error_carries_key_value_and_what_is_allowed():
    with pytest.raises(ImuNoiseError) as caught:
        TriadSpec(random_walk=-1.0)
    error = caught.value
    assert (error.key, error.value) == ("random_walk", -1.0)
    assert error.allowed.endswith("0 or more [u/s/sqrt(Hz)]")


def test_a_single_sided_density_is_sqrt_2_larger():
    single = TriadSpec(noise_density=[1.0, 2.0, 0.0], noise_type="single-sided")
    np.testing.assert_allclose(single.density, np.array([1.0, 2.0, 0.0]) / 2.0**0.5, rtol=1e-15)
    assert TriadSpec(noise_density=0.3).density == 0.3
    assert TriadSpec(noise_type="single-sided").density is None


def test_the_sampler_uses_the_converted_density():
    single = ImuSpec(TriadSpec(noise_density=2.0, noise_type="single-sided"))
    measured = ImuModel(single).step(0.01, 0.0, 0.0)
    # 2 / sqrt(2) / sqrt(0.01)
    assert measured.covariance[0, 0] == pytest.approx(200.0, rel=1e-14)


@pytest.mark.parametrize("bad", ["one-sided", "", 1, None])
def test_an_unknown_noise_type_is_refused(bad):
    with pytest.raises(ParameterError, match=r"noise_type = .*double-sided, single-sided"):
        TriadSpec(noise_type=bad)


@pytest.mark.parametrize("name", COVARIANCES)
@pytest.mark.parametrize("shape", [(9,), (3, 3), (4, 9), (4, 3, 3)], ids=str)
def test_a_covariance_is_nine_values_row_by_row(name, shape):
    matrix = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 3.0]])
    given = np.broadcast_to(matrix, (4, 3, 3)) if shape[0] == 4 else matrix
    found = getattr(TriadSpec(**{name: given.reshape(shape)}), name)
    assert np.array_equal(found, given)


@pytest.mark.parametrize("name", COVARIANCES)
@pytest.mark.parametrize(
    "bad",
    [
        [1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0],
        [1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        [-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    ],
    ids=["asymmetric", "indefinite", "negative"],
)
def test_a_covariance_that_is_none_is_refused(name, bad):
    sentence = f"^{name} = .*must be symmetric and positive semidefinite"
    with pytest.raises(ParameterError, match=sentence):
        TriadSpec(**{name: bad})


@pytest.mark.parametrize("name", COVARIANCES)
@pytest.mark.parametrize("bad", [1.0, [1.0] * 8, [1.0] * 10, ["x"] * 9, [float("nan")] * 9])
def test_a_covariance_of_another_shape_is_refused(name, bad):
    with pytest.raises(ParameterError, match=f"^{name} = .*must be 9 finite numbers"):
        TriadSpec(**{name: bad})


@pytest.mark.parametrize("name", COVARIANCES)
def test_a_singular_covariance_is_allowed(name):
    for matrix in (np.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), np.zeros(9)):
        TriadSpec(**{name: matrix})


def test_density_and_covariance_together_are_refused():
    with pytest.raises(ParameterError, match="must be left out where noise_density is given"):
        TriadSpec(noise_density=1.0, noise_covariance=np.eye(3))


def test_a_misalignment_is_drawn_by_covariance_or_by_sigma():
    with pytest.raises(ParameterError, match="must be left out where misalignment_stddev is give"):
        TriadSpec(misalignment_stddev=[0.0, 0.1, 0.0], misalignment_covariance=np.eye(3))
    TriadSpec(misalignment_stddev=0.0, misalignment_covariance=np.eye(3))
    TriadSpec(misalignment=[0.1, 0.0, 0.0], misalignment_covariance=np.eye(3))


def test_a_bandwidth_stands_in_place_of_an_integration_time():
    """On each axis for itself; the filter has one noise an axis, and none correlated."""
    for bandwidth, time in ((10.0, 0.1), ([0.0, 10.0, 0.0], 0.1), (10.0, [0.0, 0.0, 0.1])):
        with pytest.raises(ParameterError, match=r"^bandwidth.* where integration_time is given"):
            TriadSpec(bandwidth=bandwidth, integration_time=time)
    TriadSpec(bandwidth=[10.0, 0.0, 10.0], integration_time=[0.0, 0.1, 0.0])
    with pytest.raises(ParameterError, match=r"integration_time = \(5, 3\): .*fits bandwidth"):
        TriadSpec(bandwidth=np.ones((4, 3)), integration_time=np.ones((5, 3)))
    with pytest.raises(ParameterError, match=r"^bandwidth = .* where noise_covariance is given"):
        TriadSpec(bandwidth=10.0, noise_covariance=np.eye(3))
    TriadSpec(bandwidth=0.0, noise_covariance=np.eye(3))


def test_a_nonlinearity_needs_a_range():
    for limits in (0.0, [1.0, 0.0, 1.0]):
        with pytest.raises(ParameterError, match=r"^range = 0\.0: .*\[u\] where nonlinearity is"):
            TriadSpec(nonlinearity=-0.01, range=limits)
    TriadSpec(nonlinearity=[0.01, 0.0, 0.01], range=[1.0, 0.0, 1.0])
    TriadSpec(range=1.0)


@pytest.mark.parametrize("name", MATRICES)
def test_a_matrix_is_one_number_or_three_or_nine(name):
    for given in (0.1, [0.1, -0.2, 0.3], UNIT, np.ones((4, 9)), np.ones((2, 4, 3)), "1e-3"):
        found = getattr(TriadSpec(**{name: given}), name)
        assert np.array_equal(found, np.asarray(given, dtype=float))
    for bad in ([1.0, 2.0], [1.0] * 6, [1.0] * 8, "wide", True, float("nan"), None):
        with pytest.raises(ParameterError, match=rf"^{name} = .*three \(x, y, z\), or nine"):
            TriadSpec(**{name: bad})


def test_a_cross_axis_matrix_has_ones_on_its_diagonal():
    for place in (0, 4, 8):
        matrix = np.array(UNIT)
        matrix[place] = 1.01
        for bad in (matrix, np.array([UNIT, matrix])):
            with pytest.raises(ParameterError, match=r"^cross_axis = .*ones on the diagonal"):
                TriadSpec(cross_axis=bad)
    TriadSpec(g_sensitivity=np.zeros(9))


@pytest.mark.parametrize("bad", [0.1, [0.1, 0.2], [0.1] * 4, [0.1, float("nan"), 0.1], "bent"])
def test_a_misalignment_is_a_rotation_vector(bad):
    with pytest.raises(ParameterError, match=r"^misalignment = .*be 3 finite numbers \[rad\]"):
        TriadSpec(misalignment=bad)
    assert TriadSpec(misalignment=[-0.1, 0, 0.1]).misalignment.tolist() == [-0.1, 0.0, 0.1]


def test_a_gauss_markov_bias_needs_its_correlation_time():
    for time in (0.0, [1.0, 0.0, 1.0]):
        with pytest.raises(ParameterError, match=r"bias_correlation_time.*above 0 \[s\]"):
            TriadSpec(bias_stddev=0.1, bias_correlation_time=time)
    TriadSpec(bias_stddev=[0.1, 0.0, 0.1], bias_correlation_time=[1.0, 0.0, 1.0])


def test_a_correlation_time_for_another_batch_is_refused():
    with pytest.raises(ParameterError, match=r"bias_correlation_time = \(5, 3\)"):
        TriadSpec(bias_stddev=np.ones((4, 3)), bias_correlation_time=np.ones((5, 3)))


@pytest.mark.parametrize("bad", [[10.0, 1.0], [2.0, 2.0]])
def test_the_shorter_time_of_a_band_comes_first(bad):
    with pytest.raises(ParameterError, match=r"bias_instability_band.*shorter one first"):
        TriadSpec(bias_instability_band=bad)


@pytest.mark.parametrize("bad", [[0.0, 10.0], [-1.0, 10.0], [1.0], 5.0, [1.0, 2.0, 3.0], "wide"])
def test_a_band_is_two_times_above_zero(bad):
    with pytest.raises(ParameterError, match=r"band = .*must be 2 finite numbers above 0 \[s\]"):
        TriadSpec(bias_instability_band=bad)


def test_bands_may_differ_from_member_to_member():
    bands = np.array([[1.0, 10.0], [2.0, 1000.0]])
    assert np.array_equal(TriadSpec(bias_instability_band=bands).bias_instability_band, bands)
    with pytest.raises(ParameterError, match="shorter one first"):
        TriadSpec(bias_instability_band=bands[:, ::-1])


def test_a_spec_does_not_change():
    triad = TriadSpec(noise_density=[1.0, 2.0, 3.0])
    with pytest.raises(FrozenInstanceError):
        triad.noise_density = 1.0
    with pytest.raises(ValueError, match="read-only"):
        triad.noise_density[0] = 5.0


def test_a_spec_does_not_change_with_the_array_it_was_made_of():
    given = np.ones(3)
    triad = TriadSpec(noise_density=given)
    given[0] = 5.0
    assert triad.noise_density.tolist() == [1.0, 1.0, 1.0]


def test_a_figure_is_only_for_the_sensors_that_have_it():
    g, vibration = TriadSpec(g_sensitivity=0.1), TriadSpec(vibration_rectification=0.1)
    ImuSpec(gyroscope=g)
    ImuSpec(gyroscope=vibration, accelerometer=vibration)
    ImuSpec(magnetometer=TriadSpec(g_sensitivity=0.0, vibration_rectification=0.0))
    for triads, sentence in [
        ({"accelerometer": g}, "accelerometer.g_sensitivity = 0.1: must be left out: it is a fig"),
        ({"magnetometer": g}, "magnetometer.g_sensitivity = 0.1: must be left out: it is a figur"),
        (
            {"magnetometer": vibration},
            "magnetometer.vibration_rectification = 0.1: must be left out: it is a figure of the "
            "gyroscope and the accelerometer",
        ),
    ]:
        with pytest.raises(ParameterError) as refusal:
            ImuSpec(**triads)
        assert str(refusal.value).startswith(sentence)


def test_an_imu_has_no_magnetometer_unless_given_one():
    assert list(ImuSpec().triads()) == ["gyroscope", "accelerometer"]
    full = ImuSpec(magnetometer=TriadSpec())
    assert list(full.triads()) == ["gyroscope", "accelerometer", "magnetometer"]
    for name in ("gyroscope", "accelerometer"):
        with pytest.raises(ParameterError, match=f"^{name} = None: must be a TriadSpec"):
            ImuSpec(**{name: None})
    with pytest.raises(ParameterError, match=r"^magnetometer = 1: must be a TriadSpec"):
        ImuSpec(magnetometer=1)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("reference_temperature", [-40, "25", "25 degC"], [float("nan"), [20, 25], "300 K", None]),
        ("warm_up_time", [0, 60, "2 min"], [-1, "soon", "20 degC"]),
        ("operating_temperature", [None, [-40, 85], "-40 85 degC"], [[85, -40], [20, 20], 20]),
        ("operating_temperature", [], [[[-40, 85], [-40, 85]], [1, 2, 3]]),
        ("vibration_limit", [0, "50 g"], [-1, "50 deg/s"]),
        ("shock_limit", [0, "2000 g"], [-1, True]),
        ("increments_scale", [2, -1, "50 %"], [float("inf"), "50 g"]),
    ],
)
def test_figures_of_the_whole_imu_are_checked(name, good, bad):
    for value in good:
        ImuSpec(**{name: value})
    for value in bad:
        with pytest.raises(ParameterError, match=f"^{name} = .*must be "):
            ImuSpec(**{name: value})


def test_a_mapping_knows_the_unit_of_each_sensor():
    figures = {
        "gyroscope": {"range": "180 deg/s"},
        "accelerometer": {"range": "16 g"},
        "magnetometer": {"range": "8 Gauss"},
    }
    spec = from_mapping(ImuSpec, figures, "file")
    ranges = [triad.range for triad in spec.triads().values()]
    assert ranges == pytest.approx([np.pi, 156.9064, 8e-4], rel=1e-15)


def test_a_triad_does_not_know_its_unit():
    with pytest.raises(ParameterError, match=r"in SI units here.*imu_noise_node\.units\.si"):
        TriadSpec(noise_density="0.014 deg/s/sqrt(Hz)")
    assert TriadSpec(bandwidth="1 kHz", misalignment="1 2 3 mrad").bandwidth == 1000.0


def test_figures_given_are_those_that_differ_from_the_default():
    assert figures_given(TriadSpec()) == {}
    assert figures_given(TriadSpec(noise_density=0, bias_instability_band=[1, 1000])) == {
        "noise_density": 0.0
    }
    found = figures_given(TriadSpec(random_walk=[1, 2, 3], noise_type="single-sided"))
    assert list(found) == ["noise_type", "random_walk"]
