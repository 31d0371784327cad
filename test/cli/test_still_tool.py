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

"""The tool `still`: its table, the profile that it writes, and its sentences."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node import cli
from imu_noise_node.profiles.loader import load_profile

HEADER = "t [s],wx,wy,wz,ax,ay,az,pressure\n"


@pytest.fixture
def still(capsys):
    def still(*arguments):
        code = cli.run(["still", *map(str, arguments)], "prog")
        return code, *capsys.readouterr()

    return still


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Twenty seconds at rest, with a barometer that is new at every fifth reading."""
    rng = np.random.default_rng(0)
    scale = np.array([2e-3, 3e-3, 1e-3, 2e-2, 1e-2, 4e-2])
    values = scale * rng.standard_normal((2000, 6)) + [0, 0, 0, 0.1, -0.2, 9.8]
    pressures = np.repeat(101_325.0 + 2.0 * rng.standard_normal(400), 5)
    table = np.column_stack([100.0 + 0.01 * np.arange(2000), values, pressures])
    path = tmp_path_factory.mktemp("still") / "rest.csv"
    np.savetxt(path, table, delimiter=",", header=HEADER.strip(), comments="", fmt="%.9f")
    return path


def test_the_table_and_the_profile(still, recording, tmp_path):
    profile = tmp_path / "floor.yaml"
    code, out, err = still(recording, "--save-profile", profile)
    assert (code, err) == (0, "")
    assert "still for 10 s from" in out
    assert "200 increments over 50 ms" in out
    assert "each ± 5.0%" in out
    for unit in ("rad/s/sqrt(Hz)", "deg/sqrt(h)", "ug/sqrt(Hz)", "m/s/sqrt(h)"):
        assert unit in out
    assert "distinct ones of 1" in out
    assert "A floor, not N" in out
    spec = load_profile(profile)
    assert spec.gyroscope.noise_density == pytest.approx([2e-4, 3e-4, 1e-4], rel=0.25)
    assert spec.accelerometer.noise_density == pytest.approx([2e-3, 1e-3, 4e-3], rel=0.25)
    assert "not N" in profile.read_text(encoding="utf-8")
    # 0.02 rad/s/sqrt(Hz) is 1.146 deg/s/sqrt(Hz): the rows are one figure in three units.
    rows = [line.split()[-4:-1] for line in out.splitlines() if line.endswith("deg/s/sqrt(Hz)")]
    in_degrees = np.degrees(spec.gyroscope.noise_density)
    assert np.array(rows[0], dtype=float) == pytest.approx(in_degrees, rel=1e-3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--window", "nan"], "--window = nan: must be a time [s]"),
        (["--window", "-3"], "--window = -3.0: must be above 0 [s]"),
        (["--window", "0.2"], "--window = 0.2: is too short"),
        (["--start", "30"], "must leave some of"),
        (["--topic", "/imu"], "only bags have topics"),
        (["--pressure-topic", "/baro"], "only bags have topics"),
        (["--column", "wx=2", "--column", "wx=3"], "must name wx once, but it is named twice"),
        (["--column", "wx"], "--column = 'wx': must be NAME=COLUMN"),
        (["--accelerometer-unit", "rad/s"], "--accelerometer-unit = 'rad/s': must be"),
        (["--save-profile", "/nowhere/floor.yaml"], "must be in a folder that there is"),
        (["--save-profile", "/"], "must be a file, not a folder"),
    ],
)
def test_what_will_not_do_is_one_sentence(still, recording, arguments, sentence):
    code, out, err = still(recording, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_recording_is_not_overwritten(still, recording):
    before = recording.read_bytes()
    code, _, error = still(recording, "--save-profile", recording.parent / ".." / recording)
    assert (code, recording.read_bytes()) == (2, before)
    assert error.endswith("is the input, and would be lost\n")


def test_what_is_odd_is_a_note(still, recording):
    code, out, err = still(recording, "--accelerometer-unit", "mg", "--window", "2")
    assert (code, err) == (0, "")
    assert "note: accelerometer: it reads 0.096" in out
    assert "note: 2 s are few" in out


@pytest.mark.parametrize("wrong", [["inf"], ["nan"], ["inf", "-inf"]])
@pytest.mark.filterwarnings("error")
def test_readings_that_are_no_numbers_are_counted_in_a_note(still, recording, tmp_path, wrong):
    lines = recording.read_text(encoding="utf-8").splitlines()
    for k, text in enumerate(wrong, 777):
        cells = lines[k].split(",")
        lines[k] = ",".join([*cells[:2], text, *cells[3:]])
    path = tmp_path / "wrong.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    code, out, err = still(path)
    assert (code, err) == (0, "")
    assert f"note: {len(wrong)} of 2000 readings are NaN or infinite: the window has none" in out


def test_a_window_that_is_longer_than_the_recording_is_a_note(still, recording):
    code, out, _ = still(recording, "--window", "1e9")
    assert code == 0
    assert "still for 20 s from 0 s" in out
    assert "note: the window is all that there is, and shorter than 1e+09 s" in out
    assert "all that there is" not in still(recording, "--window", "20")[1]


def test_a_file_that_is_not_there_or_moves(still, recording, tmp_path):
    code, _, err = still(tmp_path / "none.csv")
    assert (code, err.count("\n")) == (2, 1)
    lines = recording.read_text(encoding="utf-8").splitlines()
    rng = np.random.default_rng(1)
    moved = [
        ",".join([*line.split(",")[:1], *(f"{v:.6f}" for v in k * rng.standard_normal(6)), "0"])
        for k, line in zip(np.abs(np.sin(np.arange(2000) / 50)), lines[1:], strict=True)
    ]
    path = tmp_path / "moved.csv"
    path.write_text("\n".join([HEADER.strip(), *moved]), encoding="utf-8")
    code, out, err = still(path, "--save-profile", tmp_path / "floor.yaml")
    assert (code, out) == (2, "")
    assert "is not still" in err
    assert not (tmp_path / "floor.yaml").exists()
