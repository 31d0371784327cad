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

"""`simulate` from end to end: recordings in, bags and arrays out, and what it says."""

import gzip
import importlib
import itertools
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from imu_noise_node import ImuModel, Truth, cli, load_profile
from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline

pytest.importorskip("rosbags", reason="reads and writes bags; needs rosbags")
pytest.importorskip("scipy", reason="splines need SciPy")

sys.path.append(str(Path(__file__).parents[1] / "bags"))

from made_bags import CUSTOM, SECOND, odometry, pose, wheels, write_ros2
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore

TYPES = get_typestore(Stores.ROS2_JAZZY)
ODOMETRY = "nav_msgs/msg/Odometry"
STEP = 20_000_000
"""[ns]"""


@pytest.fixture
def tool(capsys):
    """Return a function that runs `simulate` and returns code, output and error output."""

    def tool(*arguments):
        code = cli.run(["simulate", *map(str, arguments)], "prog")
        return code, *capsys.readouterr()

    return tool


@pytest.fixture
def recording(shared_data):
    def recording(name):
        path = shared_data / "recordings" / name
        if not path.exists():
            pytest.skip(f"no {name}")
        return path

    return recording


@pytest.fixture
def small(tmp_path):
    """A bag of a body that moves at 1 m/s for two seconds, at 50 Hz."""
    rows = [
        (
            7 * SECOND + k,
            "/odom",
            ODOMETRY,
            odometry(SECOND + k * 20_000_000, 0.02 * k, velocity=1),
        )
        for k in range(100)
    ]
    return write_ros2(tmp_path / "small", rows)


def topic(path, name):
    """Return time of recording and message of a topic."""
    with AnyReader([path]) as bag:
        chosen = [c for c in bag.connections if c.topic == name]
        return [(t, bag.deserialize(data, c.msgtype)) for c, t, data in bag.messages(chosen)]


def stamp(message):
    return message.header.stamp.sec * SECOND + message.header.stamp.nanosec


def xyz(v):
    return (v.x, v.y, v.z)


def imu_values(message):
    return [*xyz(message.angular_velocity), *xyz(message.linear_acceleration)]


def piped(messages, profile, seed, mount=None, frame="body", **policy):
    """What the node's pipeline makes of odometry, message by message."""
    limits = TimePolicy(**policy)
    kinematics = PoseKinematics(
        mount or Mount(), 9.80665, frame, limits.teleport_distance, lambda _: None
    )
    pipeline = Pipeline(limits, kinematics, ImuModel(load_profile(profile), seed), print)
    for time, m in messages:
        q, p, twist = m.pose.pose.orientation, m.pose.pose.position, m.twist.twist
        truth = Truth(
            stamp(m), xyz(p), (q.x, q.y, q.z, q.w), xyz(twist.linear), xyz(twist.angular)
        )
        sample = pipeline.feed(truth)
        if sample is not None:
            yield time, sample


def assert_piped(bag, source, truth_topic, *arguments, imu="/imu/data_raw", **options):
    """Fail unless the Imu messages are the pipeline's samples, to the bit."""
    found = topic(bag, imu)
    expected = list(piped(topic(source, truth_topic), *arguments, **options))
    assert [t for t, _ in found] == [t for t, _ in expected]
    assert [stamp(m) for _, m in found] == [s.stamp for _, s in expected]
    samples = [s.measurement for _, s in expected]
    assert np.array_equal([imu_values(m) for _, m in found], [m.values for m in samples])
    covariances = np.array([m.covariance for m in samples])
    rates = [m.angular_velocity_covariance.reshape(3, 3) for _, m in found]
    forces = [m.linear_acceleration_covariance.reshape(3, 3) for _, m in found]
    assert np.array_equal(rates, covariances[:, 0:3, 0:3])
    assert np.array_equal(forces, covariances[:, 3:6, 3:6])
    assert all(m.orientation_covariance[0] == -1.0 for _, m in found)
    assert {m.header.frame_id for _, m in found} == {"imu_link"}


def test_a_turtlebots_bag_gets_the_pipelines_samples_and_keeps_the_rest(tool, recording, tmp_path):
    source = recording("nav2_turtlebot.mcap")
    code, out, err = tool(source, "--output", tmp_path / "out", "--profile", "bmi088", "--seed", 3)
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == f"Truth {source} /odom ({ODOMETRY}, 2639), 27.78 Hz"
    assert lines[1] == "Sensor bmi088, seed 3"
    assert lines[3:7] == ["messages in 2639", "samples 2637", "baseline 1", "gap 1"]
    assert lines[9] == "gyroscope 1.324e-03 1.324e-03 1.324e-03 rad/s"
    assert lines[-1] == f"Bag {tmp_path / 'out'}"
    assert_piped(tmp_path / "out", source, "/odom", "bmi088", 3)
    with AnyReader([source]) as bag, AnyReader([tmp_path / "out"]) as copy:
        before = [(c.topic, t, bytes(data)) for c, t, data in bag.messages()]
        after = [(c.topic, t, bytes(data)) for c, t, data in copy.messages()]
    assert [m for m in after if m[0] != "/imu/data_raw"] == before


