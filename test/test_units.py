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

"""Texts of figures with units against conversions by hand, and the sentences for the rest."""

import math
from fractions import Fraction

import pytest

from imu_noise_node.errors import ParameterError
from imu_noise_node.model.spec import SENSORS, TriadSpec, spell_out_unit
from imu_noise_node.schema import AXES, Parameter, check, parameters
from imu_noise_node.units import CUSTOMARY, has_unit, in_si, si
from imu_noise_node.units.expression import parse
from imu_noise_node.units.known import _TABLE, UNITS

G = 9.80665
DEGREE = math.pi / 180.0
GYRO_NOISE, FORCE_NOISE = "rad/s/sqrt(Hz)", "m/s^2/sqrt(Hz)"

FIGURES = [
    ("0.014 deg/s/sqrt(Hz)", GYRO_NOISE, 0.014 * DEGREE),
    ("14 mdeg/s/sqrt(Hz)", GYRO_NOISE, 0.014 * DEGREE),
    ("3.8 mdps/√Hz", GYRO_NOISE, 3.8e-3 * DEGREE),
    ("0.34 deg/sqrt(h)", GYRO_NOISE, 0.34 * DEGREE / 60),
    ("0.15 deg/sqrt(hr)", GYRO_NOISE, 0.15 * DEGREE / 60),
    ("60 deg/sqrt(h)", GYRO_NOISE, DEGREE),
    ("2 rad/sqrt(s)", GYRO_NOISE, 2.0),
    ("60 ug/sqrt(Hz)", FORCE_NOISE, 60e-6 * G),
    ("1 ug/sqrt(Hz)", FORCE_NOISE, 9.80665e-6),
    ("1 m/s/sqrt(h)", FORCE_NOISE, 1 / 60),
    ("0.037 m/s/sqrt(h)", FORCE_NOISE, 0.037 / 60),
    ("1 ft/s/sqrt(h)", FORCE_NOISE, 5.08e-3),
    ("0.065 ft/s/sqrt(h)", FORCE_NOISE, 0.065 * 5.08e-3),
    ("0.4 nT/sqrt(Hz)", "T/sqrt(Hz)", 4e-10),
    ("500 ppm", "1", 5e-4),
    ("0.1 %", "1", 1e-3),
    ("30 ppb", "1", 3e-8),
    ("16 g", "m/s^2", 16 * G),
    ("-20 mg", "m/s^2", -0.02 * G),
    ("5 mGal", "m/s^2", 5e-5),
    ("2000 deg/s", "rad/s", 2000 * DEGREE),
    ("2000 dps", "rad/s", 2000 * DEGREE),
    ("2 degrees/s", "rad/s", 2 * DEGREE),
    ("1 degree", "rad", DEGREE),
    ("30 rpm", "rad/s", math.pi),
    ("1 rpm/g", "rad/s/(m/s^2)", 6 * DEGREE / G),
    ("8 deg/h", "rad/s", 8 * DEGREE / 3600),
    ("8 deg/hr", "rad/s", 8 * DEGREE / 3600),
    ("8 dph", "rad/s", 8 * DEGREE / 3600),
    ("1 arcsec/s", "rad/s", DEGREE / 3600),
    ("1 deg/min", "rad/s", DEGREE / 60),
    ("5 mGauss", "T", 5e-7),
    ("0.5 G", "T", 5e-5),
    ("0.5 gauss", "T", 5e-5),
    ("30 uT", "T", 3e-5),
    ("30 nT", "T", 3e-8),
    ("30 mT", "T", 3e-2),
    ("0.1 deg", "rad", 0.1 * DEGREE),
    ("6 arcmin", "rad", 0.1 * DEGREE),
    ("1 mrad", "rad", 1e-3),
    ("-3 %/degC", "1/degC", -0.03),
    ("40 ppm/K", "1/degC", 4e-5),
    ("0.02 1/degC", "1/degC", 0.02),
    ("0.02 /degC", "1/degC", 0.02),
    ("0.015 deg/s/K", "rad/s/degC", 0.015 * DEGREE),
    ("0.2 mg/K", "m/s^2/degC", 0.2e-3 * G),
    ("0.1 deg/s/g", "rad/s/(m/s^2)", 0.1 * DEGREE / G),
    ("1 deg/h/g", "rad/s/(m/s^2)", DEGREE / 3600 / G),
    ("1 deg/h/g^2", "rad/s/(m/s^2)^2", DEGREE / 3600 / G**2),
    ("50 ug/g^2", "m/s^2/(m/s^2)^2", 50e-6 / G),
    ("100 Hz", "Hz", 100.0),
    ("1 kHz", "Hz", 1000.0),
    ("10 ms", "s", 0.01),
    ("0.5 h", "s", 1800.0),
    ("3 cm", "m", 0.03),
    ("25 degC", "degC", 25.0),
    ("-40 °C", "degC", -40.0),
    ("2 m/s^2/s/sqrt(Hz)", "m/s^3/sqrt(Hz)", 2.0),
    ("2 m/s^3/sqrt(Hz)", "m/s^2/s/sqrt(Hz)", 2.0),
    ("2 rad/s^2/sqrt(Hz)", "rad/s/s/sqrt(Hz)", 2.0),
    ("1 deg/h/sqrt(h)", "rad/s/s/sqrt(Hz)", DEGREE / 3600 / 60),
    ("4 (deg/s)^2/Hz", "(rad/s)^2/Hz", 4 * DEGREE**2),
    ("4 mg^2/Hz", "(m/s^2)^2/Hz", 4e-6 * G**2),
    ("4 nT^2/Hz", "(T)^2/Hz", 4e-18),
    ("4 mrad^2", "rad^2", 4e-6),
]


