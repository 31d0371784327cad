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

import math

import numpy as np
import pytest

from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import conjugate, normalised, product, rotate
from imu_noise_node.samples import Truth

GRAVITY = 9.80665
ZERO = (0.0, 0.0, 0.0)
LEVEL = (0.0, 0.0, 0.0, 1.0)
STEP = 10_000_000


def never(sentence):
    raise AssertionError(f"unexpected warning: {sentence}")


def kinematics(translation=ZERO, rpy=ZERO, twist_frame="body"):
    return PoseKinematics(Mount(translation, rpy), GRAVITY, twist_frame, 0.5, never)


def motions(found_by, truths):
    """Feed truths one after the other; return what each makes of the interval before it."""
    found_by.begin(found_by.locate(truths[0]))
    return [found_by.advance(found_by.locate(truth)) for truth in truths[1:]]


def forces(found):
    return np.array([motion.specific_force for motion in found])


def rates(found):
    return np.array([motion.angular_velocity for motion in found])


def yawed(angle):
    return (0.0, 0.0, math.sin(angle / 2.0), math.cos(angle / 2.0))


@pytest.mark.parametrize(
    ("attitude", "expected"),
    [
        (LEVEL, (0.0, 0.0, GRAVITY)),
        ((math.sin(math.pi / 4), 0.0, 0.0, math.cos(math.pi / 4)), (0.0, GRAVITY, 0.0)),
        ((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, -GRAVITY)),
    ],
    ids=["level", "rolled +90 degrees", "upside down"],
)
def test_at_rest_an_accelerometer_reads_the_reaction_to_gravity(attitude, expected):
    truths = [Truth(k * STEP, ZERO, attitude, ZERO, ZERO) for k in range(1, 4)]
    found = motions(kinematics(), truths)
    assert forces(found) == pytest.approx(np.tile(expected, (2, 1)), abs=1e-14)
    assert not rates(found).any()


def fall(t):
    place, velocity = (0.0, 0.0, -0.5 * GRAVITY * t * t), (0.0, 0.0, -GRAVITY * t)
    return Truth(round(t * 1e9), place, LEVEL, velocity, ZERO)


def test_free_fall_reads_nothing():
    times = [k * 0.01 for k in range(1, 6)]
    truths = [fall(t) for t in times]
    assert forces(motions(kinematics(), truths)) == pytest.approx(np.zeros((4, 3)), abs=1e-12)


def circle(speed=2.0, rate=1.0, sign=lambda k: 1.0, count=200):
    """Truth of a vehicle driving a circle, its velocity along its own x axis."""
    radius = speed / rate
    truths = []
    for k in range(1, count + 1):
        angle = rate * k * STEP / 1e9
        place = (radius * math.sin(angle), radius * (1.0 - math.cos(angle)), 0.0)
        q = tuple(sign(k) * c for c in yawed(angle))
        truths.append(Truth(k * STEP, place, q, (speed, 0.0, 0.0), (0.0, 0.0, rate)))
    return truths


def test_driving_a_circle_feels_the_centripetal_force():
    found = motions(kinematics(), circle())
    assert forces(found)[2:] == pytest.approx(np.tile((0.0, 2.0, GRAVITY), (197, 1)), abs=1e-9)
    assert rates(found) == pytest.approx(np.tile((0.0, 0.0, 1.0), (199, 1)), abs=1e-12)


def test_the_sign_of_the_quaternion_is_no_motion():
    plain = motions(kinematics(), circle())
    flipped = motions(kinematics(), circle(sign=lambda k: -1.0 if k > 100 else 1.0))
    assert rates(flipped) == pytest.approx(rates(plain), abs=1e-15)
    assert forces(flipped) == pytest.approx(forces(plain), abs=1e-13)


def test_a_lever_arm_feels_inward_and_tangential_force():
    # w = 4 rad/s at t = 0, growing by 2 rad/s^2; 0.5 m off the axis: 8 inward, 1 tangential.
    truths = []
    for k in range(-3, 2):
        t = k * 1e-4
        w = 4.0 + 2.0 * t
        attitude = yawed(4.0 * t + t * t)
        truths.append(Truth(10**9 + round(t * 1e9), ZERO, attitude, ZERO, (0.0, 0.0, w)))
    last = motions(kinematics(translation=(0.5, 0.0, 0.0)), truths)[-1]
    # The mean over the interval from t = 0, in axes that turn: its middle is at 5e-5 s.
    w = 4.0 + 2.0 * 5e-5
    assert last.specific_force == pytest.approx((-0.5 * w * w, 1.0, GRAVITY), abs=2e-6)
    assert last.angular_velocity == pytest.approx((0.0, 0.0, w), abs=1e-10)


def test_a_turned_mount_reads_in_its_own_axes():
    turned = kinematics(rpy=(0.0, 0.0, math.pi / 2.0))
    found = motions(turned, circle())
    assert forces(found)[5] == pytest.approx((2.0, 0.0, GRAVITY), abs=1e-9)
    assert found[5].orientation == pytest.approx(yawed(0.07 + math.pi / 2.0), abs=1e-12)


