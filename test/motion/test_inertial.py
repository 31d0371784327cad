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

import pytest

from imu_noise_node.motion.inertial import ImuKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.samples import Truth

GRAVITY = 9.80665
ZERO = (0.0, 0.0, 0.0)
ROLLED = (math.sin(math.pi / 4), 0.0, 0.0, math.cos(math.pi / 4))


def reading(stamp, rate=ZERO, force=(0.0, 0.0, GRAVITY), orientation=None):
    return Truth(stamp, orientation=orientation, angular_velocity=rate, specific_force=force)


def second(kinematics, first, then):
    kinematics.begin(kinematics.locate(first))
    return kinematics.advance(kinematics.locate(then))


def make(warnings=None, translation=ZERO, rpy=ZERO, gravity_included=True):
    warn = (lambda _: None) if warnings is None else warnings.append
    return ImuKinematics(Mount(translation, rpy), GRAVITY, gravity_included, warn)


def test_readings_pass_as_they_are():
    motion = second(make(), reading(1), reading(2_500_001, (0.1, 0.2, 0.3), (1.0, 2.0, 3.0)))
    assert motion.dt == 0.0025
    assert motion.angular_velocity == (0.1, 0.2, 0.3)
    assert motion.specific_force == (1.0, 2.0, 3.0)
    assert motion.orientation is None


def test_gravity_is_added_through_the_orientation():
    without = make(gravity_included=False)
    motion = second(
        without, reading(1, force=ZERO, orientation=ROLLED), reading(9**8, ZERO, ZERO, ROLLED)
    )
    assert motion.specific_force == pytest.approx((0.0, GRAVITY, 0.0), abs=1e-14)


def test_without_gravity_and_without_orientation_nothing_can_be_said():
    assert make(gravity_included=False).locate(reading(1)) is None


@pytest.mark.parametrize(
    "bad", [reading(1, (math.nan, 0.0, 0.0)), reading(1, force=(0.0, math.inf, 0.0)), Truth(1)]
)
def test_a_reading_that_is_not_finite_is_refused(bad):
    assert make().locate(bad) is None


def test_a_bad_orientation_matters_only_where_it_is_needed():
    bad = reading(1, orientation=(0.0, 0.0, 0.0, 0.0))
    assert make().locate(bad).orientation is None
    assert make(gravity_included=False).locate(bad) is None


def test_a_lever_arm_adds_inward_and_tangential_force():
    arm = make(translation=(0.5, 0.0, 0.0))
    motion = second(arm, reading(1, (0.0, 0.0, 3.98)), reading(10_000_001, (0.0, 0.0, 4.0)))
    assert motion.specific_force == pytest.approx((-8.0, 1.0, GRAVITY), abs=1e-9)


def test_a_turned_mount_reads_in_its_own_axes():
    turned = make(rpy=(0.0, 0.0, math.pi / 2.0))
    motion = second(turned, reading(1), reading(2, (0.1, 0.0, 0.0), (1.0, 0.0, GRAVITY), ROLLED))
    assert motion.angular_velocity == pytest.approx((0.0, -0.1, 0.0), abs=1e-15)
    assert motion.specific_force == pytest.approx((0.0, -1.0, GRAVITY), abs=1e-15)
    assert motion.orientation is not None


def run(kinematics, readings):
    kinematics.begin(kinematics.locate(readings[0]))
    for one in readings[1:]:
        kinematics.advance(kinematics.locate(one))


def test_a_still_stream_near_one_looks_like_g_and_is_warned_about_once():
    warnings = []
    run(make(warnings), [reading(k, force=(0.0, 0.02, 1.0)) for k in range(1, 300)])
    assert len(warnings) == 1
    assert "looks like g" in warnings[0]


@pytest.mark.parametrize("other", [reading(10, (0.0, 0.5, 0.0), (0.0, 0.0, 1.0)), reading(10)])
def test_a_stream_that_moves_or_has_gravity_is_not(other):
    warnings = []
    near_one = [reading(k, force=(0.0, 0.0, 1.0)) for k in range(1, 300)]
    run(make(warnings), [*near_one[:9], other, *near_one[10:]])
    assert not warnings


@pytest.mark.parametrize("number", [math.nan, math.inf, -1.7e308, 1e31])
def test_what_no_motion_could_be_is_not_used(number):
    kinematics = ImuKinematics(Mount(), 9.8, True, pytest.fail)
    level = (0.0, 0.0, 0.0, 1.0)
    for rate, force in (((number, -number, 0.0), (0.0,) * 3), ((0.0,) * 3, (0.0, number, 0.0))):
        truth = Truth(1, orientation=level, angular_velocity=rate, specific_force=force)
        assert kinematics.locate(truth) is None