@pytest.mark.parametrize(("text", "unit", "by_hand"), FIGURES)
def test_a_figure_is_the_number_that_one_finds_by_hand(text, unit, by_hand):
    # By hand, each step is rounded.
    assert si(text, unit) == pytest.approx(by_hand, rel=4e-16, abs=0.0)


def test_a_figure_is_rounded_once():
    """Against the exact quotients; only pi and roots are no quotients."""
    for text, unit, exact in [
        ("0.1 %", "1", Fraction(1, 1000)),
        ("60 ug/sqrt(Hz)", FORCE_NOISE, Fraction("60e-6") * Fraction("9.80665")),
        ("0.037 m/s/sqrt(h)", FORCE_NOISE, Fraction("0.037") / 60),
        ("0.065 ft/s/sqrt(h)", FORCE_NOISE, Fraction("0.065") * Fraction("0.3048") / 60),
        ("7 ug/g^2", "m/s^2/(m/s^2)^2", Fraction("7e-6") / Fraction("9.80665")),
        ("0.3 mGauss", "T", Fraction("0.3e-7")),
    ]:
        assert si(text, unit) == float(exact)
    # pi / 10800 to 20 digits, from a table.
    assert si("1 deg/sqrt(h)", GYRO_NOISE) == 2.9088820866572159615e-4
    assert si("1 deg", "rad") == 1.7453292519943295769e-2
    assert si("1 degree", "rad") == si("1 degrees", "rad") == 1.7453292519943295769e-2
    # pi / 30 likewise.
    assert si("1 rpm", "rad/s") == 1.0471975511965977462e-1
    assert si("1 rpm", "deg/s") == 6.0


def test_a_number_alone_is_in_the_unit_wanted():
    for text in ("4e-3", " 4E-3 ", ".004", "+0.004", "0.0040"):
        assert si(text, "rad/s") == 0.004
    assert si("−5", "degC") == si("-5", "degC") == -5.0


