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

"""A spline through poses: right between them, with a twist that is its own derivative."""

import csv
import gzip

import numpy as np
import pytest

pytest.importorskip("scipy", reason="splines need SciPy")

from scipy.spatial.transform import Rotation

from imu_noise_node import InputError
from imu_noise_node.motion.intervals import TimePolicy, Verdict
from imu_noise_node.simulation.resampling import resampled
from imu_noise_node.simulation.run import simulate
from imu_noise_node.simulation.trajectory import Trajectory
from imu_noise_node.simulation.trajectory_files import read_trajectory

SECOND = 1_000_000_000
START = 1_403_715_273_262_142_976


def wobble(times):
    """Return position, velocity, attitude and body rate of a smooth motion."""
    t = np.asarray(times)[:, None]
    size, frequency, phase = np.array([[1.0, 0.7, 0.4], [4.0, 3.0, 5.0], [0.0, 1.0, 2.0]])
    position = size * np.sin(frequency * t + phase)
    velocity = size * frequency * np.cos(frequency * t + phase)
    half = 1e-4
    attitude, before, after = (
        Rotation.from_euler("ZYX", np.hstack([s, 0.3 * np.sin(2.0 * s), 0.2 * np.cos(3.0 * s)]))
        for s in (t, t - half, t + half)
    )
    rate = (before.inv() * after).as_rotvec() / (2.0 * half)
    return position, velocity, attitude, rate


def at(rate, seconds):
    count = round(rate * seconds) + 1
    times = np.arange(count) / rate
    position, _, attitude, _ = wobble(times)
    stamps = START + np.rint(times * SECOND).astype(np.int64)
    return Trajectory("wobble", stamps, position, attitude.as_quat())


def inner(found, seconds):
    """Return the times [s], and where they are a second away from both ends."""
    times = (found.stamps - START) / SECOND
    return times, (times > 1.0) & (times < seconds - 1.0)


def test_a_path_between_poses_is_right_and_so_is_its_twist():
    found = resampled(at(20.0, 20.0), TimePolicy(rate=400.0)).trajectory
    assert (np.diff(found.stamps) == 2_500_000).all()
    assert len(found.stamps) == 8001
    times, middle = inner(found, 20.0)
    position, velocity, attitude, rate = wobble(times)
    turned = (Rotation.from_quat(found.orientation).inv() * attitude).as_rotvec()
    # Quintic: h^6 of the position, h^5 of the velocity; cubic: h^4 and h^3, h = 0.05 s.
    assert np.abs(found.position - position)[middle].max() < 1e-6
    assert np.abs(found.velocity - velocity)[middle].max() < 5e-5
    assert np.abs(turned)[middle].max() < 2e-5
    assert np.abs(found.angular_velocity - rate)[middle].max() < 2e-3


def test_the_specific_force_between_poses_is_that_of_the_motion():
    """The same motion at its own 400 Hz, against 20 Hz and a spline."""
    run = simulate(resampled(at(20.0, 20.0), TimePolicy(rate=400.0)).trajectory)
    times = np.arange(8001) / 400.0
    position, velocity, attitude, rate = wobble(times)
    stamps = START + np.rint(times * SECOND).astype(np.int64)
    own = simulate(Trajectory("", stamps, position, attitude.as_quat(), velocity, rate))
    assert np.array_equal(run.stamps, own.stamps)
    middle = slice(400, -400)
    error = np.abs(run.values - own.values)[middle]
    # 16 m/s^2 at 4 rad/s; what a cubic spline in position would leave is 0.05.
    assert error[:, 3:6].max() < 2e-3
    assert error[:, 0:3].max() < 2e-3


def test_pose_and_twist_tell_one_story():
    found = resampled(at(20.0, 10.0), TimePolicy(rate=2000.0)).trajectory
    dt = np.diff(found.stamps)[:, None] / SECOND
    moved = np.diff(found.position, axis=0) / dt
    mean = 0.5 * (found.velocity[1:] + found.velocity[:-1])
    assert np.abs(moved - mean).max() < 1e-5
    attitude = Rotation.from_quat(found.orientation)
    turned = (attitude[:-1].inv() * attitude[1:]).as_rotvec() / dt
    between = 0.5 * (found.angular_velocity[1:] + found.angular_velocity[:-1])
    assert np.abs(turned - between).max() < 1e-4


