"""Integrating what a perfect sensor reads leads back to the pose that it was made from."""

import math

import numpy as np

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


def exponential(phi):
    angle = math.dist(phi, (0.0, 0.0, 0.0))
    s = math.sin(angle / 2.0) / angle if angle else 0.5
    return (s * phi[0], s * phi[1], s * phi[2], math.cos(angle / 2.0))


def rotation_compensation(angle, push):
    t = math.dist(angle, (0.0, 0.0, 0.0))
    once = np.cross(angle, push)
    first, second = (1.0 - math.cos(t)) / t**2, (1.0 - math.sin(t) / t) / t**2
    return first * once + second * np.cross(angle, once)


def reckon(q, position, v, increments, dt):
    """Integrate angle and velocity increments by the two-sample coning and sculling algorithm.

    Savage, Strapdown inertial navigation integration algorithm design, J. Guidance 21 (1998).
    """
    before = None
    for angle, push in increments:
        phi, dv = np.array(angle), np.array(push) + rotation_compensation(angle, push)
        if before is not None:
            phi = phi + np.cross(before[0], angle) / 12.0
            dv = dv + (np.cross(before[0], push) + np.cross(before[1], angle)) / 12.0
        after = np.array(v) + rotate(q, tuple(dv)) - np.array([0.0, 0.0, GRAVITY * dt])
        position = position + dt * (v + after) / 2.0
        v, q = after, normalised(product(q, exponential(tuple(phi))))
        before = (angle, push)
    return q, position, v


def closing_error(step, seconds=4.0):
    kinematics = PoseKinematics(Mount(), GRAVITY, "body", 0.5, lambda _: None)
    times = [1.0 + step * k for k in range(round(seconds / step) + 1)]
    kinematics.begin(kinematics.locate(truth(times[0])))
    motions = [kinematics.advance(kinematics.locate(truth(t))) for t in times[1:]]
    increments = [
        (step * np.array(m.angular_velocity), step * np.array(m.specific_force)) for m in motions
    ]
    q, position, v = (np.array(x) for x in pose(times[0]))
    q, position, v = reckon(tuple(q), position, v, increments, step)
    true_q, true_position, true_v = pose(times[-1])
    turned = logarithm(product(conjugate(true_q), q))
    return (
        math.dist(turned, (0.0, 0.0, 0.0)),
        math.dist(v, true_v),
        math.dist(position, true_position),
    )


def test_dead_reckoning_closes():
    angle, velocity, position = closing_error(0.005)
    assert angle < 5e-8
    assert velocity < 2e-6
    # The trapezoid over velocity alone leaves dt^2/12 times the change of acceleration.
    assert position < 2e-5


def test_the_gap_closes_with_the_interval():
    coarse, fine = closing_error(0.02), closing_error(0.01)
    assert fine[0] < coarse[0] / 7.0
    assert fine[1] < coarse[1] / 7.0


def test_without_the_coning_and_turning_terms_it_would_not_close():
    """The instantaneous reading at the end of each interval, which many use, drifts away."""
    step = 0.005
    q, position, v = (np.array(x) for x in pose(1.0))
    increments = []
    for k in range(round(4.0 / step)):
        t = 1.0 + step * (k + 1)
        found = truth(t)
        e = 1e-4
        a = (np.array(pose(t + e)[2]) - np.array(pose(t - e)[2])) / (2 * e)
        a[2] += GRAVITY
        force = rotate(conjugate(found.orientation), tuple(a))
        increments.append((step * np.array(found.angular_velocity), step * np.array(force)))
    q, position, v = reckon(tuple(q), position, v, increments, step)
    assert math.dist(v, pose(5.0)[2]) > 100 * closing_error(step)[1]
