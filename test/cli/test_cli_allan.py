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

import gzip
import re

import numpy as np
import pytest

from imu_noise_node.analysis import allan_plot
from imu_noise_node.cli import allan as tool
from imu_noise_node.cli import run
from imu_noise_node.profiles.loader import read_profile
from imu_noise_node.recordings.record import ImuRecord

pytest.importorskip("allantools", reason="needs allantools")
pytest.importorskip("scipy", reason="needs scipy")


@pytest.fixture
def call(tmp_path, capsys):
    """Return a function that runs the tool and returns exit code, output and errors."""

    def call(*arguments):
        argv = ["allan", *map(str, arguments), "--output", str(tmp_path / "out")]
        code = run(argv, program="imu_noise")
        return code, *capsys.readouterr()

    return call


def test_a_simulated_profile_to_all_files(call, tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    duration = ("--duration", "1200", "--rate", "10")
    code, text, notes = call("--profile", "tactical", "--compare", "tactical", *duration)
    assert code == 0
    assert "rad/s/sqrt(Hz)" in text
    assert "not seen, <" in text
    assert "in units of Tactical grade" in text
    assert "note: kalibr.yaml: gyroscope.random_walk: not seen on any axis\n" in notes
    files = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert files == ["allan.png", "kalibr.yaml", "profile.yaml"]
    found, truth = (
        read_profile(name).spec for name in (tmp_path / "out" / "profile.yaml", "tactical")
    )
    for sensor in ("gyroscope", "accelerometer"):
        # sigma of N is 0.6 % with 12000 readings.
        expected = float(getattr(truth, sensor).noise_density)
        np.testing.assert_allclose(getattr(found, sensor).noise_density, expected, rtol=0.05)
        assert not np.any(getattr(found, sensor).random_walk)
    profile = read_profile(tmp_path / "out" / "profile.yaml")
    assert profile.sources["allan"].date
    origin = "simulated with the profile Tactical grade, 0.333 h at rest"
    assert origin in profile.sources["allan"].title
    assert f'description: "{origin}"' in profile.path.read_text(encoding="utf-8")
    kalibr = (tmp_path / "out" / "kalibr.yaml").read_text(encoding="utf-8")
    assert "# gyroscope.random_walk: not seen on any axis\n" in kalibr
    assert "update_rate: 10.0" in kalibr


def test_curves_of_another_tool(call, write, tmp_path):
    taus = 0.1 * np.arange(1, 1001)
    rows = [f"{tau} {' '.join(6 * [f'{0.01 / np.sqrt(tau)}'])}\n" for tau in taus]
    path = write("".join(rows), "allan_variance.csv")
    code, text, _ = call(path)
    assert code == 0
    assert "  900 s; averaging" in text
    assert "this length is assumed" in text
    assert "1.000e-02" in text
    assert "1.745e-04" in text
    profile = tmp_path / "out" / "profile.yaml"
    assert "of a record that is assumed to be 0.25 h long" in profile.read_text(encoding="utf-8")
    code, text, _ = call(path, "--duration", "1800")
    assert (code, "assumed" in text) == (0, False)
    assert 'description: "measured, 0.5 h at rest"' in profile.read_text(encoding="utf-8")
    code, _, error = call(path, "--duration", "1")
    assert error.startswith("imu_noise: --duration = 1.0: must be longer")
    code, _, error = call(path, "--gyroscope-unit", "deg/s")
    assert (code, "--gyroscope-unit = 'deg/s': must be left out" in error) == (2, True)


@pytest.mark.parametrize(("size", "said"), [(1e-40, "no noise to"), (1e200, "no sensor's noise")])
def test_curves_of_no_sensor_are_refused(call, write, tmp_path, size, said):
    taus = 0.1 * np.arange(1, 1001)
    rows = [f"{tau} {' '.join(6 * [f'{size / np.sqrt(tau)}'])}\n" for tau in taus]
    code, text, error = call(write("".join(rows), "allan_variance.csv"))
    assert (code, text) == (2, "")
    assert said in error
    assert not (tmp_path / "out").exists()


CASES = {
    "nothing": ((), "must be given"),
    "both": (("x.csv", "--profile", "tactical"), "leave it out, or x.csv"),
    "unit": (("x.csv", "--gyroscope-unit", "g"), "--gyroscope-unit = 'g': must be"),
    "missing file": (("missing.csv",), "does not exist"),
    "no rate for a file": (("x.csv", "--rate", "3"), "--profile"),
    "no such profile": (("--profile", "tactcal"), "did you mean 'tactical'"),
    "no such profile to compare": (("--profile", "tactical", "--compare", "x"), "unknown"),
    "too short": (("--profile", "tactical", "--duration", "1"), "at least 288"),
    "no time": (("--profile", "tactical", "--duration", "nan"), "above 0"),
    "seed": (("--profile", "tactical", "--seed", "-1"), "whole number"),
    "topic": (("--profile", "tactical", "--topic", "/x"), "--topic = '/x': must be left out"),
    "too long": (("--profile", "tactical", "--duration", "1e13"), "GB"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_arguments_are_one_sentence(call, case, tmp_path):
    arguments, said = CASES[case]
    code, text, error = call(*arguments)
    assert (code, text) == (2, "")
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("text.csv", b"a,b,c\nd,e,f\n"),
        ("empty.mcap", b""),
        ("broken.csv.gz", gzip.compress(b"1 2 3 4 5 6 7\n" * 500, mtime=0)[:-20]),
        ("half.csv", b"0.1 1 1 1 1 1 1\n0.2 1 1"),
    ],
)
def test_bad_files_are_one_sentence(call, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    code, text, error = call(tmp_path / name)
    assert (code, text) == (2, "")
    assert error.count("\n") == 1


def test_a_truncated_bag_and_one_without_an_imu(call, shared_data, tmp_path):
    pytest.importorskip("rosbags", reason="needs rosbags")
    whole = shared_data / "recordings" / "nav2_turtlebot.mcap"
    (tmp_path / "half.mcap").write_bytes(whole.read_bytes()[:30_000])
    for path, said in ((tmp_path / "half.mcap", "truncated"), (whole, "/odom")):
        code, _, error = call(path)
        assert code == 2
        assert said in error
        assert error.count("\n") == 1


def table(values, path):
    stamps = 0.01 * np.arange(len(values))
    header = "t [s],wx,wy,wz,ax,ay,az"
    rows = np.column_stack([stamps, values])
    np.savetxt(path, rows, delimiter=",", header=header, comments="", fmt="%.9f")
    return path


def at_rest(count=6000):
    scale = np.array([2e-3, 2e-3, 2e-3, 2e-2, 2e-2, 2e-2])
    return scale * np.random.default_rng(4).standard_normal((count, 6)) + [0, 0, 0, 0, 0, 9.8]


def test_a_recording_is_not_overwritten(call, tmp_path):
    (tmp_path / "out").mkdir()
    path = table(at_rest(), tmp_path / "out" / "allan.png")
    before = path.read_bytes()
    code, _, error = call(path)
    assert (code, path.read_bytes()) == (2, before)
    assert error.endswith("allan.png': is the input, and would be lost\n")


def test_a_knock_is_told(call, tmp_path):
    values = at_rest()
    values[3000, 0] += 5.0
    code, text, _ = call(table(values, tmp_path / "knock.csv"))
    assert code == 0
    assert re.search(r"gyroscope x: 30 s after the start it is 2\d\d times as loud as in", text)


def test_steady_motion_and_gravity_in_g_are_refused(call, tmp_path):
    moving, in_g = at_rest(), at_rest()
    moving[:, 0] += np.sin(0.02 * np.arange(6000))
    in_g[:, 3:] /= 9.80665
    for values, said in ((moving, "gyroscope x': is not described by noise"), (in_g, "like g")):
        code, _, error = call(table(values, tmp_path / "bad.csv"))
        assert code == 2
        assert said in error
        assert not (tmp_path / "out").exists()


def test_readings_sent_twice_do_not_double_the_rate(call, tmp_path):
    code, text, _ = call(table(np.repeat(at_rest(), 2, axis=0), tmp_path / "twice.csv"))
    assert code == 0
    assert "left out: 50.0% of these readings" in text
    assert "new ones come at 50 Hz" in text
    kalibr = (tmp_path / "out" / "kalibr.yaml").read_text(encoding="utf-8")
    assert "update_rate: 50.0" in kalibr


def test_what_a_short_record_cannot_tell_is_said(call, tmp_path):
    code, text, _ = call(table(at_rest(300), tmp_path / "short.csv"), "--compare", "tactical")
    assert code == 0
    assert "inf" not in text
    assert re.search(r"rad/s/s/sqrt\(Hz\) +unknown +unknown +unknown\n", text)
    assert "Of a term that is unknown the record tells nothing" in text
    assert "inf" not in (tmp_path / "out" / "profile.yaml").read_text(encoding="utf-8")


def test_ctrl_c_leaves_no_folder_behind(call, tmp_path, monkeypatch):
    def interrupted(_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(tool, "read_recording", interrupted)
    assert call(table(at_rest(10), tmp_path / "x.csv"))[0] == 130
    assert not (tmp_path / "out").exists()


def test_the_picture_is_named_after_bag_and_topic(call, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    path = table(at_rest(), tmp_path / "night.mcap")
    stamps = np.arange(6000) * 10_000_000
    record = ImuRecord(f"{path}: /imu/data_raw", stamps, np.ascontiguousarray(at_rest().T))
    titles = []
    monkeypatch.setattr(tool, "read_recording", lambda _args: record)
    monkeypatch.setattr(allan_plot, "plot_allan", lambda *given: titles.append(given[-1]))
    assert call(path)[0] == 0
    assert titles == ["Allan deviation: night.mcap: /imu/data_raw"]
