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

"""Figures in, figures out: what the tool prints, what it warns of, and what it refuses."""

from __future__ import annotations

import argparse
import json

import numpy as np
import pytest
import yaml

from imu_noise_node.cli import _profile_convert as convert
from imu_noise_node.errors import ImuNoiseError
from imu_noise_node.profiles.loader import load_profile

KALIBR = """
accelerometer_noise_density: 2.0e-3
accelerometer_random_walk: 3e-3
gyroscope_noise_density: 1.7e-04
gyroscope_random_walk: 2e-05
update_rate: 200.0
colour: blue
"""
IMU_UTILS = """%YAML:1.0
---
type: IMU
Gyr: {x-axis: {gyr_n: 1e-3}, y-axis: {gyr_n: 1e-3}, z-axis: {gyr_n: 1e-3}}
Acc: {x-axis: {acc_n: 1e-2}, y-axis: {acc_n: 1e-2}, z-axis: {acc_n: 1e-2}}
"""
SDF = """<sdf><sensor name="imu" type="imu"><imu><angular_velocity><x>
<noise type="gaussian"><stddev>0.02</stddev></noise></x></angular_velocity></imu></sensor></sdf>
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs the tool in a folder with these files."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("imu.yaml", KALIBR), ("utils.yaml", IMU_UTILS), ("model.sdf", SDF)):
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(*arguments):
        parser = argparse.ArgumentParser()
        convert.add_arguments(parser)
        code = convert.run(parser.parse_args(arguments))
        return (code, *capsys.readouterr())

    return run


def test_a_foreign_file_becomes_a_profile(run, tmp_path):
    code, out, err = run("imu.yaml")
    assert code == 0
    assert "noise_density: 0.00017  # rad/s/sqrt(Hz)" in out
    assert "description: " in out
    assert err == "note: not taken over of imu.yaml: colour\n"
    (tmp_path / "mine.yaml").write_text(out, encoding="utf-8")
    spec = load_profile(tmp_path / "mine.yaml")
    assert spec.accelerometer.noise_density == 2e-3
    assert spec.gyroscope.random_walk == 2e-5
    code, out, _ = run("imu.yaml", "--to", "json")
    assert code == 0
    assert json.loads(out)["accelerometer"] == {"noise_density": 0.002, "random_walk": 0.003}


def test_a_profile_and_a_preset_become_foreign_files(run, tmp_path):
    code, out, err = run("adis16470", "--to", "kalibr", "--rate", "200")
    assert code == 0
    written = yaml.safe_load(out)
    density = load_profile("adis16470").gyroscope.noise_density
    assert written["gyroscope_noise_density"] == density
    assert written["update_rate"] == 200.0
    assert "gyroscope.bias_instability" in err
    # A preset, a profile of one's own, and back from Kalibr.
    _, out, _ = run("adis16470")
    (tmp_path / "own").write_text(out, encoding="utf-8")
    assert run("own", "--to", "kalibr", "--rate", "200")[1] == yaml_text(written)
    (tmp_path / "back.yaml").write_text(yaml_text(written), encoding="utf-8")
    assert f"noise_density: {density!r} " in run("back.yaml")[1]


def yaml_text(mapping):
    lines = "".join(f"{key}: {value}\n" for key, value in mapping.items())
    return f"# Kalibr imu.yaml, written by imu_noise\n{lines}"


def test_a_rate_is_used_for_what_is_read_and_for_what_is_written(run, tmp_path):
    code, out, _ = run("model.sdf", "--rate", "400", "--to", "sdf")
    assert code == 0
    assert "<stddev>0.02</stddev>" in out
    (tmp_path / "again.sdf").write_text(out, encoding="utf-8")
    # That file has a rate of its own; the one given is for the output.
    code, out, _ = run("again.sdf", "--rate", "100", "--to", "sdf")
    assert code == 0
    assert "<stddev>0.01</stddev>" in out
    assert "<update_rate>100.0</update_rate>" in out


def test_the_meaning_of_noise_is_asked_for(run):
    code, out, _ = run("utils.yaml", "--meaning", "per-sample", "--rate", "100")
    assert code == 0
    assert "noise_density: 0.0001 " in out
    code, out, _ = run("utils.yaml", "--meaning", "density", "--from", "imu-utils")
    assert code == 0
    assert "noise_density: 0.001 " in out


def test_implausible_figures_are_warned_of(run, tmp_path):
    (tmp_path / "odd.yaml").write_text("gyroscope_noise_density: 3\n", encoding="utf-8")
    code, _, err = run("odd.yaml")
    assert code == 0
    assert "is the unit right?" in err


def test_the_output_goes_to_a_file(run, tmp_path):
    code, out, err = run("imu.yaml", "--output", "mine.yaml")
    assert (code, out) == (0, "")
    assert "colour" in err
    assert np.all(load_profile(tmp_path / "mine.yaml").gyroscope.random_walk == 2e-5)
    with pytest.raises(ImuNoiseError, match=r"--output = 'no/mine.yaml': cannot be written"):
        run("imu.yaml", "--output", "no/mine.yaml")


def test_what_cannot_be_done_is_one_sentence(run, tmp_path):
    (tmp_path / "bad.yaml").write_text("gyroscope: {noise_densty: 1}\n", encoding="utf-8")
    (tmp_path / "list.yaml").write_text("- topic_name: /imu\n", encoding="utf-8")
    (tmp_path / "slash").write_text("gyr_n: 1 // odd\nacc_n: 1\n", encoding="utf-8")
    for arguments, said in (
        (["utils.yaml"], "does not say what its noise is"),
        (["model.sdf"], "pass --rate HZ"),
        (["imu.yaml", "--to", "sdf"], "--rate = None: must be given for sdf"),
        (["imu.yaml", "--to", "kalibr"], "--rate = None: must be given for kalibr"),
        (["imu.yaml", "--rate", "0"], "--rate = 0.0: must be above 0 [Hz]"),
        (["imu.yaml", "--rate", "nan"], "--rate = nan: must be above 0"),
        (["imu.yaml", "--from", "maplab"], "must be a file of the format maplab"),
        (["bad.yaml"], "did you mean 'noise_density'?"),
        (["list.yaml"], "has no IMU figures in a known format"),
        (["slash"], "a comment starts with #"),
        (["bmi08"], "did you mean 'bmi088'?"),
        (["none.yaml"], "No such file"),
    ):
        with pytest.raises(ImuNoiseError) as caught:
            run(*arguments)
        assert said in str(caught.value), arguments
        assert "\n" not in str(caught.value)
    for wrong in (["imu.yaml", "--to", "word"], ["imu.yaml", "--meaning", "both"]):
        with pytest.raises(SystemExit) as exit_:
            run(*wrong)
        assert exit_.value.code == 2


def test_from_our_own_format_by_name(run, tmp_path):
    (tmp_path / "own.yaml").write_text(
        "name: mine\ngrade: tactical\ngyroscope: {noise_density: 1e-4}\n", encoding="utf-8"
    )
    code, out, err = run("own.yaml", "--from", "profile")
    assert (code, err) == (0, "")
    assert out.startswith("name: mine\ngrade: tactical\ngyroscope:\n")
    with pytest.raises(ImuNoiseError, match="unknown key 'accelerometer_noise_density'"):
        run("imu.yaml", "--from", "profile")


MEANINGLESS = [
    (["bmi088", "--from", "kalibr"], "--from = 'kalibr': must be left out: bmi088 is a preset"),
    (["bmi088", "--name", "nope"], "--name = 'nope': must be left out: bmi088 is a preset"),
    (["bmi088", "--meaning", "per-sample"], "--meaning = 'per-sample': must be left out: bmi088"),
    (["bmi088", "--rate", "200"], "--rate = 200.0: must be left out: bmi088 is a preset"),
    (["own.yaml", "--name", "nope"], "--name = 'nope': must be left out: own.yaml is a profile"),
    (["own.yaml", "--meaning", "density"], "--meaning = 'density': must be left out: own.yaml"),
    (["own.yaml", "--from", "kalibr"], "must be a file of the format kalibr; it is not"),
    (["imu.yaml", "--name", "imu0"], "--name = 'imu0': must be left out: the file holds one IMU"),
    (["imu.yaml", "--meaning", "density"], "--meaning = 'density': must be left out: the format"),
    (["model.sdf", "--rate", "9", "--meaning", "density"], "--meaning = 'density': must be left"),
    (["utils.yaml", "--meaning", "density", "--name", "a"], "--name = 'a': must be left out"),
    (["two.yaml", "--name", "imu2"], "unknown IMU 'imu2' in two.yaml; did you mean"),
]


@pytest.mark.parametrize(("arguments", "said"), MEANINGLESS, ids=lambda a: " ".join(a)[:40])
def test_options_that_mean_nothing_are_refused(run, tmp_path, arguments, said):
    (tmp_path / "own.yaml").write_text("gyroscope: {noise_density: 1e-4}\n", encoding="utf-8")
    block = "{gyroscope_noise_density: 1e-4, accelerometer_noise_density: 1e-3}"
    (tmp_path / "two.yaml").write_text(f"imu0: {block}\nimu1: {block}\n", encoding="utf-8")
    with pytest.raises(ImuNoiseError) as caught:
        run(*arguments)
    assert said in str(caught.value)


def test_options_that_mean_something_are_not(run, tmp_path):
    block = "{gyroscope_noise_density: 1e-4, accelerometer_noise_density: 1e-3}"
    (tmp_path / "two.yaml").write_text(f"imu0: {block}\nimu1: {block}\n", encoding="utf-8")
    (tmp_path / "vins.yaml").write_text("acc_n: 0.1\ngyr_n: 0.01\n", encoding="utf-8")
    for arguments in (
        ["bmi088", "--from", "profile"],
        ["two.yaml", "--name", "imu1", "--from", "kalibr"],
        ["model.sdf", "--name", "imu", "--rate", "100"],
        ["vins.yaml", "--meaning", "per-sample", "--rate", "100"],
        ["vins.yaml", "--meaning", "density"],
    ):
        assert run(*arguments)[0] == 0
