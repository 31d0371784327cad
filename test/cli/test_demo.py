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

"""The demo, live: all that goes over DDS is as theory says, and no process outlives it."""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

from imu_noise_node import cli
from imu_noise_node.analysis.rate_runs import RUNS, Parked
from imu_noise_node.cli import _rate_demo, demo
from imu_noise_node.cli._processes import Failed
from imu_noise_node.cli._rate_demo import expected_messages, output_of, run_rate_demo

PROCESSES = len(RUNS) + 2


@pytest.fixture(scope="module")
def live():
    """Run the demo once, for all tests that look at its result."""
    progress = []
    result = run_rate_demo(progress=lambda done, total: progress.append((done, total)))
    return result, progress


@pytest.fixture
def rerun(live, monkeypatch):
    """Let the command have that result instead of another live run."""
    monkeypatch.setattr(demo, "run_rate_demo", lambda *_: live[0])


def test_every_figure_of_the_rate_table_is_within_its_bounds(live):
    assert live[0].table.complaints() == []


def test_no_message_is_lost_and_each_is_accounted_for(live):
    samples = {"density_100hz": 1999, "density_400hz": 7999}
    samples |= {name.replace("density", "per_sample"): n for name, n in samples.items()}
    for result in live[0].table.results:
        counts = result.counts
        assert sum(counts.values()) == result.sent == 8000
        assert counts["samples"] == result.recorded == samples[result.run.name]
        assert counts["baseline"] == 1
        assert counts["between_captures"] == 8000 - 1 - counts["samples"]
        assert (result.lost, result.foreign) == (0, 0)
        assert result.complete == result.windows == 199


def test_the_runs_at_100_hz_are_identical_to_the_bit(live):
    assert live[0].table.identical
    by_topic = {channel.topic: channel for channel in live[0].channels}
    density, per_sample = (by_topic[output_of(run)] for run in RUNS if run.rate == 100)
    assert density.values.tobytes() == per_sample.values.tobytes()
    assert len(np.unique(density.values)) == density.values.size


def test_it_runs_faster_than_its_stamps_and_tells_how_far_it_is(live):
    result, progress = live
    assert 0.0 < result.seconds < result.truth.duration
    done = [number for number, _ in progress]
    assert len(done) > 3
    assert done == sorted(done)
    assert progress[-1] == (27996, 27996)
    assert expected_messages(Parked()) == 27996


def test_the_command_prints_the_table_and_leaves_bag_and_picture(rerun, live, tmp_path, capsys):
    pytest.importorskip("rosbags", reason="writes a bag; needs rosbags")
    assert cli.run(["demo", "--output", str(tmp_path / "new" / "out")], "prog") == 0
    text = capsys.readouterr().out
    assert "4.000 ± 0.091" in text
    assert "8000 = 1999 samples + 1 baseline + 6000 between captures   " in text
    assert "identical to the bit" in text
    table, _, _ = text.partition("Picture:")
    assert max(map(len, table.splitlines())) <= 100
    folder = tmp_path / "new" / "out"
    assert sorted(p.name for p in folder.iterdir()) == ["rate_table", "rate_table.png"]
    assert (folder / "rate_table.png").read_bytes().startswith(b"\x89PNG")
    _check_bag(folder / "rate_table", live[0])


def _check_bag(folder: Path, result) -> None:
    """Hold the bag, as read by its own definitions, against what the recorder took in."""
    reader = pytest.importorskip("rosbags.highlevel").AnyReader
    typesys = pytest.importorskip("rosbags.typesys")
    nothing = typesys.get_typestore(typesys.Stores.EMPTY)
    with reader([folder], default_typestore=nothing) as bag:
        assert bag.message_count == 27996
        for channel in result.channels:
            connections = [c for c in bag.connections if c.topic == channel.topic]
            read = list(bag.messages(connections))
            assert [stamp for _, stamp, _ in read] == channel.stamps.tolist()
            assert [bytes(data) for _, _, data in read] == channel.messages
            last = bag.deserialize(read[-1][2], channel.message_type)
            if channel.message_type == "sensor_msgs/msg/Imu":
                rate, force = last.angular_velocity, last.linear_acceleration
                values = [rate.x, rate.y, rate.z, force.x, force.y, force.z]
                assert values == channel.values[-1].tolist()
            else:
                assert last.pose.pose.orientation.w == 1.0


def test_a_second_run_replaces_the_files_of_the_first(rerun, tmp_path):
    pytest.importorskip("rosbags", reason="writes a bag; needs rosbags")
    arguments = ["demo", "--output", str(tmp_path)]
    assert cli.run(arguments, "prog") == 0
    bag, picture = tmp_path / "rate_table" / "rate_table.mcap", tmp_path / "rate_table.png"
    whole = bag.read_bytes()
    bag.write_bytes(b"half")
    picture.write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    assert cli.run(arguments, "prog") == 0
    assert bag.read_bytes() == whole
    assert picture.stat().st_size > 1000
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        *("notes.txt", "rate_table", "rate_table.png")
    ]