def test_rate_mount_and_topics_are_as_asked(tool, recording, tmp_path):
    source = recording("nav2_turtlebot.mcap")
    out = tmp_path / "out"
    options = ["--rate", "10", "--mount", "0.1", "-0.2", "0.3", "0", "0", "90 deg"]
    options[-1] = "1.5"
    code, text, _ = tool(
        source, "--output", out, "--profile", "consumer", *options, "--imu-topic", "front/imu"
    )
    assert code == 0
    assert "between captures" in text
    mount = Mount((0.1, -0.2, 0.3), (0.0, 0.0, 1.5))
    assert_piped(out, source, "/odom", "consumer", 0, mount, imu="/front/imu", rate=10.0)


def test_of_a_ros_1_bag_comes_one_of_ros_2_and_it_is_said(tool, recording, tmp_path):
    source = recording("robot_localization_test2_jackal_sim.bag")
    code, text, _ = tool(source, "--output", tmp_path / "out", "--profile", "bmi088")
    assert code == 0
    assert "the bag is of ROS 1; its copy is one of ROS 2" in text
    name = "/jackal_velocity_controller/odom"
    assert_piped(tmp_path / "out", source, name, "bmi088", 0)
    assert len(topic(tmp_path / "out", "/imu/data")) == 3061


def test_a_twist_in_the_world_frame_is_pointed_out_and_can_be_told(tool, recording, tmp_path):
    """The drone's poses and twists, joined to odometry as it would be published."""
    packed = recording("rotors_waypoint_example.bag.gz")
    (tmp_path / "r.bag").write_bytes(gzip.decompress(packed.read_bytes()))
    twists = {stamp(m): m.twist for _, m in topic(tmp_path / "r.bag", "/ground_truth/twist")}
    rows = []
    for time, m in topic(tmp_path / "r.bag", "/ground_truth/pose")[2000:5000]:
        joined = odometry(stamp(m))
        joined.pose.pose = _same(m.pose)
        joined.twist.twist = _same(twists[stamp(m)])
        rows.append((time, "/odom", ODOMETRY, joined))
    source = write_ros2(tmp_path / "drone", rows)
    code, text, _ = tool(source, "--npz", tmp_path / "body.npz")
    assert code == 0
    assert "set twist_frame to 'world' (now 'body')" in text
    code, text, _ = tool(source, "--twist-frame", "world", "--npz", tmp_path / "world.npz")
    assert (code, "twist_frame" in text) == (0, False)
    code, text, _ = tool(source, "--twist-frame", "pose", "--npz", tmp_path / "pose.npz")
    force = {
        name: np.load(tmp_path / f"{name}.npz")["truth"][:, 3:6]
        for name in ("body", "world", "pose")
    }
    # Of the positions alone half an interval late, which is 1e-3 m/s^2 here.
    assert np.sqrt(np.mean((force["world"][1:] - force["pose"]) ** 2)) < 0.05
    assert np.sqrt(np.mean((force["body"][1:] - force["pose"]) ** 2)) > 0.05


def _same(message):
    """The same message of the types that bags are written with."""
    kind = TYPES.types[message.__msgtype__]
    values = {name: getattr(message, name) for name in kind.__dataclass_fields__}
    del values["__msgtype__"]
    return kind(**{n: _same(v) if hasattr(v, "__msgtype__") else v for n, v in values.items()})


def test_a_euroc_trajectory_becomes_a_bag_that_gives_the_same_again(tool, recording, tmp_path):
    packed = recording("euroc_V1_01_groundtruth_openvins.csv.gz")
    source = tmp_path / "part.csv"
    with gzip.open(packed, "rt") as lines:
        source.write_text("".join(itertools.islice(lines, 401)))
    arguments = ("--profile", "euroc", "--seed", 4)
    code, text, _ = tool(source, "--output", tmp_path / "bag", "--rate", 100, *arguments)
    assert code == 0
    assert "resampled from 20 to 100 Hz by a spline" in text
    assert len(topic(tmp_path / "bag", "/odom")) == 1995
    # What the node would make of the odometry, through which the truth went as a message.
    assert_piped(tmp_path / "bag", tmp_path / "bag", "/odom", "euroc", 4)


