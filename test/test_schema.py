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

from dataclasses import dataclass

import numpy as np
import pytest

from imu_noise_node.errors import ImuNoiseError, ParameterError, UnknownNameError
from imu_noise_node.schema import (
    AXES,
    Parameter,
    check,
    check_fields,
    check_texts,
    from_mapping,
    parameter,
    parameters,
    record,
    spell_out,
)

AXIS = Parameter("a figure", "rad/s", shape=AXES, lower=0.0)
BOUNDED = Parameter("a share", lower=0.0, upper=1.0)
COUNT = Parameter("a count", kind=int, lower=1, upper=10)
WORD = Parameter("a word", kind=str, choices=("one", "two"))
SWITCH = Parameter("a switch", kind=bool)
BAND = Parameter("a band", "s", shape=(2,), lower=0.0, above_lower=True)
MATRIX = Parameter("a matrix", shape=(9,))
DEGREE = np.pi / 180.0


@pytest.mark.parametrize(
    ("value", "read"),
    [(1, 1.0), (0.5, 0.5), ("4e-3", 0.004), (np.float64(2), 2.0), (np.array(3), 3.0)],
)
def test_one_number_comes_back_as_a_float(value, read):
    found = check("x", value, AXIS)
    assert found == read
    assert type(found) is float


def test_several_numbers_come_back_as_a_read_only_array():
    found = check("x", [0, 0.001, 0.001], AXIS)
    assert found.tolist() == [0.0, 0.001, 0.001]
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1.0


def test_the_caller_s_array_stays_writable_and_apart():
    given = np.ones(3)
    found = check("x", given, AXIS)
    given[0] = 5.0
    assert found.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("shape", [(3,), (1,), (7, 3), (2, 5, 3), (4, 1)])
def test_leading_axes_are_batch_axes(shape):
    assert check("x", np.ones(shape), AXIS).shape == shape


@pytest.mark.parametrize(
    ("value", "facts"),
    [
        (-1e-9, AXIS),
        ([0.1, 0.2], AXIS),
        ([0.1, -0.2, 0.3], AXIS),
        (float("nan"), AXIS),
        ([0.0, float("inf"), 0.0], AXIS),
        (True, AXIS),
        ([True, False, True], AXIS),
        ([[True, 1, 1]], AXIS),
        (np.True_, AXIS),
        (np.ones(3, dtype=bool), AXIS),
        ("fast", AXIS),
        (None, AXIS),
        ({"a": 1}, AXIS),
        ([[1], [2, 3]], AXIS),
        (1.1, BOUNDED),
        ([0.1, 0.2, 0.3], BOUNDED),
        (0, COUNT),
        (11, COUNT),
        (2.5, COUNT),
        ("three", COUNT),
        ("three", WORD),
        (1, WORD),
        (1, SWITCH),
        ("true", SWITCH),
        ([0.0, 1.0], BAND),
        ([1.0], BAND),
        (1.0, BAND),
        ([1.0] * 8, MATRIX),
    ],
)
def test_what_is_not_allowed_is_one_sentence(value, facts):
    with pytest.raises(ParameterError) as caught:
        check("the.key", value, facts)
    error = caught.value
    message = str(error)
    assert message.startswith("the.key = ")
    assert facts.allowed in message
    assert "\n" not in message
    assert error.key == "the.key"


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("facts", [AXIS, BOUNDED, COUNT, MATRIX, Parameter("a seed", kind=int)])
def test_a_whole_number_too_large_for_a_float_is_one_sentence(digits, facts):
    for value in (10**digits, [1, -(10**digits), 3]):
        with pytest.raises(ParameterError) as caught:
            check("x", value, facts)
        message = str(caught.value)
        assert facts.allowed in message
        assert len(message) < 250


def test_a_value_of_several_lines_is_one_sentence():
    with pytest.raises(ParameterError) as caught:
        check("x", np.zeros((2, 2)), AXIS)
    assert str(caught.value).startswith("x = array([[0., 0.], [0., 0.]]): must be")


@pytest.mark.parametrize("value", [3, 3.0, "3", [3]])
def test_a_whole_number_may_come_in_any_guise(value):
    found = check("x", value, COUNT)
    assert found == 3
    assert type(found) is int


