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

"""The peer that the model is compared with has the same error terms."""

import math

import numpy as np
import pytest

from benchmarks import figures, peer
from imu_noise_node import ImuModel

imu_error_model = pytest.importorskip("imu_error_model", reason="comes with make bench")

SENSORS = list(figures.FULL)


@pytest.fixture
def config():
    return peer.config(figures.FULL)


def test_its_white_noise_is_ours(config):
    dt = 0.0025
    theirs = peer.Peer(figures.FULL)
    outputs = [theirs.sample(dt) for _ in range(4000)]
    for sensor, values in {
        "gyroscope": [output.angular_rate for output in outputs],
        "accelerometer": [output.acceleration for output in outputs],
    }.items():
        sigma = np.diff(values, axis=0).std() / math.sqrt(2.0)
        assert sigma == pytest.approx(
            figures.FULL[sensor]["noise_density"] / math.sqrt(dt), rel=0.05
        )


@pytest.mark.parametrize("sensor", SENSORS)
def test_its_slow_bias_is_ours(config, sensor):
    channel, ours = getattr(config, sensor), figures.FULL[sensor]
    assert channel.turn_on_bias_std == ours["turn_on_bias_stddev"]
    assert channel.bias_std == ours["bias_stddev"]
    assert channel.bias_correlation_time == ours["bias_correlation_time"]


@pytest.mark.parametrize("sensor", SENSORS)
def test_its_flicker_has_our_floor(config, sensor):
    from imu_error_model.processes import FlickerBiasProcess, flicker_component_parameters

    taus, sigmas = flicker_component_parameters(getattr(config, sensor))
    centre = math.sqrt(figures.BAND[0] * figures.BAND[1])
    theirs = math.sqrt(
        sum(
            FlickerBiasProcess.allan_variance(sigma**2, tau, centre)
            for tau, sigma in zip(taus, sigmas, strict=True)
        )
    )
    ours = ImuModel(figures.spec(figures.FULL)).theory.allan_deviation([centre])
    assert len(taus) == 8
    assert theirs == pytest.approx(ours[sensor]["flicker"][0, 0], rel=0.02)