@pytest.mark.parametrize(
    ("texts", "unit"),
    [
        (
            ["0.3 deg/sqrt(h)", "0.3 °/√h", "0.3°/√(h)", "0.3 deg/rt(hr)", "0.3 deg/h^0.5"],
            GYRO_NOISE,
        ),
        (["0.3 deg/h^(1/2)", "0.3 deg h^(-1/2)", "0.3 deg*h^-0.5", "0.3 deg/h**0.5"], GYRO_NOISE),
        (["60 ug/sqrt(Hz)", "60 \u00b5g/√Hz", "60 \u03bcg/√(Hz)", "60ug/rtHz"], FORCE_NOISE),
        (["60 ug/sqrt Hz", "60 (ug)/(sqrt(Hz))", "60 1/sqrt(Hz)*ug", "60 ug·Hz^-.5"], FORCE_NOISE),
        (["3 m/s^2", "3 m/s²", "3 m/s2", "3 m/s/s", "3 m s^-2", "3 m·s⁻²", "3 m/(s s)"], "m/s^2"),
        (
            ["3 °/s", "3 º/s", "3 deg / s", "3\u00a0deg/sec", "3e0deg/s", "3 dps", "3e3m°/s"],
            "rad/s",
        ),
        (["8 %/degC", "8%/°C", "8 % / ℃", "8 %/K", "0.08/K", "0.08 1/degC"], "1/degC"),
        (["2 G", "2 gauss", "2 Gauss", "2 Gs", "2e3 mG", "200 uT", "2e-4T"], "T"),
        (["9 (deg/s)^2/Hz", "9 (°/s)²/Hz", "9 deg²/s²/Hz", "9 (deg/s/√Hz)^2"], "(rad/s)^2/Hz"),
    ],
)
def test_a_unit_is_spelt_in_many_ways(texts, unit):
    # `approx` for the powers: 3e3 m° is one rounding of another number.
    assert [si(text, unit) for text in texts] == pytest.approx(
        [si(texts[0], unit)] * len(texts), rel=2.3e-16
    )


def test_the_unit_wanted_may_be_any():
    assert si("1 m", "cm") == si("1", "cm") * 100.0 == 100.0
    assert si("1 deg/s", "deg/h") == 3600.0


def test_gravity_is_not_gauss():
    assert si("1 g", "m/s^2") == G
    assert si("1 G", "T") == 1e-4
    for text, unit in [("1 G", "m/s^2"), ("1 g", "T"), ("1 mG", "m/s^2"), ("1 mg", "T")]:
        with pytest.raises(ParameterError):
            si(text, unit)


@pytest.mark.parametrize(
    ("text", "unit", "sentence"),
    [
        (
            "60 ug/sqrt(Hz)",
            GYRO_NOISE,
            "must be a number in rad/s/sqrt(Hz), deg/s/sqrt(Hz) or deg/sqrt(h)",
        ),
        ("0.1 deg/s", GYRO_NOISE, "must be a number in rad/s/sqrt(Hz), deg/s/sqrt(Hz) or deg/sqr"),
        ("0.1 deg/h", FORCE_NOISE, "must be a number in m/s^2/sqrt(Hz), ug/sqrt(Hz) or m/s/sqrt"),
        ("0.1 deg", "1", "must be a number without unit, or one in % or ppm"),
        ("0.1 %", "rad", "must be a number in rad, deg or mrad"),
        ("100 Hz", "s", "must be a number in s, ms or h"),
        ("100 1/s", "rad/s", "must be a number in rad/s, deg/s or deg/h"),
        ("5 g", "kg m/s^2", "must be a number in kg m/s^2 (no unit 'kg': did you mean 'g'?)"),
        ("300 K", "degC", "must be a number in degC (a temperature in K is larger by 273.15)"),
        ("1 mK", "degC", "must be a number in degC (a temperature in K is larger by 273.15)"),
        ("1 m", "furlong", "must be a number in furlong (no unit 'furlong')"),
    ],
)
def test_a_unit_of_the_wrong_kind_names_right_ones(text, unit, sentence):
    with pytest.raises(ParameterError) as refusal:
        si(text, unit, "gyroscope.figure")
    assert str(refusal.value).startswith(f"gyroscope.figure = '{text}': {sentence}")
    assert (refusal.value.key, refusal.value.value) == ("gyroscope.figure", text)


