"""The schema: what each figure may be, and the sentence for what it may not."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuNoiseError, ParameterError
from imu_noise_node.model.spec import ImuSpec, TriadSpec, figures_given, implausible
from imu_noise_node.schema import parameters

POSITIVE = [
    "noise_density",
    "noise_stddev",
    "integration_time",
    "turn_on_bias_stddev",
    "bias_stddev",
    "bias_correlation_time",
    "random_walk",
    "bias_instability",
    "range",
    "resolution",
]
FIGURES = [*POSITIVE, "constant_bias"]
NEEDED = {"bias_stddev": {"bias_correlation_time": 1.0}}


def triad_with(name: str, value) -> TriadSpec:
    return TriadSpec(**{name: value, **NEEDED.get(name, {})})


def test_all_fields_are_told_here_by_name():
    others = {"noise_type", "noise_covariance", "bias_instability_band"}
    assert set(parameters(TriadSpec)) == {*FIGURES, *others}


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
    assert repr(bad)[:70] in message
    assert "must be a finite number, or three (x, y, z)" in message
    assert "\n" not in message.replace(repr(bad)[:77], "")


@pytest.mark.parametrize("name", POSITIVE)
@pytest.mark.parametrize("bad", [-1e-12, -1, [0.1, -0.1, 0.1], "-4e-3"], ids=str)
def test_a_size_is_never_negative(name, bad):
    with pytest.raises(ParameterError, match=f"^{name} = .*, 0 or more"):
        triad_with(name, bad)


def test_a_constant_bias_may_be_negative():
    assert TriadSpec(constant_bias=-0.1).constant_bias == -0.1


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


@pytest.mark.parametrize("shape", [(9,), (3, 3), (4, 9), (4, 3, 3)], ids=str)
def test_a_noise_covariance_is_nine_values_row_by_row(shape):
    matrix = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 3.0]])
    given = np.broadcast_to(matrix, (4, 3, 3)) if shape[0] == 4 else matrix
    found = TriadSpec(noise_covariance=given.reshape(shape)).noise_covariance
    assert np.array_equal(found, given)


@pytest.mark.parametrize(
    "bad",
    [
        [1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0],
        [1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        [-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    ],
    ids=["asymmetric", "indefinite", "negative"],
)
def test_a_noise_covariance_that_is_none_is_refused(bad):
    with pytest.raises(ParameterError, match="must be symmetric and positive semidefinite"):
        TriadSpec(noise_covariance=bad)


@pytest.mark.parametrize("bad", [1.0, [1.0] * 8, [1.0] * 10, ["x"] * 9, [float("nan")] * 9])
def test_a_noise_covariance_of_another_shape_is_refused(bad):
    with pytest.raises(ParameterError, match=r"noise_covariance = .*must be 9 finite numbers"):
        TriadSpec(noise_covariance=bad)


def test_a_singular_noise_covariance_is_allowed():
    TriadSpec(noise_covariance=np.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]))
    TriadSpec(noise_covariance=np.zeros(9))


def test_density_and_covariance_together_are_refused():
    with pytest.raises(ParameterError, match="must be left out where noise_density is given"):
        TriadSpec(noise_density=1.0, noise_covariance=np.eye(3))


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


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (ImuSpec(TriadSpec(noise_density=0.021)), "gyroscope"),
        (ImuSpec(TriadSpec(noise_density=[1e-4, 9e-9, 1e-4])), "gyroscope"),
        (ImuSpec(accelerometer=TriadSpec(noise_density=0.51)), "accelerometer"),
        (ImuSpec(accelerometer=TriadSpec(noise_density=9e-8)), "accelerometer"),
    ],
)
def test_a_density_that_no_sensor_has_is_warned_about(spec, name):
    (sentence,) = implausible(spec)
    assert sentence.startswith(f"{name}.noise_density = ")
    assert "is the unit right?" in sentence


@pytest.mark.parametrize(
    "spec",
    [
        ImuSpec(),
        ImuSpec(TriadSpec(noise_density=0.0), TriadSpec(noise_density=[0.0, 1e-3, 1e-3])),
        ImuSpec(TriadSpec(noise_density=2e-2), TriadSpec(noise_density=0.5)),
        ImuSpec(TriadSpec(noise_density=1e-8), TriadSpec(noise_density=1e-7)),
        # 0.0277 single-sided is 0.0196.
        ImuSpec(TriadSpec(noise_density=0.0277, noise_type="single-sided")),
        ImuSpec(TriadSpec(noise_stddev=100.0)),
    ],
)
def test_a_density_that_a_sensor_could_have_is_not(spec):
    assert implausible(spec) == []


def test_both_triads_can_be_implausible():
    assert len(implausible(ImuSpec(TriadSpec(noise_density=1), TriadSpec(noise_density=1)))) == 2


def test_figures_given_are_those_that_differ_from_the_default():
    assert figures_given(TriadSpec()) == {}
    assert figures_given(TriadSpec(noise_density=0, bias_instability_band=[1, 1000])) == {
        "noise_density": 0.0
    }
    found = figures_given(TriadSpec(random_walk=[1, 2, 3], noise_type="single-sided"))
    assert list(found) == ["noise_type", "random_walk"]
