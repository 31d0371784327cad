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

"""Our motion against a physics engine's own accelerometer and gyroscope."""

import numpy as np
import pytest

from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.motion.rotations import conjugate, rotate
from imu_noise_node.samples import Truth

# RMS that the formulas reach against the engine's means over the interval; half as much again
# is allowed, and nothing below 1e-11 is asked for, where doubles end.
WITH_TWIST = {
    ("moderate", 1): (4.6e-9, 1.0e-12),
    ("moderate", 10): (4.6e-6, 1.0e-8),
    ("moderate", 20): (3.7e-5, 1.6e-7),
    ("aggressive", 1): (7.8e-8, 1.4e-11),
    ("aggressive", 10): (7.8e-5, 1.4e-7),
    ("aggressive", 20): (6.2e-4, 2.3e-6),
}
SITE = Mount(translation=(0.12, -0.05, 0.2), rpy=(0.0, 0.0, 1.0))


def found(data, every, twist_frame):
    """Motion at the site, sampled every so many milliseconds, and what the engine read."""
    kinematics = PoseKinematics(SITE, 9.80665, twist_frame, 0.5, lambda _: None)
    rates, forces = [], []
    for n, i in enumerate(range(0, 10001, every)):
        q = tuple(data["quaternion_xyzw"][i].tolist())
        v = tuple(data["velocity_world"][i].tolist())
        w = tuple(data["angular_velocity_body"][i].tolist())
        if twist_frame == "body":
            v = rotate(conjugate(q), v)
        else:
            w = rotate(q, w)
        place = tuple(data["position"][i].tolist())
        station = kinematics.locate(Truth(int(data["t_ns"][i]), place, q, v, w))
        if n == 0:
            kinematics.begin(station)
            continue
        motion = kinematics.advance(station)
        rates.append(motion.angular_velocity)
        forces.append(motion.specific_force)
    read = [
        data[name][1:].reshape(-1, every, 3).mean(axis=1)
        for name in ("accelerometer_mean", "gyroscope_mean")
    ]
    return np.array(forces), np.array(rates), *read


@pytest.mark.parametrize("twist_frame", ["body", "world"])
@pytest.mark.parametrize(("profile", "every"), WITH_TWIST)
def test_means_agree_with_the_engine(shared_data, profile, every, twist_frame):
    data = dict(np.load(shared_data / "oracle" / f"{profile}.npz"))
    force, rate, true_force, true_rate = found(data, every, twist_frame)
    # From the third interval on: the first two lack the interval before.
    force_rms = np.sqrt(np.mean((force - true_force)[2:] ** 2))
    rate_rms = np.sqrt(np.mean((rate - true_rate)[2:] ** 2))
    force_bound, rate_bound = (max(1.5 * x, 1e-11) for x in WITH_TWIST[profile, every])
    assert force_rms <= force_bound
    assert rate_rms <= rate_bound