@pytest.mark.parametrize(
    ("slip", "near"),
    [
        ("deg/s/sqrt(hz)", "no unit 'hz': did you mean 'Hz'?"),
        ("deg/s/Sqrt(Hz)", "no unit 'Sqrt'"),
        ("Deg/s", "no unit 'Deg': did you mean 'deg'?"),
        ("deg/S", "no unit 'S': did you mean 's'?"),
        ("deg/H", "no unit 'H': did you mean 'h'?"),
        ("DPS", "no unit 'DPS': did you mean 'dps'?"),
        ("gaus", "no unit 'gaus': did you mean 'gauss'?"),
        ("degreees/s", "no unit 'degreees'"),
        ("LSB", "no unit 'LSB'"),
        ("kg", "no unit 'kg': did you mean 'g'?"),
    ],
)
def test_an_unknown_unit_offers_the_nearest(slip, near):
    with pytest.raises(ParameterError) as refusal:
        si(f"1 {slip}", "rad/s")
    assert str(refusal.value).startswith(
        f"figure = '1 {slip}': must be a number in rad/s, deg/s or deg/h ({near}"
    )


GARBAGE = [
    *("", " ", "deg", "deg 1", "-", "--1 g", "-+1 g", "nan g", "inf g", "1e999 g", "1e99999999 g"),
    *("1..2 deg", "1.2.3 deg", "1 deg/", "1 /", "1 *deg", "1 deg//s", "1 deg**", "1 deg^", "1 ^2"),
    *("1 deg^x", "1 deg^(1/0)", "1 deg^(1/2", "1 (deg", "1 deg)", "1 ()", "1 (", "1 sqrt", "1 √"),
    *("1 deg 2", "1 m/s 2", "1 deg@", "1 deg,", "1 deg; 2", "0x10 deg", "1_000 deg", "1e deg"),
    *("1 deg\x00", "٣ deg", "1 " + "(" * 5000, "1 " + "deg^9" * 5000, "1 deg^9999999999999"),
    *("1 m^99999999999999999999", "1 " + "√" * 90 + "m", "1 -deg", "1 deg - deg", "[1 deg]"),
    *("[" * 5000 + "1 deg" + "]" * 5000, "[1 deg", "[1 deg, [2 deg", "[1 deg]]", "1 deg, 2, , 3"),
]


@pytest.mark.parametrize("unit", ["rad", "1", "m/s^2", "degC"])
def test_garbage_is_refused_in_one_sentence(unit):
    for text in GARBAGE:
        with pytest.raises(ParameterError) as refusal:
            si(text, unit, "the.key")
        message = str(refusal.value)
        assert message.startswith("the.key = ")
        assert "must be a number" in message
        assert "\n" not in message
        assert len(message) < 250


def test_garbage_is_no_figure_of_the_schema_either():
    facts = Parameter("a figure", "rad", shape=AXES)
    for text in GARBAGE:
        if text != "[1 deg]":
            with pytest.raises(ParameterError):
                check("the.key", text, facts)
    assert check("the.key", "[1 deg]", facts) == [DEGREE]


def test_every_unit_that_is_offered_is_of_its_kind():
    for unit, others in CUSTOMARY.items():
        assert others
        for other in others:
            assert parse(other).dimension == parse(unit).dimension, other
            assert parse(other) != parse(unit) or other in ("rad/s^2/sqrt(Hz)", "m/s^3/sqrt(Hz)")


def test_every_figure_of_a_sensor_has_customary_units():
    units = {
        spell_out_unit(facts.unit, f"{sensor}.x")
        for sensor in SENSORS
        for facts in parameters(TriadSpec).values()
        if facts.kind is float and (not facts.sensors or sensor in facts.sensors)
    }
    assert units <= set(CUSTOMARY)


def test_no_name_stands_for_two_units():
    names = [
        prefix + name
        for spellings, prefixes, *_ in _TABLE
        for name in spellings.split()
        for prefix in ("", *prefixes)
    ]
    assert len(names) == len(set(names)) == len(UNITS)
    # The parser takes these for a root.
    assert not [name for name in names if name.startswith(("rt", "sqrt"))]


THREE = [160e-6 * G, 160e-6 * G, 190e-6 * G]


