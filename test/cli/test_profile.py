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

"""The tool `profile`: what it prints, and its sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from imu_noise_node import cli
from imu_noise_node.profiles.loader import presets, read_profile

DOCS = Path(__file__).resolve().parents[2] / "docs" / "profiles.md"


def test_the_docs_show_profiles_that_can_be_read(write):
    examples = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        profile = read_profile(write(example))
        assert profile.provenance["gyroscope.noise_density"].source in profile.sources


def test_show_has_each_figure_as_written_in_si_and_with_its_source(tool):
    code, out, err = tool("show", "stim300")
    assert (code, err) == (0, "")
    assert "Sensonor STIM300" in out
    assert "grade: tactical" in out
    assert "noise_density             0.15 deg/sqrt(h) = 4.363e-05 rad/s/sqrt(Hz)" in out
    assert "angular random walk" in out
    assert "[toolkit]" in out
    assert "misalignment_stddev       1 mrad = 0.001 rad" in out
    assert "300 ppm = 0.0003\n" in out
    profile = read_profile("stim300")
    for source in profile.sources.values():
        assert source.address in out
        assert f"({source.date})" in out


def test_show_says_once_what_is_in_si_already(tool, write):
    path = write(
        "gyroscope: {noise_density: 0.014 deg/s/sqrt(Hz), noise_type: single-sided,\n"
        "  bandwidth: 200 Hz, temperature_scale_factor: 0.007 %/degC, range: 20kHz deg/Hz/s,\n"
        "  noise_stddev: 4e-3}\n"
        "accelerometer: {range: [30 m/s^2, 20.12345 m/s^2, 3.0 m/s^2], noise_density: 1 ug/√Hz,\n"
        "  resolution: 1 2 3 m/s^2, bias_instability: [1 mg, 2 mg, 0]}\n"
    )
    lines = [line.strip() for line in tool("show", path)[1].splitlines()]
    for line in (
        "noise_density             0.014 deg/s/sqrt(Hz) = 0.0002443 rad/s/sqrt(Hz), single-sided;",
        "two-sided 0.0001728 rad/s/sqrt(Hz)",
        "noise_type                single-sided",
        "bandwidth                 200 Hz",
        "temperature_scale_factor  0.007 %/degC = 7e-05 1/degC",
        "range                     20kHz deg/Hz/s = 349.1 rad/s",
        "noise_stddev              0.004 rad/s",
        "range                     30 m/s^2, 20.12345 m/s^2, 3.0 m/s^2",
        "noise_density             1 ug/√Hz = 9.807e-06 m/s^2/sqrt(Hz)",
        "resolution                1 2 3 m/s^2",
        "bias_instability          1 mg, 2 mg, 0 = 0.009807, 0.01961, 0 m/s^2",
    ):
        assert line in lines


def test_show_keeps_long_names_apart_from_what_they_are(tool, write):
    name = "a_name_that_is_longer_than_all_figures"
    out = tool("show", write(f"sources: {{{name}: {{title: A title}}}}\n"))[1]
    assert f"  {name}  A title\n" in out


def test_show_shows_every_preset_in_full(tool):
    for name in presets():
        code, out, _ = tool("show", name)
        assert code == 0
        profile = read_profile(name)
        for figure, origin in profile.provenance.items():
            assert f"  {figure.split('.')[1]} " in out
            assert origin.what.split(";")[0][:30] in out
            assert f"[{origin.source}" in out
        texts = [line for line in out.splitlines() if "https://" not in line]
        assert max(map(len, texts)) <= 100, name


def test_show_shows_a_file_without_provenance(tool, write):
    path = write("gyroscope: {noise_density: [1e-4, 2e-4, 3e-4]}\nwarm_up_time: 3 min\n")
    code, out, _ = tool("show", path)
    assert code == 0
    assert out.startswith(f"mine ({path})\n")
    assert "noise_density             0.0001, 0.0002, 0.0003 rad/s/sqrt(Hz)\n" in out
    assert "no figures: it is perfect" in out
    assert "warm_up_time              3 min = 180 s\n" in out
    assert "Sources" not in out
    assert "[]" not in out


def test_check_says_what_it_found(tool, write):
    path = write(
        "name: Mine\nsources: {a: {title: A}}\nwarm_up_time: 1\n"
        "gyroscope: {noise_density: {value: 1e-4, source: a}, range: 3}\n"
        "accelerometer: {noise_stddev: 1e-3}\n"
    )
    code, out, err = tool("check", path)
    assert (code, err) == (0, "")
    found = "figures: 1 of the unit, 2 of the gyroscope, 1 of the accelerometer; 1 with a source"
    assert out == f"ok: {path} (Mine): {found}\n"


def test_check_warns_of_what_looks_odd(tool, write):
    path = write("sources: {a: {title: A}}\ngyroscope: {noise_density: 0.3}\n")
    code, out, _ = tool("check", path)
    assert code == 0
    ok, *warnings = out.splitlines()
    assert ok.startswith("ok: ")
    assert all(line.startswith("warning: ") for line in warnings)
    assert len(warnings) == 3
    assert "gyroscope.noise_density = 0.3 rad/s/sqrt(Hz) is outside" in warnings[0]
    assert "the accelerometer has no noise_density and is noiseless" in warnings[1]
    assert "no figure names the source a" in warnings[2]


@pytest.mark.parametrize(
    ("figures", "warning"),
    [
        (
            "noise_density: 1e-4, range: 1, resolution: [0.1, 2, 0.1]",
            "resolution = 2 is larger than range = 1: such an axis reads nothing but 0",
        ),
        (
            "noise_density: 1e-4, noise_stddev: 1e-3",
            "noise_stddev is not used where noise_density is given",
        ),
        (
            "noise_covariance: [1e-8, 0, 0, 0, 1e-8, 0, 0, 0, 1e-8], noise_stddev: 1e-3",
            "noise_stddev is not used where noise_covariance is given",
        ),
        (
            "noise_density: 1e-4, bias_correlation_time: 300 s",
            "bias_correlation_time is not used without bias_stddev",
        ),
        (
            "noise_stddev: 1e-4, noise_type: single-sided",
            "noise_type is not used without noise_density",
        ),
    ],
)
def test_check_warns_of_figures_without_effect(tool, write, figures, warning):
    others = "accelerometer: {noise_density: 1e-3}\n"
    code, out, _ = tool("check", write(f"gyroscope: {{{figures}}}\n{others}"))
    assert code == 0
    assert out.splitlines()[1:] == [f"warning: gyroscope.{warning}"]


def test_check_does_not_warn_of_figures_that_act(tool, write):
    figures = (
        "noise_density: 1e-4, noise_type: single-sided, range: 1, resolution: 0.1,\n"
        "  bias_stddev: [1e-3, 0, 1e-3], bias_correlation_time: 300 s"
    )
    path = write(
        f"gyroscope: {{{figures}}}\n"
        "accelerometer: {noise_density: 1e-3, resolution: 0.1}\n"
        "magnetometer: {noise_stddev: 1e-7}\n"
    )
    assert tool("check", path)[1].count("\n") == 1


def test_check_takes_every_kind_of_noise_for_noise(tool, write):
    covariance = "noise_covariance: [1e-8, 0, 0, 0, 1e-8, 0, 0, 0, 1e-8]"
    path = write(f"gyroscope: {{{covariance}}}\naccelerometer: {{noise_stddev: 1e-3}}\n")
    assert "warning" not in tool("check", path)[1]


def test_check_finds_every_preset_right(tool):
    for name in presets():
        code, out, _ = tool("check", name)
        assert code == 0
        assert "outside" not in out
        assert "no figure names" not in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gyroscope: {noise_densty: 1}\n", "did you mean 'noise_density'?"),
        ("gyroscope: {noise_density: 20 mg}\n", "noise_density = '20 mg'"),
        ("gyroscope: {noise_density: [1, 2]}\n", "noise_density = [1, 2]"),
        ("gyroscope: {range: {value: 1, source: a}}\n", "source = 'a'"),
        ("[1, 2]\n", "must be a mapping"),
        ("", "must be a mapping"),
        ("gyroscope:\n\trange: 1\n", "not valid YAML at line 2"),
        ("name: a\nname: b\n", "the key 'name' stands twice"),
    ],
)
def test_bad_files_are_one_sentence_and_exit_code_2(tool, write, text, said):
    path = write(text)
    for action in ("check", "show"):
        code, out, err = tool(action, path)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert said in err
        assert str(path) in err


def test_an_unknown_name_offers_the_nearest(tool):
    for action in ("show", "check"):
        code, _, err = tool(action, "stim30")
        assert code == 2
        assert err == "prog: unknown profile 'stim30'; did you mean 'stim300'?\n"


def test_a_file_needs_neither_slash_nor_suffix(tool, write, monkeypatch):
    path = write("gyroscope: {noise_density: 1e-4}\n", "mine")
    monkeypatch.chdir(path.parent)
    assert tool("check", "mine")[0] == 0
    # A preset's name stays one.
    write("gyroscope: {noise_density: 1e-4}\n", "bmi088")
    assert "Bosch" in tool("show", "bmi088")[1]


def test_the_help_explains_each_action(capsys):
    for arguments in ([], ["list"], ["show"], ["check"], ["convert"]):
        with pytest.raises(SystemExit) as ended:
            cli.run(["profile", *arguments, "--help"], "prog")
        assert ended.value.code == 0
        out = capsys.readouterr().out
        assert len(out.splitlines()) > 5, arguments
        if not arguments:
            assert all(action in out for action in ("list", "show", "check", "convert"))


@pytest.mark.parametrize("arguments", [[], ["lst"], ["show"], ["list", "more"]])
def test_a_wrong_call_shows_the_usage(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        cli.run(["profile", *arguments], "prog")
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: prog profile")


def test_convert_is_reached(tool, write):
    path = write("gyroscope: {noise_density: 1e-4}\n")
    code, out, _ = tool("convert", path)
    assert code == 0
    assert "noise_density" in out


def test_check_points_from_another_tools_file_to_convert(tool, write):
    path = write(
        "gyroscope_noise_density: 1e-4\ngyroscope_random_walk: 1e-6\n"
        "accelerometer_noise_density: 1e-3\naccelerometer_random_walk: 1e-5\nupdate_rate: 200\n"
    )
    code, out, err = tool("check", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is no profile but" in err
    assert "`profile convert` makes a profile of it" in err


@pytest.mark.parametrize("path", presets().values())
def test_no_preset_is_taken_for_another_tools_file(tool, path):
    assert tool("check", path)[0] == 0
