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

"""Truth in every form that `simulate` takes, and its way to what an IMU makes of it."""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import math
from functools import cache
from pathlib import Path
from random import Random

import fuzz_corpus
import numpy as np

from imu_noise_node.cli import simulate
from imu_noise_node.cli._simulate_options import read_options
from imu_noise_node.cli._simulate_source import opened
from imu_noise_node.cli._simulate_text import report
from imu_noise_node.simulation.run import measure

STAMPS = [1_700_000_000_000_000_000 + 10_000_000 * k for k in range(12)]


def trajectory(path: Path, random: Random) -> None:
    """Do what `simulate` does with its input, but for writing the samples."""
    arguments = [
        *("--rate", random.choice(("0", "0", "300"))),
        *("--twist-frame", random.choice(("body", "body", "pose", "world"))),
        *("--body-frame", random.choice(("base_link", "base_link", "b"))),
    ]
    parser = argparse.ArgumentParser()
    simulate.add_arguments(parser)
    options = read_options(parser.parse_args([str(path), "--npz", "samples.npz", *arguments]))
    with opened(options) as source:
        tape = options.scene.record(source.stream)
        run = measure(tape, fuzz_corpus.SPEC)
        report(options, source, run)
        assert sum(run.counts.values()) == len(source.stream)
        for found in (run.dt, run.truth, run.values, run.covariance):
            assert np.isfinite(found).all()
        assert all("\n" not in sentence for sentence in (*source.sentences, *tape.warnings))


@cache
def trajectories(folder: Path) -> list[bytes]:
    """Return text of both kinds and, where rosbags is installed, bags; some of them gzipped."""
    rows = [(f"{stamp}", _pose(k)) for k, stamp in enumerate(STAMPS)]
    title = "#timestamp, p_x [m], p_y [m], p_z [m], q_w [], q_x [], q_y [], q_z [], v_x"
    euroc = [f"{t},{x},{y},{z},{qw},{qx},{qy},{qz},1" for t, (x, y, z, qx, qy, qz, qw) in rows]
    tum = [f"{t[:-9]}.{t[-9:]} {' '.join(map(repr, pose))}" for t, pose in rows]
    texts = ["\n".join([title, *euroc]), "\n".join(["# x y z", *tum]), "\n".join(tum[:7])]
    found = [f"{text}\n".encode() for text in texts]
    if importlib.util.find_spec("rosbags"):
        found += _bags(folder)
    return [*found, *(gzip.compress(data) for data in found[1::3])]


def _pose(k: int) -> tuple[float, ...]:
    """Return the place and attitude of a body that swings and turns."""
    t = 0.01 * k
    return (math.sin(t), 0.5 * t, 0.0, 0.0, 0.0, math.sin(0.3 * t), math.cos(0.3 * t))


def _bags(folder: Path) -> list[bytes]:
    """Return a bag of each kind, and in it each kind of message."""
    import made_bags as made

    steps = list(enumerate(STAMPS))
    odometry = [
        (t, "/odom", "nav_msgs/msg/Odometry", made.odometry(t, 0.01 * k, velocity=1.0))
        for k, t in steps
    ]
    poses = [
        (t, "/pose", "geometry_msgs/msg/PoseStamped", made.pose(t, 0.01 * k)) for k, t in steps
    ]
    readings = [
        (t, "/imu", "sensor_msgs/msg/Imu", made.imu(t, (0.1, 0.2, 0.3), (0.0, 0.0, 9.8), k < 6))
        for k, t in steps
    ]
    frames = [
        (STAMPS[0], "/tf_static", made.TF, made.tf(made.transform(1, "base_link", "b", 1.0)))
    ]
    frames += [
        (t, "/tf", made.TF, made.tf(made.transform(t, "odom", "base_link", 0.01 * k)))
        for k, t in steps
    ]
    old = [
        (t, "/odom", "nav_msgs/msg/Odometry", made.odometry(t, 0.01 * k, made.ROS1, 1.0))
        for k, t in steps
    ]
    paths = [made.write_ros1(folder / "truth.bag", old)]
    for name, messages in (("o", odometry), ("p", poses), ("i", readings), ("f", frames)):
        plugin = made.StoragePlugin.SQLITE3 if name == "p" else made.StoragePlugin.MCAP
        made.write_ros2(folder / f"truth-{name}", messages, plugin)
        paths += (folder / f"truth-{name}").glob("*.[md][cb]*")
    return [path.read_bytes() for path in paths]
