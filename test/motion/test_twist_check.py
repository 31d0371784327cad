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

from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import rotate
from imu_noise_node.samples import Truth

STEP = 20_000_000


def drive(read_as, written_in, angle_of, speed=1.0, count=200, told=1.0, told_rate=None):
    """Drive along a path with a twist written in one frame and read as another.

    `told` is what part of the velocity the twist has; `told_rate` is its angular z, the true one
    by default.
    """
    warnings = []
    kinematics = PoseKinematics(Mount(), 9.80665, read_as, 0.5, warnings.append)
    place = [0.0, 0.0, 0.0]
    for k in range(1, count):
        half = angle_of(k) / 2.0
        q = (0.0, 0.0, math.sin(half), math.cos(half))
        forward = (speed, 0.0, 0.0)
        v = rotate(q, forward)
        place = [p + c * STEP / 1e9 for p, c in zip(place, v, strict=True)]
        twist = forward if written_in == "body" else v
        twist = tuple(told * c for c in twist)
        rate = (angle_of(k) - angle_of(k - 1)) / STEP * 1e9 if told_rate is None else told_rate
        station = kinematics.locate(Truth(k * STEP, tuple(place), q, twist, (0.0, 0.0, rate)))
        if k == 1:
            kinematics.begin(station)
        else:
            kinematics.advance(station)
    return warnings


@pytest.mark.parametrize("frame", ["body", "world"])
def test_the_right_frame_is_not_warned_about(frame):
    assert drive(frame, frame, lambda k: 1.0 + 0.001 * k) == []


@pytest.mark.parametrize(("read_as", "right"), [("body", "world"), ("world", "body")])
def test_the_wrong_frame_is_warned_about_once_and_the_right_one_named(read_as, right):
    warnings = drive(read_as, right, lambda k: 1.0 + 0.001 * k)
    assert len(warnings) == 1
    assert f"set twist_frame to '{right}'" in warnings[0]


def test_what_cannot_be_told_apart_is_not_warned_about():
    assert drive("body", "world", lambda _: 0.0) == []
    assert drive("body", "world", lambda _: 1.0, speed=0.01) == []


@pytest.mark.parametrize("frame", ["body", "world"])
def test_a_twist_that_is_zero_while_the_pose_moves_is_warned_about_once(frame):
    (warning,) = drive(frame, frame, lambda k: 1.0 + 0.001 * k, told=0.0)
    assert "velocity is zero although its positions move" in warning
    assert "set twist_frame to 'pose'" in warning


def test_a_twist_that_is_zero_at_rest_is_right():
    assert drive("body", "body", lambda _: 1.0, speed=0.0, told=0.0) == []


@pytest.mark.parametrize("told", [0.0, -1.0, math.degrees(1.0)])
def test_an_angular_velocity_that_contradicts_the_orientation_is_warned_about_once(told):
    (warning,) = drive("body", "body", lambda k: 0.02 * k, told_rate=told)
    assert "angular velocity does not agree with how its orientation turns" in warning


def test_a_slow_turn_tells_nothing_about_the_angular_velocity():
    assert drive("body", "body", lambda k: 0.0005 * k, told_rate=0.0) == []


@pytest.mark.parametrize("told", [2.0, -1.0, 0.3])
def test_a_velocity_that_fits_in_no_axes_is_warned_about_once(told):
    for frame in ("body", "world"):
        (warning,) = drive(frame, frame, lambda k: 1.0 + 0.001 * k, told=told)
        assert "in whichever axes it is read" in warning
