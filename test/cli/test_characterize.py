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

"""The tool `characterize`: its table, its files, its sentences."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node import cli
from imu_noise_node.filters import FILTERS

FILES = {
    *("kalibr_imu.yaml", "openvins_kalibr_imu_chain.yaml", "vins_fusion_imu.yaml"),
    *("px4_ekf2.params.sh", "robot_localization_imu.yaml", "imu_filter_madgwick.yaml"),
    *("matrices.npz", "matrices.yaml"),
}


@pytest.fixture
def characterize(capsys):
    def characterize(*arguments):
        code = cli.run(["characterize", *map(str, arguments)], "prog")
        return code, *capsys.readouterr()

    return characterize


def test_the_table_has_every_filter(characterize, tmp_path):
    code, out, err = characterize("adis16470", "--rate", 200, "--output", tmp_path / "new" / "dir")
    assert (code, err) == (0, "")
    assert "Analog Devices ADIS16470 at 200 Hz" in out
    for filter_ in FILTERS:
        assert f"\n{filter_.TITLE}\n" in out
    assert "the random walk stands for bias instability, too" in out
    assert "EKF2_GYR_NOISE    0.000989    rad/s\n" in out
    assert "Raise noise and walk until the innovations" in out
    folder = tmp_path / "new" / "dir"
    assert {path.name for path in folder.iterdir()} == FILES
    assert all(name.partition(".")[0] in out for name in FILES)
    assert np.load(folder / "matrices.npz")["dt"] == 0.005


def test_a_file_will_do_and_nothing_is_written_unasked(characterize, write, tmp_path, monkeypatch):
    path = write("gyroscope: {noise_density: 1e-4, random_walk: 1e-6}\n")
    monkeypatch.chdir(tmp_path)
    code, out, _ = characterize(path, "--rate", 100, "--time-scale", 10)
    assert code == 0
    assert "accelerometer: without white noise" in out
    assert [path.name for path in tmp_path.iterdir()] == [path.name]
    assert characterize(path.name, "--rate", 100)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bmi088", "--rate", "0"], "--rate = 0.0: must be from 1 to 100000 [Hz]"),
        (["bmi088", "--rate", "nan"], "--rate = nan"),
        (
            ["bmi088", "--rate", "100", "--time-scale", "0"],
            "--time-scale = 0.0: must be from 0.01",
        ),
        (["bmi08", "--rate", "100"], "did you mean 'bmi088'?"),
        (["none.yaml", "--rate", "100"], "cannot be read"),
        (["bmi088", "--rate", "100", "--output", "/dev/null/x"], "--output"),
        (["bmi088", "--rate", "100", "--output", "/proc"], "--output"),
    ],
)
def test_what_will_not_do_is_one_sentence(characterize, arguments, sentence):
    code, out, err = characterize(*arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_the_files_are_all_there_or_none(characterize, tmp_path):
    folder = tmp_path / "out"
    (folder / "matrices.npz").mkdir(parents=True)
    code, _, err = characterize("bmi088", "--rate", 100, "--output", folder)
    assert code == 2
    assert "holds a folder matrices.npz" in err
    assert [path.name for path in folder.iterdir()] == ["matrices.npz"]


def test_a_link_or_a_device_among_the_names_stays_what_it_is(characterize, tmp_path):
    folder, elsewhere = tmp_path / "out", tmp_path / "mine.yaml"
    folder.mkdir()
    (folder / "kalibr_imu.yaml").symlink_to(elsewhere)
    (folder / "matrices.yaml").symlink_to("/dev/null")
    assert characterize("adis16470", "--rate", 200, "--output", folder)[0] == 0
    assert (folder / "kalibr_imu.yaml").is_symlink()
    assert "gyroscope_noise_density" in elsewhere.read_text(encoding="utf-8")
    assert (folder / "matrices.yaml").is_symlink()
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_none_is_written_where_one_cannot_be(characterize, tmp_path):
    (tmp_path / "matrices.yaml").mkdir()
    code, _, err = characterize("adis16470", "--rate", 200, "--output", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert "holds a folder matrices.yaml" in err
    assert [path.name for path in tmp_path.iterdir()] == ["matrices.yaml"]