def test_poses_that_are_fast_enough_stay_and_get_a_twist():
    given = at(100.0, 5.0)
    found = resampled(given, TimePolicy(rate=50.0))
    assert np.array_equal(found.trajectory.stamps, given.stamps)
    assert np.array_equal(found.trajectory.position, given.position)
    assert np.array_equal(found.trajectory.orientation, given.orientation)
    _, velocity, _, rate = wobble(np.arange(501) / 100.0)
    assert np.abs(found.trajectory.velocity - velocity)[50:-50].max() < 1e-6
    assert np.abs(found.trajectory.angular_velocity - rate)[50:-50].max() < 1e-4
    (sentence,) = found.sentences
    assert sentence.startswith("velocity and rate are the derivatives of a spline")


def test_what_has_a_twist_and_is_fast_enough_is_left_alone():
    given = resampled(at(100.0, 5.0), TimePolicy()).trajectory
    again = resampled(given, TimePolicy(rate=100.0))
    assert again.trajectory is given
    assert again.sentences == ()


def test_no_path_is_laid_across_a_gap():
    whole = at(20.0, 10.0)
    keep = np.ones(len(whole.stamps), dtype=bool)
    keep[60:100] = False
    keep[70:73] = True
    parts = Trajectory("", whole.stamps[keep], whole.position[keep], whole.orientation[keep])
    found = resampled(parts, TimePolicy(rate=200.0))
    steps = np.diff(found.trajectory.stamps)
    assert sorted(set(steps.tolist())) == [5_000_000, 2_050_000_000]
    assert "from 20 to 200 Hz" in found.sentences[0]
    assert found.sentences[1] == "2 splines, none across a gap"
    assert found.sentences[2].startswith("3 poses left out between gaps")
    assert simulate(found.trajectory).counts[Verdict.GAP] == 1


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (TimePolicy(max_gap=0.01, rate=100.0), "needs 6 poses or more"),
        (TimePolicy(rate=1e9), "must be at most 20000 Hz"),
    ],
)
def test_what_cannot_be_resampled_is_refused(policy, words):
    with pytest.raises(InputError, match=words):
        resampled(at(20.0, 2.0), policy)


@pytest.mark.parametrize("rate", [0.0, 300.0])
def test_poses_so_far_apart_that_numbers_end_are_refused(rate):
    poses = at(20.0, 2.0)
    poses.position[11, 1] = 1e308
    with pytest.raises(InputError, match=r"too far apart, up to 1e\+308 m away, for a spline"):
        resampled(poses, TimePolicy(rate=rate))


def test_a_real_imu_reads_what_the_spline_through_its_ground_truth_feels(shared_data):
    """EuRoC V1_01: readings of its IMU, less the biases of the ground truth.

    Means over half a second, between which its vibration (1 m/s^2) and its noise average out; the
    motion is 0.3 rad/s and 1 m/s^2. A wrong sign or order of anything misses by as much.
    """
    folder = shared_data / "recordings"
    truth, readings = (
        folder / name
        for name in ("euroc_V1_01_groundtruth_openvins.csv.gz", "euroc_V1_01_imu0_data.csv.gz")
    )
    if not (truth.exists() and readings.exists()):
        pytest.skip("no EuRoC recording")
    found = resampled(read_trajectory(truth), TimePolicy(rate=200.0)).trajectory
    run = simulate(found, gravity=9.81)
    with gzip.open(readings, "rt") as lines:
        rows = [row for row in csv.reader(lines) if not row[0].startswith("#")]
    with gzip.open(truth, "rt") as lines:
        facts = np.array([row[11:17] for row in csv.reader(lines) if row[0][0] != "#"], float)
    stamps = np.array([int(row[0]) for row in rows])
    values = np.array([row[1:7] for row in rows], dtype=float)
    place = np.searchsorted(run.stamps, stamps)
    inside = (place > 400) & (place < len(run.stamps) - 400)
    values, place = values[inside] - facts.mean(axis=0), place[inside]
    whole = len(values) // 100 * 100
    ours = run.values[place[:whole]].reshape(-1, 100, 6).mean(axis=1)
    theirs = values[:whole].reshape(-1, 100, 6).mean(axis=1)
    error = np.sqrt(((ours - theirs) ** 2).mean(axis=0))
    assert error[0:3].max() < 0.004
    assert error[3:6].max() < 0.08
