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

"""A quadratic through a window of poses: what it follows, does to noise, and counts."""

import math

import numpy as np
import pytest

from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import conjugate, exponential, logarithm, product, rotate
from imu_noise_node.motion.smoothing import PoseWindow
from imu_noise_node.samples import Truth

MS = 1_000_000
START = 1_000_000_000_000
DT = 10 * MS


def pose(stamp, position, orientation=(0.0, 0.0, 0.0, 1.0)):
    return Truth(stamp, tuple(map(float, position)), tuple(orientation))


def fitted(poses, size, policy=None):
    window = PoseWindow(size, policy or TimePolicy())
    return [f for p in poses if (f := window.add(p)) is not None], window


def test_constant_acceleration_and_rate_are_followed_exactly_at_any_intervals():
    """From there the pose, its velocity in body axes and its rate are those of the motion."""
    rng = np.random.default_rng(1)
    stamps = START + np.cumsum(rng.integers(5 * MS, 15 * MS, 60))
    p0, v0, a = np.array([1e4, -2.0, 3.0]), np.array([1.0, 2.0, -3.0]), np.array([0.5, -4.0, 2.0])
    w = (0.3, -1.2, 2.0)

    def motion(stamp):
        t = (stamp - START) / 1e9
        turned = exponential(tuple(x * t for x in w))
        # q and -q are one attitude.
        sign = 1.0 if stamp % 2 else -1.0
        return p0 + v0 * t + a * t * t / 2, tuple(sign * c for c in turned), v0 + a * t

    found, _ = fitted([pose(s, *motion(s)[:2]) for s in stamps.tolist()], 7)
    assert [f.stamp for f in found] == stamps[3:-3].tolist()
    for f in found:
        place, q, velocity = motion(f.stamp)
        np.testing.assert_allclose(f.position, place, rtol=0, atol=1e-11)
        apart = logarithm(product(conjugate(q), f.orientation))
        np.testing.assert_allclose(apart, 0.0, atol=1e-13)
        np.testing.assert_allclose(rotate(f.orientation, f.velocity), velocity, rtol=0, atol=1e-9)
        np.testing.assert_allclose(f.angular_velocity, w, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [3, 5, 11, 21])
def test_noise_of_the_poses_reaches_the_acceleration_as_the_formula_says(size):
    """White noise of the positions and attitudes of a body at rest, through the kinematics.

    A difference of neighbouring slopes has, for m = (size - 1)/2, 2 m weights of c and two of m c,
    c = 12/(W (W^2 - 1)). Samples further apart than the window are independent: 3 axes x 400 of
    them, the bounds are six sigma of a variance, 1 +- 6 sqrt(2/1200); a false alarm in 5e8.
    """
    sigma, count = 1e-3, 400
    rng = np.random.default_rng(size)
    poses = [
        pose(START + k * DT, sigma * rng.standard_normal(3))
        for k in range((size + 1) * (count + 1) + size)
    ]
    found, _ = fitted(poses, size)
    kinematics = PoseKinematics(Mount(), 0.0, "body", 0.5, lambda _sentence: None)
    stations = [kinematics.locate(f) for f in found]
    kinematics.begin(stations[0])
    forces = np.array([kinematics.advance(s).specific_force for s in stations[1:]])
    independent = forces[:: size + 1][:count]
    dt = DT / 1e9
    gain = 12.0 / (size * (size**2 - 1)) * math.sqrt(size - 1 + (size - 1) ** 2 / 2)
    ratio = np.mean(independent**2) / (gain * sigma / dt**2) ** 2
    assert abs(ratio - 1.0) < 6.0 * math.sqrt(2.0 / (3 * count))


def test_attitudes_are_smoothed_too():
    """The rate of a slope: sigma_phi/dt sqrt(12/(W (W^2 - 1))); bounds as above."""
    size, sigma, count = 11, 1e-4, 400
    rng = np.random.default_rng(5)
    turns = sigma * rng.standard_normal((size * count, 3))
    poses = [
        pose(START + k * DT, (0, 0, 0), exponential(tuple(t)))
        for k, t in enumerate(turns.tolist())
    ]
    found, _ = fitted(poses, size)
    rates = np.array([f.angular_velocity for f in found])[::size]
    expected = sigma / (DT / 1e9) * math.sqrt(12.0 / (size * (size**2 - 1)))
    ratio = np.mean(rates**2) / expected**2
    assert abs(ratio - 1.0) < 6.0 * math.sqrt(2.0 / rates.size)


def line(*ks, x=0.0):
    return [pose(START + k * DT, (x + 0.01 * k, 0.0, 0.0)) for k in ks]


def adds_up(poses, found, window):
    return len(poses) == len(found) + window.waiting + window.ends


def test_a_window_tells_the_pose_in_its_middle():
    poses = line(*range(9))
    found, window = fitted(poses, 5)
    assert [f.stamp for f in found] == [p.stamp for p in poses[2:7]]
    assert (window.waiting, window.ends) == (2, 2)


def test_until_it_is_full_all_wait():
    found, window = fitted(line(*range(4)), 5)
    assert (found, window.waiting, window.ends, window.is_filling) == ([], 4, 0, True)


@pytest.mark.parametrize(
    ("after", "policy"),
    [
        pytest.param(line(*range(110, 120)), TimePolicy(), id="gap"),
        pytest.param(line(*range(10, 20), x=1.0), TimePolicy(), id="teleport"),
        pytest.param(line(*range(16, 26)), TimePolicy(max_gap=0.05), id="shorter gap"),
        pytest.param(
            line(*range(10, 20), x=0.1), TimePolicy(teleport_distance=0.05), id="shorter jump"
        ),
    ],
)
def test_no_fit_goes_across_a_gap_or_a_jump(after, policy):
    poses = [*line(*range(10)), *after]
    found, window = fitted(poses, 5, policy)
    assert [f.stamp for f in found] == [p.stamp for p in (*poses[2:8], *poses[12:18])]
    # The two at each end of each stretch, of which the last ones may still have their turn.
    assert (window.waiting, window.ends) == (2, 6)
    for f in found:
        np.testing.assert_allclose(f.velocity, (1.0, 0.0, 0.0), rtol=0, atol=1e-12)


def test_a_steady_velocity_is_no_jump():
    poses = [pose(START + k * DT, (20.0 * k, 0.0, 0.0)) for k in range(10)]
    found, window = fitted(poses, 5, TimePolicy(teleport_distance=30.0))
    assert len(found) == 6
    assert adds_up(poses, found, window)


def test_after_forgetting_the_window_fills_again():
    window = PoseWindow(5, TimePolicy())
    for p in line(*range(7)):
        window.add(p)
    window.forget()
    assert (window.waiting, window.ends) == (0, 4)
    # An earlier time, as after a jump of the clock.
    assert [window.add(p) is None for p in line(*range(5))] == [True] * 4 + [False]


@pytest.mark.parametrize(
    "bad",
    [
        pose(START + 50 * MS, (math.nan, 0.0, 0.0)),
        pose(START + 50 * MS, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.5)),
        Truth(START + 50 * MS, None, (0.0, 0.0, 0.0, 1.0)),
        Truth(START + 50 * MS, (0.0, 0.0, 0.0), None),
    ],
)
def test_what_is_no_pose_goes_on_to_be_counted_and_leaves_no_trace(bad):
    poses = line(0, 1, 2, 3, 4)
    window = PoseWindow(5, TimePolicy())
    assert all(window.add(p) is None for p in poses[:4])
    assert window.add(bad) is bad
    assert window.add(poses[4]).stamp == poses[2].stamp
    assert (window.waiting, window.ends) == (2, 2)
