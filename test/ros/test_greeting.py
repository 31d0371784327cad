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

"""What the node says of its figures at its start."""

import numpy as np
import pytest

from imu_noise_node import ImuSpec, TriadSpec, load_profile
from imu_noise_node.ros.greeting import greeting


def gyroscope(rate=0.0, profile="", **figures):
    line, _ = greeting(ImuSpec(gyroscope=TriadSpec(**figures)), rate, profile)
    return line


def test_the_density_and_the_sigma_at_the_present_rate_are_named():
    assert gyroscope(noise_density=2e-4, rate=400) == (
        "gyroscope (no profile): noise density 0.0002 rad/s/sqrt(Hz); "
        "sigma per sample 0.004 rad/s at 400 Hz"
    )


def test_without_a_rate_the_sigma_is_that_of_a_usual_one():
    assert gyroscope(noise_density=2e-4).endswith(
        "sigma per sample 0.002 rad/s at 100 Hz, growing with the root of the rate"
    )


def test_there_is_a_line_for_each_sensor_in_its_unit():
    lines = greeting(load_profile("bmi088"), 100.0, "bmi088")
    assert lines == [
        "gyroscope (profile bmi088): noise density 0.0002443 rad/s/sqrt(Hz); "
        "sigma per sample 0.002443 rad/s at 100 Hz; turn_on_bias_stddev 0.01745; "
        "range 34.91; resolution 0.001065",
        "accelerometer (profile bmi088): noise density [0.001569, 0.001569, 0.001863] "
        "m/s^2/sqrt(Hz); sigma per sample [0.01569, 0.01569, 0.01863] m/s^2 at 100 Hz; "
        "turn_on_bias_stddev 0.1961; range 235.4; resolution 0.007184",
    ]


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({}, "no white noise"),
        ({"noise_density": 0.0}, "noise density 0 rad/s/sqrt(Hz)"),
        ({"noise_stddev": 0.002}, "sigma per sample 0.002 rad/s at any rate"),
        (
            {"noise_density": 2e-3, "noise_type": "single-sided"},
            "noise density 0.001414 rad/s/sqrt(Hz)",
        ),
        (
            {"noise_density": 1e-3, "integration_time": 0.0025},
            "sigma per sample 0.02 rad/s at 100 Hz",
        ),
        (
            {"noise_density": 1e-3, "bandwidth": 10.0},
            # Behind a low-pass of 10 Hz it is that of pi 10 Hz.
            "sigma per sample 0.005605 rad/s at 100 Hz; bandwidth 10",
        ),
        (
            {"noise_covariance": np.diag([1e-6, 1e-6, 4e-6]).ravel()},
            "noise density [0.001, 0.001, 0.002] rad/s/sqrt(Hz), axes correlated",
        ),
        ({"random_walk": 1e-5, "range": 35.0}, "no white noise; random_walk 1e-05; range 35"),
    ],
)
def test_every_figure_in_effect_is_named(figures, said):
    assert said in gyroscope(rate=100.0, **figures)


def test_a_figure_per_sample_is_not_named_where_a_density_rules():
    assert "0.5" not in gyroscope(noise_density=1e-3, noise_stddev=0.5, rate=100.0)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({}, "0.01 rad/s at 100 Hz, growing with the root of the rate"),
        ({"bandwidth": 100.0}, "at 100 Hz, growing with the root of the rate up to 314.2 Hz"),
        ({"bandwidth": 10.0}, "0.005605 rad/s at 100 Hz; bandwidth 10"),
        (
            {"integration_time": 0.0025},
            "0.02 rad/s at 100 Hz, growing with the root of the rate from 400 Hz on",
        ),
    ],
)
def test_without_a_rate_it_says_how_sigma_grows(figures, said):
    assert said in gyroscope(rate=0.0, noise_density=1e-3, **figures)