def test_a_large_whole_number_keeps_its_last_digit():
    largest = 2**63 - 1
    assert check("x", largest, Parameter("a seed", kind=int)) == largest


@pytest.mark.parametrize("shape", [(9,), (3, 3), (5, 3, 3)])
def test_nine_numbers_come_in_a_row_or_as_a_matrix(shape):
    assert check("x", np.ones(shape), MATRIX).shape == shape


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (AXIS, "must be a finite number, or three (x, y, z), 0 or more [rad/s]"),
        (BOUNDED, "must be a finite number from 0 to 1"),
        (COUNT, "must be a whole number from 1 to 10"),
        (WORD, "must be one of one, two"),
        (SWITCH, "must be true or false"),
        (BAND, "must be 2 finite numbers above 0 [s]"),
    ],
)
def test_what_is_allowed_in_words(facts, words):
    assert facts.allowed == words


@dataclass(frozen=True)
class Record:
    size: float = parameter(1.0, "a size", "m", lower=0.0)
    extra: float | None = parameter(None, "an extra", "m")

    def __post_init__(self):
        check_fields(self)


def test_a_record_checks_its_fields_and_lets_unset_ones_be():
    assert Record("2").size == 2.0
    assert Record().extra is None
    assert list(parameters(Record)) == ["size", "extra"]
    with pytest.raises(ParameterError, match="size"):
        Record(-1)


def test_errors_are_value_errors_that_carry_their_parts():
    error = ParameterError("rate", -1, "must be 0 or more", "try 0")
    assert isinstance(error, ValueError)
    assert isinstance(error, ImuNoiseError)
    assert (error.key, error.value, error.allowed, error.hint) == (
        "rate",
        -1,
        "must be 0 or more",
        "try 0",
    )
    assert str(error) == "rate = -1: must be 0 or more (try 0)"


def test_a_long_value_is_cut_short():
    assert len(str(ParameterError("x", list(range(1000)), "must be short"))) < 200


def test_an_unknown_name_lists_the_known_ones_where_none_is_near():
    near = UnknownNameError("parameter", "raet", ["rate", "seed"])
    far = UnknownNameError("parameter", "zzz", ["rate", "seed"], "file.yaml")
    assert str(near) == "unknown parameter 'raet'; did you mean 'rate'?"
    assert str(far) == "unknown parameter 'zzz' in file.yaml; known: rate, seed"
    assert far.known == ("rate", "seed")


@pytest.mark.parametrize(
    ("text", "facts", "read"),
    [
        ("90 deg/s", AXIS, 90 * DEGREE),
        ("1, 2, 3 deg/s", AXIS, [DEGREE, 2 * DEGREE, 3 * DEGREE]),
        (["1 deg/s", 0.0, "0 rad/s"], AXIS, [DEGREE, 0.0, 0.0]),
        ("50 %", BOUNDED, 0.5),
        ("100, 2000 ms", BAND, [0.1, 2.0]),
    ],
)
def test_a_text_with_a_unit_is_read_in_the_unit_of_the_figure(text, facts, read):
    found = check("x", text, facts)
    assert found == pytest.approx(read, rel=1e-15)
    assert type(found) is (np.ndarray if isinstance(read, list) else float)


@pytest.mark.parametrize(
    ("text", "facts", "sentence"),
    [
        ("-90 deg/s", AXIS, "x = '-90 deg/s': must be a finite number, or three (x, y, z), 0 or"),
        ("1, 2 deg/s", AXIS, "x = '1, 2 deg/s': must be a finite number, or three (x, y, z)"),
        ("5 m/s", AXIS, "x = '5 m/s': must be a number in rad/s, deg/s or deg/h"),
        ("150 %", BOUNDED, "x = '150 %': must be a finite number from 0 to 1"),
        ("1e-99 arcsec/s", AXIS, "x = '1e-99 arcsec/s': must be 0, or of a size from 1e-100"),
        ("3 s", COUNT, "x = '3 s': must be a whole number from 1 to 10"),
    ],
)
def test_the_sentence_quotes_the_text_as_it_was_given(text, facts, sentence):
    with pytest.raises(ParameterError) as refusal:
        check("x", text, facts)
    assert str(refusal.value).startswith(sentence)


