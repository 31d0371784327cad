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

"""A file is whole, or as before; and nothing else is left beside it."""

from __future__ import annotations

import contextlib
import os
import resource
import stat
from pathlib import Path

import pytest

from imu_noise_node import cli
from imu_noise_node.checkpoint import load, save
from imu_noise_node.errors import InputError
from imu_noise_node.files import replacing


@contextlib.contextmanager
def little_room(most=4000):
    """Let no file grow beyond `most` bytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder):
    """Return what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_takes_the_place(tmp_path):
    path = tmp_path / "a.txt"
    for text in ("one", "two"):
        with replacing(path) as unfinished:
            unfinished.write_text(text)
        assert path.read_text() == text
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_fails_leaves_the_one_before(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("before")

    def fail():
        with replacing(path) as unfinished:
            unfinished.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "before"
    assert names(tmp_path) == ["a.txt"]


def test_a_link_stays_one_and_a_device_too(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("before")
    link.symlink_to(real)
    with replacing(link) as unfinished:
        unfinished.write_text("after")
    assert link.is_symlink()
    assert real.read_text() == "after"
    with replacing(Path("/dev/null")) as device:
        device.write_text("nothing")
    assert Path("/dev/null").is_char_device()


def test_a_checkpoint_on_a_full_disk(tmp_path):
    path = tmp_path / "run.json"
    save(path, {"a": 1})
    with little_room(), pytest.raises(InputError, match="cannot be written: File too large"):
        save(path, {"a": "x" * 5000})
    assert load(path) == {"a": 1}
    with pytest.raises(
        InputError, match=r"/dev/full' *: cannot be written: No space left on device"
    ):
        save(Path("/dev/full"), {"a": 1})
    assert names(tmp_path) == ["run.json"]


def test_a_converted_profile_on_a_full_disk(tmp_path, capsys):
    path = tmp_path / "mine.yaml"
    path.write_text("before")
    with little_room(100):
        code = cli.run(["profile", "convert", "bmi088", "--output", str(path)], "prog")
    assert code == 2
    error = capsys.readouterr().err
    assert error.endswith(f"--output = '{path}': cannot be written: File too large\n")
    assert path.read_text() == "before"
    assert names(tmp_path) == ["mine.yaml"]


def test_a_picture_and_a_bag_on_a_full_disk(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    pytest.importorskip("rosbags")
    import numpy as np

    from imu_noise_node.analysis.channels import Channel
    from imu_noise_node.analysis.drawing import picture
    from imu_noise_node.cli import demo
    from imu_noise_node.cli._rate_files import write_bag

    stamps = np.arange(1, 200, dtype=np.int64)
    channel = Channel(
        "/imu", "sensor_msgs/msg/Imu", stamps, [bytes(324)] * 199, np.zeros((199, 6))
    )

    class Run:
        channels = (channel,)

    def draw(folder, _run):
        with picture(folder / "rates.png", 6.0, 4.0) as figure:
            figure.subplots().plot(np.sin(np.arange(900.0)))
        return folder / "rates.png"

    (tmp_path / "rates.png").write_text("before")
    for write in (draw, write_bag):
        with (
            little_room(),
            pytest.raises(InputError, match=r"--output = .*: cannot be written: File too large"),
        ):
            demo._leave("It", write, tmp_path, Run)
    assert names(tmp_path) == ["rates.png"]
    assert (tmp_path / "rates.png").read_text() == "before"