def test_a_tum_trajectory_at_its_own_rate_says_where_its_twist_is_from(tool, tmp_path):
    lines = [f"{1 + 0.01 * k:.6f} {0.5 * (0.01 * k) ** 2:.9f} 0 0 0 0 0 1" for k in range(200)]
    (tmp_path / "tum.txt").write_text("\n".join(lines))
    code, text, _ = tool(tmp_path / "tum.txt", "--npz", tmp_path / "a.npz")
    assert code == 0
    assert "velocity and rate are the derivatives of a spline" in text
    truth = np.load(tmp_path / "a.npz")["truth"]
    assert truth.shape == (199, 6)
    np.testing.assert_allclose(truth, np.tile([0, 0, 0, 1.0, 0, 9.80665], (199, 1)), atol=1e-3)


def test_many_runs_are_the_single_ones_of_their_seeds(tool, small, tmp_path):
    arguments = ("--profile", "bmi088", "--orientation", "noisy", "--orientation-stddev", "0.1")
    many = (*arguments, "--seed", 8, "--runs", 3)
    code, text, _ = tool(small, "--output", tmp_path / "m", "--npz", tmp_path / "m.npz", *many)
    assert code == 0
    assert "seeds 8 to 10" in text
    arrays = np.load(tmp_path / "m.npz")
    assert arrays["seeds"].tolist() == [8, 9, 10]
    assert arrays["values"].shape == arrays["bias"].shape == (3, 99, 6)
    assert arrays["sigma"].shape == arrays["truth"].shape == (99, 6)
    assert arrays["orientation"].shape == (99, 4)
    assert arrays["dt"] == pytest.approx(np.full(99, 0.02))
    for k, seed in enumerate((8, 9, 10)):
        single = tmp_path / f"single_{seed}"
        assert tool(small, "--output", single, *arguments, "--seed", seed)[0] == 0
        one, other = (
            topic(path, "/imu/data_raw") for path in (single, tmp_path / "m" / f"seed_{seed}")
        )
        assert np.array_equal([imu_values(m) for _, m in one], arrays["values"][k])
        assert [(t, str(m)) for t, m in one] == [(t, str(m)) for t, m in other]
        assert [stamp(m) for _, m in one] == arrays["stamps"].tolist()


def test_a_seed_of_minus_one_is_drawn_and_printed(tool, small, tmp_path):
    code, text, _ = tool(small, "--npz", tmp_path / "a.npz", "--seed", "-1", "--runs", 2)
    assert code == 0
    first, last = np.load(tmp_path / "a.npz")["seeds"]
    assert first >= 0
    assert f"seeds {first} to {last}" in text


