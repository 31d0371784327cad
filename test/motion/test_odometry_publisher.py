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

"""The odometry of Gazebo's OdometryPublisher: why gazebo.launch.py leaves its twist alone.

The plugin takes the differences of two poses a step apart, in the axes of the body, and publishes
the mean of the last ten of them, which after the start begin at the origin of the world.
"""

from collections import deque

import numpy as np
import pytest

from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.samples import Truth

STEP = 1e-3
G = 9.80665
Rotation = pytest.importorskip("scipy.spatial.transform").Rotation


def pose(t):
    angles = [0.8 * t + 0.3 * np.sin(1.7 * t), 0.15 * np.sin(2.3 * t + 1), 0.2 * np.sin(3 * t)]
    place = [2 * np.sin(0.9 * t), 1.5 * np.sin(1.3 * t), 1 + 0.3 * np.sin(2.1 * t)]
    return np.array(place), Rotation.from_euler("ZYX", angles)


def force(t, h=1e-4):
    (before, _), (now, attitude), (after, _) = pose(t - h), pose(t), pose(t + h)
    return attitude.inv().apply((after - 2 * now + before) / h**2 + [0.0, 0.0, G])


def odometry(duration, steps):
    """Messages of the plugin, one for so many steps of the physics."""
    place, attitude = np.zeros(3), Rotation.identity()
    velocities, rates = deque(maxlen=10), deque(maxlen=10)
    for k in range(1, round(duration / STEP)):
        old_place, old_attitude = place, attitude
        place, attitude = pose(k * STEP)
        back = attitude.inv()
        velocities.append(back.apply(place - old_place) / STEP)
        rates.append(back.apply((attitude * old_attitude.inv()).as_rotvec()) / STEP)
        if k % steps == 0:
            yield Truth(
                stamp=k * 1_000_000,
                position=tuple(place),
                orientation=tuple(attitude.as_quat()),
                velocity=tuple(np.mean(velocities, axis=0)),
                angular_velocity=tuple(np.mean(rates, axis=0)),
            )


def motions(twist_frame, steps, duration=2.0):
    """Time at the start of each interval [s], and the motion over it; no warning."""
    warnings = []
    kinematics = PoseKinematics(Mount(), G, twist_frame, 0.5, warnings.append)
    first, *others = odometry(duration, steps)
    kinematics.begin(kinematics.locate(first))
    found = [(m.stamp * 1e-9, kinematics.advance(kinematics.locate(m))) for m in others]
    assert warnings == []
    return [(end - motion.dt, motion) for end, motion in found if motion is not None]


def error(twist_frame, steps):
    """RMS of the force [m/s^2] against the true mean over each interval."""
    apart = []
    for start, motion in motions(twist_frame, steps):
        if start > 0.1:
            middles = start + motion.dt * (np.arange(4) + 0.5) / 4
            apart.append(motion.specific_force - np.mean([force(t) for t in middles], axis=0))
    return np.sqrt(np.mean(np.sum(np.square(apart), axis=1)))


@pytest.mark.parametrize(
    ("steps", "by_pose", "by_twist"), [(4, 0.0060, 0.0205), (10, 0.0151, 0.0205)]
)
def test_positions_serve_better_than_the_twist(steps, by_pose, by_twist):
    assert error("pose", steps) == pytest.approx(by_pose, rel=0.02)
    assert error("body", steps) == pytest.approx(by_twist, rel=0.02)


def test_where_the_interval_is_long_the_twist_serves_better():
    assert error("pose", 20) == pytest.approx(0.0302, rel=0.02)
    assert error("body", 20) == pytest.approx(0.0206, rel=0.02)


def test_the_twist_is_wrong_after_the_start():
    strongest = {
        frame: max(np.linalg.norm(m.specific_force) for _, m in motions(frame, 4, duration=0.05))
        for frame in ("pose", "body")
    }
    assert strongest["pose"] < 20.0
    assert strongest["body"] > 1000.0
