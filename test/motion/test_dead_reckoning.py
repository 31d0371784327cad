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

"""Integrating what a perfect sensor reads leads back to the pose that it was made from."""

import math

import numpy as np

from imu_noise_node.analysis.strapdown import Strapdown, rotation_vectors
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import (
    conjugate,
    logarithm,
    normalised,
    product,
    rotate,
)
from imu_noise_node.samples import Truth

GRAVITY = 9.80665


def pose(t):
    """A tumbling motion by its closed forms: attitude, position, velocity."""
    q = normalised((math.sin(1.3 * t), 0.4 * math.cos(2.1 * t), 0.5 * math.sin(1.7 * t), 1.8))
    position = (math.sin(2.0 * t), 0.5 * math.cos(3.0 * t), 0.3 * t * t)
    return q, position, (2.0 * math.cos(2.0 * t), -1.5 * math.sin(3.0 * t), 0.6 * t)


def truth(t):
    q, position, v = pose(t)
    e = 1e-6
    w = tuple(c / (2 * e) for c in logarithm(product(conjugate(pose(t - e)[0]), pose(t + e)[0])))
    return Truth(round(t * 1e9), position, q, rotate(conjugate(q), v), w)


def reckon(t, motions, steps):
    """Integrate mean rates and forces from the pose at `t`."""
    q, position, v = pose(t)
    strapdown = Strapdown(matrix(q), np.array(v), np.array(position), GRAVITY)
    for step, (rate, force) in zip(steps, motions, strict=True):
        strapdown.advance(step, np.array(rate), np.array(force))
    return strapdown


def matrix(q):
    return np.array([rotate(q, axis) for axis in np.eye(3)]).T


def closing_error(pattern, seconds=4.0):
    """Return by how much attitude, velocity and position are off; `pattern` of steps repeats."""
    kinematics = PoseKinematics(Mount(), GRAVITY, "body", 0.5, lambda _: None)
    steps = pattern * round(seconds / sum(pattern))
    times = [1.0, *(1.0 + np.cumsum(steps)).tolist()]
    kinematics.begin(kinematics.locate(truth(times[0])))
    motions = [kinematics.advance(kinematics.locate(truth(t))) for t in times[1:]]
    found = reckon(1.0, [(m.angular_velocity, m.specific_force) for m in motions], steps)
    q, position, v = pose(times[-1])
    turned = rotation_vectors(matrix(q).T @ found.attitude)
    return (
        math.dist(turned, (0.0, 0.0, 0.0)),
        math.dist(v, found.velocity),
        math.dist(position, found.position),
    )


def test_dead_reckoning_closes():
    angle, velocity, position = closing_error([0.005])
    assert angle < 5e-8
    assert velocity < 2e-6
    # The trapezoid over velocity alone leaves dt^2/12 times the change of acceleration.
    assert position < 2e-5


def test_it_closes_as_well_where_the_intervals_are_uneven():
    angle, velocity, position = closing_error([0.003, 0.007])
    assert angle < 1e-7
    assert velocity < 2e-6
    assert position < 2e-5


def test_the_gap_closes_with_the_interval():
    coarse, fine = closing_error([0.02]), closing_error([0.01])
    assert fine[0] < coarse[0] / 7.0
    assert fine[1] < coarse[1] / 7.0


def test_without_the_coning_and_turning_terms_it_would_not_close():
    """The instantaneous reading at the end of each interval, which many use, drifts away."""
    step = 0.005
    readings = []
    for k in range(round(4.0 / step)):
        t = 1.0 + step * (k + 1)
        found = truth(t)
        e = 1e-4
        a = (np.array(pose(t + e)[2]) - np.array(pose(t - e)[2])) / (2 * e)
        a[2] += GRAVITY
        readings.append((found.angular_velocity, rotate(conjugate(found.orientation), tuple(a))))
    off = math.dist(reckon(1.0, readings, [step] * len(readings)).velocity, pose(5.0)[2])
    assert off > 100 * closing_error([step])[1]
