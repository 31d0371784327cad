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

"""`drift`: its table is that of the page, its files are whole, and bad input is a sentence."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from imu_noise_node import cli

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "drift.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def drift(capsys):
    """Return a function that runs `drift` and returns code, output and error output."""

    def drift(*arguments):
        code = cli.run(["drift", *map(str, arguments)], "prog")
        return code, *capsys.readouterr()

    return drift


def poses(count=40, step=0.1, gap_after=None, gap=5.0):
    """A TUM file of a body that moves along x."""
    times = 1.0 + step * np.arange(count)
    if gap_after is not None:
        times[gap_after:] += gap
    return "".join(f"{t:.3f} {0.1 * t:.4f} 0 0 0 0 0 1\n" for t in times)


def test_the_page_shows_what_the_tool_prints(drift, tmp_path):
    command = BLOCKS[0].replace("\\\n", " ").split()
    assert command[:4] == ["ros2", "run", "imu_noise", "drift"]
    arguments = command[4:]
    arguments[arguments.index("--output") + 1] = tmp_path / "out"
    code, out, _ = drift(*arguments)
    assert code == 0
    assert out.startswith(BLOCKS[1])
    with (tmp_path / "out" / "drift.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["profile"] for row in rows} == {"consumer", "tactical", "adis16470"}
    assert {row["runs"] for row in rows} == {"100"}
    last = next(row for row in rows if row["profile"] == "consumer" and row["time[s]"] == "60")
    assert float(last["position_rms[m]"]) == pytest.approx(391.5, abs=0.05)
    assert float(last["position_theory[m]"]) == pytest.approx(390.2, abs=0.05)
    assert np.degrees(float(last["attitude_rms[rad]"])) == pytest.approx(2.812, abs=5e-4)
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert files == ["drift.csv", "drift.png"]


def test_calibrated_leaves_the_turn_on_bias_out_and_theory_its_end(drift):
    given = ("--still", 60, "--rate", 20, "--runs", 20, "--profile", "bmi088")
    _, whole, _ = drift(*given)
    _, calibrated, _ = drift(*given, "--calibrated")
    rows = [text.splitlines() for text in (whole, calibrated)]
    whole_60, calibrated_60 = (next(r for r in text if "60 s  " in r).split() for text in rows)
    assert float(whole_60[2]) > 50.0
    assert float(calibrated_60[2]) < 0.5
    assert whole_60.count("-") == 2
    assert "beyond which theory does not hold" in whole
    assert "-" not in calibrated_60


def test_what_is_not_drawn_agrees_but_for_rounding(drift, write):
    path = write("accelerometer: {constant_bias: [0.01, 0, 0]}", "biased.yaml")
    code, text, _ = drift("--still", "60", "--profile", path)
    assert code == 0
    assert "18 " in text
    assert "!" not in text


def test_a_trajectory_is_resampled_and_said_to_be(drift, write):
    pytest.importorskip("scipy")
    path = write(poses(), "path.tum")
    code, out, _ = drift(path, "--rate", 50, "--runs", 5, "--profile", "consumer")
    assert code == 0
    assert "Dead reckoning of path.tum, 3.9 s at 50 Hz" in out
    assert "resampled from 10 to 50 Hz" in out


def test_of_a_broken_truth_the_longest_part_is_taken(drift, write):
    pytest.importorskip("scipy")
    path = write(poses(gap_after=15), "gap.tum")
    code, out, _ = drift(path, "--runs", 5, "--profile", "consumer")
    assert code == 0
    assert "the longest part without a gap or a jump: 2.4 of 3.8 s" in out


def test_a_real_flight(drift, shared_data):
    pytest.importorskip("scipy")
    path = shared_data / "recordings" / "euroc_V1_01_groundtruth_openvins.csv.gz"
    code, out, _ = drift(path, "--runs", 20, "--profile", "euroc")
    assert code == 0
    assert "144.7 s" in out
    assert "!" not in out


def test_a_bag(drift, shared_data):
    pytest.importorskip("rosbags")
    path = shared_data / "recordings" / "robot_localization_test2_jackal_sim.bag"
    code, out, _ = drift(path, "--runs", 20, "--profile", "tactical")
    assert code == 0
    assert "61.18 s at 50 Hz" in out
    assert "!" not in out


STILL = ("--still", "5")
CONSUMER = ("--profile", "consumer")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "--profile = None: must be given"),
        (STILL, "--profile = None: must be given"),
        (CONSUMER, "TRAJECTORY = None: must be given, or --still SECONDS"),
        ((*STILL, "x.tum", *CONSUMER), "TRAJECTORY = 'x.tum': must be given, or --still"),
        ((*STILL, "--profile", "consumr"), "did you mean 'consumer'?"),
        ((*STILL, *CONSUMER, *CONSUMER), "must be named once"),
        (("--still", "abc", *CONSUMER), "--still = 'abc'"),
        (("--still", "-1", *CONSUMER), "--still = '-1'"),
        (("--still", "nan", *CONSUMER), "--still = 'nan'"),
        (("--still", "1e6", "--rate", "1e5", *CONSUMER), "must be 200 or less at 100000 Hz"),
        (("--still", "0.1", "--rate", "10", *CONSUMER), "must be two intervals or more"),
        ((*STILL, "--rate", "1", *CONSUMER), "--rate = '1'"),
        ((*STILL, "--runs", "0", *CONSUMER), "--runs = 0"),
        ((*STILL, "--runs", "1.5", *CONSUMER), "--runs = '1.5'"),
        ((*STILL, "--seed", "-1", *CONSUMER), "--seed = "),
        ((*STILL, "--topic", "odom", *CONSUMER), "--topic = 'odom'"),
        (("/nowhere.tum", *CONSUMER), "'/nowhere.tum'"),
    ],
)
def test_bad_arguments_are_a_sentence(drift, tmp_path, arguments, sentence):
    code, out, err = drift(*arguments, "--output", tmp_path / "out")
    assert code == 2
    assert out == ""
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("hello\n", "has no poses"),
        ("1.0 0 0 0 0 0 0 1\n1.1 0 0 x 0 0 0 1\n", "line 2 = 'x'"),
        (poses(3), "6 poses or more"),
    ],
    ids=["empty", "text", "no number", "short"],
)
def test_bad_files_are_a_sentence(drift, write, text, sentence):
    code, _, err = drift(write(text, "bad.tum"), *CONSUMER)
    assert code == 2
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_a_place_that_is_a_file_is_refused_before_any_work(drift, write):
    code, out, err = drift(*STILL, *CONSUMER, "--output", write("x", "file"))
    assert (code, out) == (2, "")
    assert "--output" in err
    assert len(err.splitlines()) == 1


def test_what_is_refused_leaves_no_folder_behind(drift, tmp_path):
    code, _, err = drift("missing.txt", *CONSUMER, "--output", tmp_path / "a" / "b")
    assert (code, list(tmp_path.iterdir())) == (2, [])
    assert "missing.txt" in err


def test_a_folder_that_is_missing_is_made(drift, tmp_path):
    code, _, _ = drift(*STILL, *CONSUMER, "--runs", 2, "--output", tmp_path / "a" / "b")
    assert code == 0
    assert (tmp_path / "a" / "b" / "drift.csv").is_file()


def test_a_folder_in_place_of_a_file_is_refused(drift, tmp_path):
    (tmp_path / "drift.csv").mkdir()
    code, _, err = drift(*STILL, *CONSUMER, "--output", tmp_path)
    assert code == 2
    assert err.endswith("holds a folder drift.csv\n")


def test_without_matplotlib_there_is_a_table(drift, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.style", None)
    code, out, _ = drift(*STILL, *CONSUMER, "--runs", 2, "--output", tmp_path)
    assert code == 0
    assert "none; the package matplotlib is not installed" in out
    assert [path.name for path in tmp_path.iterdir()] == ["drift.csv"]


@pytest.mark.parametrize("inside", ["", "out", "a/b"])
def test_nothing_is_written_into_the_input(drift, tmp_path, inside):
    bag = tmp_path / "bag"
    bag.mkdir()
    code, out, err = drift(bag, *CONSUMER, "--output", bag / inside)
    assert (code, out) == (2, "")
    assert "must not be inside the input" in err
    assert list(bag.iterdir()) == []
