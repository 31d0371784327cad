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

"""The turning Earth: what a sensor at rest and one that moves feels of it."""

import math

import numpy as np
import pytest

from imu_noise_node import ParameterError
from imu_noise_node.motion.earth import RATE, Earth
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.samples import Truth

ZERO = (0.0, 0.0, 0.0)
LEVEL = (0.0, 0.0, 0.0, 1.0)
LATITUDE = math.radians(48.0)
G = 9.80665


def motions(truths, twist_frame="world", **earth):
    kinematics = PoseKinematics(Mount(), G, twist_frame, 100.0, pytest.fail, Earth(**earth).rate)
    stations = [kinematics.locate(truth) for truth in truths]
    kinematics.begin(stations[0])
    return [m for m in map(kinematics.advance, stations[1:]) if m is not None]


def moving(velocity, orientation=LEVEL, count=4, dt=0.01):
    return [
        Truth(
            round(1e9 + k * dt * 1e9),
            tuple(k * dt * v for v in velocity),
            orientation,
            velocity,
            ZERO,
        )
        for k in range(count)
    ]


def test_a_sensor_at_rest_reads_the_rate_of_the_earth_in_its_own_axes():
    looks_north = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
    for motion in motions(moving(ZERO, looks_north), earth_rate=True, latitude=48.0):
        expected = (RATE * math.cos(LATITUDE), 0.0, RATE * math.sin(LATITUDE))
        assert np.allclose(motion.angular_velocity, expected, rtol=0, atol=1e-18)
        assert np.allclose(motion.specific_force, (0.0, 0.0, G), rtol=0, atol=1e-12)


@pytest.mark.parametrize("twist_frame", ["world", "pose"])
def test_what_moves_feels_coriolis(twist_frame):
    # Eastward it is lifted (Eotvos) and pushed south: the sensor must push down and north.
    east = 250.0
    for motion in motions(moving((east, 0.0, 0.0)), twist_frame, earth_rate=True, latitude=48.0):
        north = 2.0 * RATE * east * math.sin(LATITUDE)
        up = G - 2.0 * RATE * east * math.cos(LATITUDE)
        assert np.allclose(motion.specific_force, (0.0, north, up), rtol=0, atol=1e-9)


def test_a_sensor_that_is_still_among_the_stars_reads_nothing():
    # It turns against the Earth, at the pole, about the vertical.
    truths = [
        Truth(
            round(1e9 * (1 + k)),
            ZERO,
            (0.0, 0.0, math.sin(-0.5 * RATE * k), math.cos(-0.5 * RATE * k)),
            ZERO,
            (0.0, 0.0, -RATE),
        )
        for k in range(4)
    ]
    for motion in motions(truths, earth_rate=True, latitude=90.0):
        assert np.allclose(motion.angular_velocity, ZERO, rtol=0, atol=1e-16)


def test_the_earth_stands_still_unless_asked_to_turn():
    assert Earth(latitude=48.0).rate == ZERO


def test_a_latitude_beyond_the_pole_is_refused():
    with pytest.raises(ParameterError, match=r"latitude = 91\.0: must be a finite"):
        Earth(latitude=91.0)