@pytest.mark.parametrize(
    "value",
    [
        "160 160 190 ug/sqrt(Hz)",
        "160, 160, 190 ug/sqrt(Hz)",
        "160,160,190ug/sqrt(Hz)",
        "[160, 160, 190] ug/sqrt(Hz)",
        "[160 160 190] µg/√Hz",
        "160 ug/sqrt(Hz), 160 ug/sqrt(Hz), 190 ug/sqrt(Hz)",
        "[160 ug/sqrt(Hz), 0.16 mg/sqrt(Hz), 190 ug/sqrt(Hz)]",
        ["160 ug/sqrt(Hz)", "0.16 mg/√Hz", "190e-6 g/sqrt(Hz)"],
        ("160 ug/sqrt(Hz)", "160 ug/sqrt(Hz)", "190 ug/sqrt(Hz)"),
    ],
)
def test_three_numbers_with_a_unit(value):
    assert in_si(value, FORCE_NOISE, "k") == pytest.approx(THREE, rel=4e-16)


@pytest.mark.parametrize("sign", ["±", "± ", "+-", "+/-", "+- ", "+−", " ±"])
def test_plus_and_minus_in_front_of_a_number_is_the_number(sign):
    assert si(f"{sign}2000 deg/s", "rad/s") == si("2000 deg/s", "rad/s")
    assert si(f"{sign}.3e-3", "rad/s") == 0.3e-3
    assert in_si(f"{sign}3", "m/s^2", "k") == 3.0
    three = in_si("1, 2, 3 deg/s", "rad/s", "k")
    assert in_si(f"{sign}1, {sign}2, {sign}3 deg/s", "rad/s", "k") == three
    assert in_si(f"[{sign}1, 2, 3] deg/s", "rad/s", "k") == three
    assert in_si([f"{sign}1 deg/s", f"{sign}2deg/s", "3 deg/s"], "rad/s", "k") == three
    assert check("k", f"{sign}3 mg", Parameter("a figure", "m/s^2")) == si("3 mg", "m/s^2")
    with pytest.raises(ParameterError, match=r"must have a unit with 3, too"):
        in_si(["1 deg/s", f"{sign}3", 0], "rad/s", "k")


@pytest.mark.parametrize("text", ["±", "±-3 g", "±±3 g", "1 ±3 g", "3± g", "1e+-3 g", "+-nan g"])
def test_plus_and_minus_elsewhere_is_refused(text):
    with pytest.raises(ParameterError, match="must be a number in"):
        si(text, "m/s^2")


def test_a_number_too_large_beside_a_unit_is_refused():
    for digits in (400, 5000):
        with pytest.raises(ParameterError, match="with so large a number, too"):
            in_si([10**digits, "1 deg/s"], "rad/s", "k")


def test_zero_needs_no_unit_but_any_other_number_beside_a_unit_does():
    for value in (["1 deg/s", 0.0, "0 rad/s"], ["1 deg/s", 0, "0"], "[1 deg/s, 0, 0.0]"):
        assert in_si(value, "rad/s", "k") == [DEGREE, 0.0, 0.0]
    for value in (["1 deg/s", 0.2, 0], ["1 deg/s", "0.2", 0], "[0.2, 0, 1 deg/s]"):
        with pytest.raises(ParameterError, match=r"must have a unit with 0\.2, too"):
            in_si(value, "rad/s", "k")


def test_a_one_before_a_slash_belongs_to_the_unit():
    assert in_si("3 2 1/degC", "1/degC", "k") == [3.0, 2.0]
    assert in_si("3 2 1 1/degC", "1/degC", "k") == [3.0, 2.0, 1.0]
    assert si("1/degC", "1/degC") == 1.0


def test_what_has_no_unit_is_left_as_it_is():
    for value in (1, 0.5, None, True, "4e-3", "nan", "fast", "", [1, "2"], {"a": "1 g"}, ["x"]):
        assert not has_unit(value)
        assert in_si(value, "m/s^2", "k") is value


def test_an_item_of_a_list_is_one_number():
    with pytest.raises(ParameterError, match="there is more than one number"):
        in_si(["1 2 3 deg/s"], "rad/s", "k")
    with pytest.raises(ParameterError, match="there is more than one number"):
        si("1 2 3 deg/s", "rad/s")