def tumble(t):
    """A pose that turns and moves about every axis, by its closed forms."""
    q = normalised((math.sin(t), 0.3 * math.cos(2 * t), 0.5 * math.sin(3 * t), 1.5))
    return q, (math.sin(2 * t), math.cos(t), t * t)


def tumble_truth(t, world=False):
    q, place = tumble(t)
    e = 1e-5
    (a, pa), (b, pb) = tumble(t - e), tumble(t + e)
    v = tuple((y - x) / (2 * e) for x, y in zip(pa, pb, strict=True))
    turned = product(conjugate(a), b)
    w = tuple(c / e for c in turned[:3])
    if world:
        return Truth(round(t * 1e9), place, q, v, rotate(q, w))
    return Truth(round(t * 1e9), place, q, rotate(conjugate(q), v), w)


def test_a_twist_in_world_axes_gives_the_same_motion():
    times = [1.0 + 0.01 * k for k in range(20)]
    body = motions(kinematics((0.1, 0.2, 0.3)), [tumble_truth(t) for t in times])
    world = motions(
        kinematics((0.1, 0.2, 0.3), twist_frame="world"), [tumble_truth(t, True) for t in times]
    )
    assert forces(world) == pytest.approx(forces(body), abs=1e-9)
    assert rates(world) == pytest.approx(rates(body), abs=1e-9)


def test_without_a_twist_the_motion_comes_from_poses_one_interval_later():
    times = [1.0 + 0.001 * k for k in range(40)]
    truths = [tumble_truth(t) for t in times]
    with_twist = motions(kinematics((0.1, 0.2, 0.3)), truths)
    posed = motions(kinematics((0.1, 0.2, 0.3), twist_frame="pose"), truths)
    assert posed[0] is None
    assert rates(posed[2:]) == pytest.approx(rates(with_twist[2:]), abs=1e-5)
    # Half an interval of lag times the jerk of this motion, about 40 m/s^3.
    assert forces(posed[1:]) == pytest.approx(forces(with_twist[1:]), abs=0.04)


def test_the_error_falls_with_the_fourth_power_of_the_interval():
    def worst(step):
        """Against the mean of the instantaneous reading, by Gauss-Legendre over one interval."""
        times = [1.0 + step * k for k in range(6)]
        found = motions(kinematics(), [tumble_truth(t) for t in times])
        nodes, weights = np.polynomial.legendre.leggauss(5)
        errors = []
        for start, motion in zip(times[2:-1], found[2:], strict=True):
            mean = np.zeros(3)
            for x, weight in zip(nodes, weights, strict=True):
                t = start + step * (x + 1.0) / 2.0
                q, _ = tumble(t)
                e = 1e-3
                p = [np.array(tumble(t + j * e)[1]) for j in (-2, -1, 0, 1, 2)]
                a = (-p[0] + 16 * p[1] - 30 * p[2] + 16 * p[3] - p[4]) / (12 * e * e)
                a[2] += GRAVITY
                mean += weight / 2.0 * np.array(rotate(conjugate(q), tuple(a)))
            errors.append(np.abs(mean - motion.specific_force).max())
        return max(errors)

    # Third order at least: halving the interval divides the error by eight or more, nearly.
    assert worst(0.02) < 1e-3
    assert worst(0.01) < worst(0.02) / 7.0


@pytest.mark.parametrize(
    "bad",
    [
        Truth(STEP, ZERO, (0.0, 0.0, 0.0, 0.0), ZERO, ZERO),
        Truth(STEP, ZERO, (0.0, 0.0, 0.0, 0.7), ZERO, ZERO),
        Truth(STEP, ZERO, (math.nan, 0.0, 0.0, 1.0), ZERO, ZERO),
        Truth(STEP, (math.inf, 0.0, 0.0), LEVEL, ZERO, ZERO),
        Truth(STEP, ZERO, LEVEL, (0.0, math.nan, 0.0), ZERO),
        Truth(STEP, ZERO, LEVEL, ZERO, (0.0, 0.0, -math.inf)),
        Truth(STEP, None, LEVEL, ZERO, ZERO),
    ],
)
def test_truth_that_is_not_finite_or_no_pose_is_refused(bad):
    assert kinematics().locate(bad) is None


def test_a_rounded_quaternion_is_normalised():
    rounded = (0.0, 0.0, 0.383, 0.924)
    station = kinematics().locate(Truth(STEP, ZERO, rounded, ZERO, ZERO))
    assert sum(c * c for c in station.orientation) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(("moved", "jumps"), [(0.49, False), (0.51, True)])
def test_a_teleport_is_what_velocity_does_not_explain(moved, jumps):
    found_by = kinematics()
    found_by.begin(found_by.locate(Truth(STEP, ZERO, LEVEL, (10.0, 0.0, 0.0), ZERO)))
    after = Truth(2 * STEP, (0.1, moved, 0.0), LEVEL, (10.0, 0.0, 0.0), ZERO)
    assert found_by.jumps(found_by.locate(after)) is jumps