def test_a_word_stays_a_word_whatever_it_looks_like():
    assert check("name", "16 g", Parameter("a name", kind=str)) == "16 g"


@pytest.mark.parametrize(
    ("text", "spelt_out"),
    [
        ("u", "m/s"),
        ("u^2/Hz", "(m/s)^2/Hz"),
        ("u/s/sqrt(Hz)", "m/s/s/sqrt(Hz)"),
        ("must be a number [u]", "must be a number [m/s]"),
        ("um", "um"),
        ("1/u", "1/u"),
    ],
)
def test_u_is_the_unit_of_the_sensor(text, spelt_out):
    assert spell_out(text, "m/s") == spelt_out


@dataclass(frozen=True)
class Part:
    bias: object = parameter(0.0, "a bias", "u", shape=AXES)
    spread: object = parameter(0.0, "a spread", "u", shape=AXES, lower=0.0)
    label: str = parameter("", "a label", kind=str)
    delay: float = parameter(0.0, "a delay", "s")

    def __post_init__(self):
        check_fields(self)


@dataclass(frozen=True)
class Whole:
    turning: Part = record(Part, "rad/s", default_factory=Part)
    pushing: Part | None = record(Part, "m/s^2", default=None)
    delay: float = parameter(0.0, "a delay", "s")

    def __post_init__(self):
        check_fields(self)


def test_a_mapping_reads_each_text_in_the_unit_of_its_part():
    whole = from_mapping(
        Whole,
        {
            "turning": {"bias": ["1 deg/s", 0, "-1 deg/s"], "label": "1 deg/s"},
            "pushing": {"bias": "1 2 3 g", "spread": 0.5},
            "delay": "10 ms",
        },
        "file",
    )
    assert whole.turning.bias.tolist() == [DEGREE, 0.0, -DEGREE]
    assert whole.turning.label == "1 deg/s"
    assert whole.pushing.bias == pytest.approx([9.80665, 19.6133, 29.41995])
    assert (whole.pushing.spread, whole.delay) == (0.5, 0.01)


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        (
            {"turning": {"bias": "1 g"}},
            "file: turning: bias = '1 g': must be a number in rad/s, deg/s or deg/h",
        ),
        (
            {"pushing": {"bias": "1 deg/s"}},
            "file: pushing: bias = '1 deg/s': must be a number in m/s^2, g or mg",
        ),
        (
            {"pushing": {"spread": "-1 g"}},
            "file: pushing: spread = '-1 g': must be a finite number, or three (x, y, z), "
            "0 or more [m/s^2]",
        ),
        (
            {"turning": {"spread": -1}},
            "file: turning: spread = -1: must be a finite number, or three (x, y, z), "
            "0 or more [rad/s]",
        ),
        (
            {"delay": "1 sek"},
            "file: delay = '1 sek': must be a number in s, ms or h (no unit 'sek': did you mean "
            "'sec'?)",
        ),
    ],
)
def test_a_mapping_with_a_wrong_text_says_where_and_what_is_allowed(mapping, sentence):
    with pytest.raises(ParameterError) as refusal:
        from_mapping(Whole, mapping, "file")
    assert str(refusal.value) == sentence


def test_without_its_sensor_a_unit_cannot_be_read():
    assert Part(bias="4e-3").bias == 0.004
    for build in (lambda: Part(bias="1 g"), lambda: from_mapping(Part, {"bias": "1 g"}, "file")):
        with pytest.raises(ParameterError) as refusal:
            build()
        assert str(refusal.value).endswith(
            "bias = '1 g': must be a number in SI units here, where it is not known of which "
            "sensor it is (imu_noise_node.units.si reads text with a unit, as do profiles and ROS "
            "parameters)"
        )


def test_only_texts_in_units_of_the_sensor_are_read_beforehand():
    """All others, and what else is wrong, are for the record to say in the order of its fields."""
    given = {"bias": "1 g", "spread": -1, "label": "1 g", "delay": "1 g", "unknown": "1 g"}
    assert check_texts(Part, given, "m/s^2") == {**given, "bias": 9.80665}