@pytest.mark.parametrize(("option", "each"), [("--output", 300), ("--npz", 192)])
def test_more_than_the_disk_has_room_for_is_refused(
    tool, small, tmp_path, monkeypatch, option, each
):
    needed = 3 * 99 * each
    arguments = (small, option, tmp_path / "o", "--runs", 3)
    free = needed - 1
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    code, out, err = tool(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "GB or more, and" in err
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
    free = needed
    assert tool(*arguments)[0] == 0


def test_a_twist_frame_of_a_truth_without_a_twist_is_pointed_out(tool, tmp_path):
    rows = [
        (k, "/pose", "geometry_msgs/msg/PoseStamped", pose(SECOND + k * STEP, 0.0))
        for k in range(100)
    ]
    bag, words = write_ros2(tmp_path / "poses", rows), "--twist-frame has no effect"
    _, text, _ = tool(bag, "--npz", tmp_path / "a.npz", "--twist-frame", "world")
    assert words in text
    assert words not in tool(bag, "--npz", tmp_path / "b.npz")[1]


def test_a_scheduler_that_does_not_answer_is_refused_before_the_work(
    tool, small, tmp_path, monkeypatch
):
    pytest.importorskip("distributed", reason="needs Dask distributed")
    cluster = importlib.import_module("imu_noise_node.simulation.cluster")
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    where = ("--scheduler", "tcp://127.0.0.1:9")
    code, out, err = tool(small, "--npz", tmp_path / "a.npz", *where)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "scheduler = 'tcp://127.0.0.1:9': failed: Timed out" in err


def test_orientation_is_told_as_the_node_tells_it(tool, small, tmp_path):
    options = ("--orientation", "truth", "--orientation-stddev", "1 deg", "--frame-id", "imu")
    assert tool(small, "--output", tmp_path / "out", *options)[0] == 0
    for _, message in topic(tmp_path / "out", "/imu/data_raw"):
        q = message.orientation
        assert (q.x, q.y, q.z, q.w) == (0.0, 0.0, 0.0, 1.0)
        expected = np.diag(np.full(3, np.radians(1.0) ** 2))
        np.testing.assert_allclose(message.orientation_covariance.reshape(3, 3), expected)
        assert message.header.frame_id == "imu"


def test_a_faster_rate_than_a_bags_takes_every_message_and_says_so(tool, small, tmp_path):
    code, text, _ = tool(small, "--npz", tmp_path / "a.npz", "--rate", 400)
    assert code == 0
    assert "the truth comes at 50 Hz, and what is recorded is not resampled" in text
    assert np.load(tmp_path / "a.npz")["values"].shape == (1, 99, 6)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "--output = None: must be given, or --npz"),
        (["--output", "o", "--runs", "0"], "--runs = 0: must be a whole number from 1"),
        (["--output", "o", "--runs", "few"], "--runs = 'few': must be a whole number"),
        (["--output", "o", "--seed", "-2"], "--seed = -2: must be a whole number from -1"),
        (["--output", "o", "--seed", f"{2**63 - 1}", "--runs", "2"], "must keep the last seed at"),
        (["--output", "o", "--rate", "fast"], "--rate = 'fast': must be a finite number"),
        (["--output", "o", "--max-gap", "-1"], "--max-gap = '-1': must be a finite number"),
        (
            ["--output", "o", "--min-interval", "1"],
            "--min-interval = 1.0: must be below --max-gap",
        ),
        (["--output", "o", "--mount", "1", "2"], "--mount = '1 2': must be x y z"),
        (["--output", "o", "--mount", "1", "2", "z"], "--mount = ['1', '2', 'z']: must be 3"),
        (["--output", "o", "--profile", "bmi08"], "did you mean 'bmi088'?"),
        (["--output", "o", "--topic", "/x"], "is not in"),
        (["--output", "o", "--topic", ""], "must be the name of a topic"),
        (["--output", "o", "--imu-topic", "odom"], "--imu-topic = '/odom': is in"),
        (["--output", "o", "--scheduler", "disk"], "--scheduler = 'disk': must be serial, dask"),
        (["--output", "o", "--twist-frame", "b"], "--twist-frame = 'b': must be one of body"),
        (["--output", "o", "--orientation", "noisy"], "must be above 0 [rad]"),
        (["--output", "o", "--gravity-included", "1"], "must be true or false"),
        (["--output", "o", "--npz", "o"], "must be another name"),
        (["--output", "o.mcap"], "is a folder's name"),
        (["--output", "no/o"], "its folder does not exist"),
        (["--output", "small/o"], "must not be inside the input"),
        (["--npz", "small"], "exists already; nothing is overwritten"),
        (["--output", "o", "--max-gap", "1 ms"], "comes to no sample: baseline 1, gap 99"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_nothing_is_left(
    tool, small, tmp_path, monkeypatch, options, words
):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    code, out, err = tool("small", *options)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_inputs_that_are_none_are_one_sentence(tool, small, tmp_path):
    (file,) = small.glob("*.mcap")
    (tmp_path / "cut.mcap").write_bytes(file.read_bytes()[:3000])
    (tmp_path / "empty.mcap").write_bytes(b"")
    (tmp_path / "text.csv").write_text("1,2,3\n")
    (tmp_path / "folder").mkdir()
    write_ros2(tmp_path / "bare", [])
    for name, words in {
        "none.mcap": "does not exist",
        "cut.mcap": "is truncated",
        "empty.mcap": "is empty",
        "text.csv": "line 1 = '1,2,3': has 3 columns",
        "folder": "is no bag",
        "bare": "has no messages",
    }.items():
        code, out, err = tool(tmp_path / name, "--output", tmp_path / "o")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
        assert not (tmp_path / "o").exists()
        assert not list(tmp_path.glob(".unfinished*"))


def test_a_bag_that_turns_out_damaged_leaves_nothing(tool, tmp_path):
    """The truth is whole, but not the chunk with the other topic."""
    rows = [(k, "/odom", ODOMETRY, odometry(SECOND + k * 20_000_000)) for k in range(2000)]
    bag = write_ros2(tmp_path / "bad", [*rows, (2000, "/wheels", CUSTOM, wheels(1.0, "z" * 99))])
    (file,) = bag.glob("*.mcap")
    content = bytearray(file.read_bytes())
    # In front of the text: its length, two numbers and what says that it is CDR; then what every
    # record of a message begins with, and the length of the record.
    place = content.index(b"z" * 99) - 4 - 16 - 4 - 22 - 8
    content[place : place + 8] = (2**40).to_bytes(8, "little")
    file.write_bytes(content)
    code, _, err = tool(bag, "--output", tmp_path / "o")
    assert code == 2
    assert "is damaged: Truncated record" in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["bad"]


def test_a_disk_that_is_full_leaves_nothing(tool, small, tmp_path, monkeypatch):
    from imu_noise_node.bags import copying

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(copying.Writer, "write", full)
    code, _, err = tool(small, "--output", tmp_path / "o")
    assert code == 2
    assert "--output" in err
    assert "cannot be written: No space left on device" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small"]
