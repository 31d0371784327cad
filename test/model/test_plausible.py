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


"""A density that no real sensor has is told of."""

from __future__ import annotations

import pytest

from imu_noise_node.model.plausible import implausible
from imu_noise_node.model.spec import ImuSpec, TriadSpec


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (ImuSpec(TriadSpec(noise_density=0.021)), "gyroscope"),
        (ImuSpec(magnetometer=TriadSpec(noise_density=1.1e-5)), "magnetometer"),
        (ImuSpec(magnetometer=TriadSpec(noise_density=[0.0, 9e-14, 0.0])), "magnetometer"),
        (ImuSpec(TriadSpec(noise_density=[1e-4, 9e-9, 1e-4])), "gyroscope"),
        (ImuSpec(accelerometer=TriadSpec(noise_density=0.51)), "accelerometer"),
        (ImuSpec(accelerometer=TriadSpec(noise_density=9e-8)), "accelerometer"),
    ],
)
def test_a_density_that_no_sensor_has_is_warned_about(spec, name):
    (sentence,) = implausible(spec)
    assert sentence.startswith(f"{name}.noise_density = ")
    assert "is the unit right?" in sentence


@pytest.mark.parametrize(
    "spec",
    [
        ImuSpec(),
        ImuSpec(TriadSpec(noise_density=0.0), TriadSpec(noise_density=[0.0, 1e-3, 1e-3])),
        ImuSpec(TriadSpec(noise_density=2e-2), TriadSpec(noise_density=0.5)),
        ImuSpec(TriadSpec(noise_density=1e-8), TriadSpec(noise_density=1e-7)),
        # 0.0277 single-sided is 0.0196.
        ImuSpec(TriadSpec(noise_density=0.0277, noise_type="single-sided")),
        ImuSpec(TriadSpec(noise_stddev=100.0)),
    ],
)
def test_a_density_that_a_sensor_could_have_is_not(spec):
    assert implausible(spec) == []


def test_both_triads_can_be_implausible():
    assert len(implausible(ImuSpec(TriadSpec(noise_density=1), TriadSpec(noise_density=1)))) == 2
