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

"""Messages to records and back, to the bit."""

import math

import pytest
from graph import IDENTITY, Imu, ideal, odometry

from imu_noise_node.ros.conversions import (
    imu_truth,
    odometry_truth,
    set_quaternion,
    set_stamp,
    set_vector,
    stamp_of,
)


@pytest.mark.parametrize(
    ("sec", "nanosec", "stamp"),
    [
        (0, 0, 0),
        (1_779_876_543, 123_456_789, 1_779_876_543_123_456_789),
        (2**31 - 1, 999_999_999, (2**31 - 1) * 10**9 + 999_999_999),
        (-1, 999_999_999, -1),
    ],
)
def test_stamps_are_whole_nanoseconds_both_ways(sec, nanosec, stamp):
    time = Imu().header.stamp
    time.sec, time.nanosec = sec, nanosec
    assert stamp_of(time) == stamp
    copy = Imu().header.stamp
    set_stamp(copy, stamp)
    assert copy == time


def test_odometry_is_taken_as_it_stands():
    position, velocity, rate = (1.0, -2.0, 3.0), (0.1, 0.2, 0.3), (-0.1, -0.2, -0.3)
    orientation = (0.5, -0.5, 0.5, -0.5)
    truth = odometry_truth(odometry(5, position, orientation, velocity, rate))
    assert truth == (5, position, orientation, velocity, rate, None)


def test_ideal_imu_is_taken_as_it_stands():
    rate, force, orientation = (0.1, 0.2, 0.3), (1.0, -2.0, 9.0), (0.5, 0.5, 0.5, 0.5)
    truth = imu_truth(ideal(7, rate, force, orientation))
    assert truth == (7, None, orientation, None, rate, force)


def test_minus_one_says_that_there_is_no_orientation():
    message = ideal(7, orientation=None)
    assert imu_truth(message).orientation is None
    message.orientation_covariance[0] = 0.0
    assert imu_truth(message).orientation == IDENTITY


def test_values_are_passed_on_even_if_they_are_not_finite():
    """Whether they will do is not for the conversion to say."""
    truth = odometry_truth(odometry(5, velocity=(math.nan, math.inf, 0.0)))
    assert math.isnan(truth.velocity[0])
    assert truth.velocity[1:] == (math.inf, 0.0)


def test_fields_are_filled_in_place():
    message = Imu()
    rate, orientation = message.angular_velocity, message.orientation
    set_vector(rate, [1.0, 2.0, 3.0])
    set_quaternion(orientation, (0.1, 0.2, 0.3, 0.4))
    assert message == ideal(0, (1.0, 2.0, 3.0), (0.0, 0.0, 0.0), (0.1, 0.2, 0.3, 0.4))