def test_a_wrong_figure_or_a_loss_is_said_and_gives_exit_code_1(
    live, monkeypatch, tmp_path, capsys
):
    result, _ = live
    first, *rest = result.table.results
    short = dataclasses.replace(first, recorded=first.recorded - 1)
    table = dataclasses.replace(result.table, results=(short, *rest), identical=False)
    worse = dataclasses.replace(result, table=table)
    monkeypatch.setattr(demo, "run_rate_demo", lambda *_: worse)
    assert cli.run(["demo", "--output", str(tmp_path)], "prog") == 1
    text = capsys.readouterr().out
    assert "density_100hz: 1 messages were lost" in text
    assert "the runs at 100 Hz differ" in text
    assert "twice as noisy" not in text


@pytest.mark.parametrize(
    ("package", "module", "what"),
    [
        ("rosbags", "imu_noise_node.bags.writing", "Bag:"),
        ("matplotlib", "imu_noise_node.analysis.plots", "Picture:"),
    ],
)
def test_a_missing_package_costs_only_its_file(
    rerun, monkeypatch, tmp_path, capsys, package, module, what
):
    pytest.importorskip("rosbags", reason="writes a bag; needs rosbags")
    for name in [n for n in sys.modules if n == module or n.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert cli.run(["demo", "--output", str(tmp_path)], "prog") == 0
    (line,) = [s for s in capsys.readouterr().out.splitlines() if s.startswith(what)]
    assert f"the package {package} is not installed" in line
    assert f"pip install {package}" in line
    assert len(list(tmp_path.iterdir())) == 1


def test_without_ros_one_sentence_says_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(_rate_demo.importlib.util, "find_spec", lambda _name: None)
    assert cli.run(["demo", "--output", str(tmp_path / "out")], "prog") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "rclpy is not installed, and needed for the nodes of the demo: source" in error
    assert not (tmp_path / "out").exists()


def test_a_folder_of_somebody_else_is_not_replaced(tmp_path, capsys):
    (tmp_path / "rate_table").mkdir()
    (tmp_path / "rate_table" / "thesis.tex").write_text("mine")
    assert cli.run(["demo", "--output", str(tmp_path)], "prog") == 2
    assert "not a bag of this demo" in capsys.readouterr().err
    assert (tmp_path / "rate_table" / "thesis.tex").read_text() == "mine"


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert cli.run(["demo", "--output", str(tmp_path / "file")], "prog") == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "--output" in error


def test_a_negative_seed_is_one_sentence(capsys):
    assert cli.run(["demo", "--seed", "-1"], "prog") == 2
    assert "--seed = -1" in capsys.readouterr().err


def test_a_node_that_refuses_to_start_is_quoted():
    with pytest.raises(Failed, match=r"^\w+_\d+hz ended with exit code 2: .*seed"):
        run_rate_demo(seed=-7)


def test_silence_is_ended_with_a_sentence(monkeypatch):
    monkeypatch.setattr(_rate_demo, "PATIENCE", 0.0)
    with pytest.raises(Failed, match="the processes do not start"):
        run_rate_demo()


@pytest.mark.parametrize(("number", "to_all"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_an_interrupted_demo_ends_all_its_processes_and_says_nothing(
    start, tmp_path, number, to_all
):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = start(
        *("-m", "imu_noise_node", "demo", "--output", tmp_path / "out"),
        stdout=-1,
        stderr=-1,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    children = _children_when_all_have_started(process)
    # Ctrl-C in a terminal reaches every process of its group, `kill` only the one.
    (os.killpg if to_all else os.kill)(process.pid, number)
    output, error = process.communicate(timeout=20)
    assert process.returncode == cli.INTERRUPTED
    assert output == error == ""
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert list(scratch.iterdir()) == []
    assert list((tmp_path / "out").iterdir()) == []


def test_a_killed_demo_leaves_no_process_behind(start, tmp_path):
    process = start(
        *("-m", "imu_noise_node", "demo", "--output", tmp_path),
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    children = _children_when_all_have_started(process)
    process.kill()
    process.wait()
    _wait(lambda: not [pid for pid in children if Path(f"/proc/{pid}").exists()])


def _children_when_all_have_started(process) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return _wait(lambda: len(p := listed.read_text().split()) == PROCESSES and list(map(int, p)))


def _wait(condition, patience: float = 20.0):
    """Return the first true value of `condition`."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)
    return value
