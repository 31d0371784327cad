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

"""The magnetometer and the temperature of the node, over DDS."""

import math

import numpy as np
import pytest
from graph import MS, SECOND, odometry, rates
from sensor_msgs.msg import MagneticField, Temperature

START = 1000 * SECOND
QUARTER_LEFT = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))


def turned(count, start=START):
    return [odometry(start + 10 * k * MS, orientation=QUARTER_LEFT) for k in range(count)]


def test_the_world_field_is_read_in_the_axes_of_the_sensor(graph):
    graph.start(
        {
            "magnetic_field": [2e-5, 0.0, -4e-5],
            "magnetometer.constant_bias": [1e-6, 0.0, 0.0],
            "magnetometer.cross_axis": 0.1,
            "magnetometer.noise_density": 1e-12,
            "frame_id": "compass",
        }
    )
    heard = graph.hear("/imu/mag", MagneticField)
    samples = graph.send(turned(3))
    graph.until(lambda: len(heard) == 2, "both fields")
    # East is to the right of a body that looks north.
    hard_and_soft_iron = np.array([1e-6 + 0.1 * (-6e-5), -2e-5 - 0.4e-5, -4e-5 - 0.2e-5])
    for field, sample in zip(heard, samples, strict=True):
        assert field.header == sample.header
        read = field.magnetic_field
        assert np.allclose([read.x, read.y, read.z], hard_and_soft_iron, rtol=0, atol=1e-10)
        assert field.magnetic_field_covariance == pytest.approx(
            np.diag([1e-22] * 3).ravel(), rel=1e-12
        )


def test_texts_with_units_say_the_same(graph):
    graph.start({"magnetic_field": ["0 G", "0 G", "0.5 G"], "magnetic_field_stddev": "5 mG"})
    heard = graph.hear("/imu/mag", MagneticField)
    graph.send(turned(2))
    graph.until(lambda: heard, "a field")
    assert heard[0].magnetic_field.z == pytest.approx(5e-5, rel=1e-12)
    assert heard[0].magnetic_field_covariance[0] == pytest.approx(25e-14, rel=1e-12)


def test_without_a_field_there_is_no_magnetometer(graph):
    graph.start()
    graph.send(turned(2))
    assert not [p for p in graph.node.publishers if p.topic_name == "/imu/mag"]


def test_temperature_can_be_given_while_the_node_runs(graph):
    graph.start({"gyroscope.temperature_bias": "0.1 deg/s/K", "temperature": 25.0})
    (cold,) = graph.send(turned(2))
    assert graph.set("temperature", 35.0) == ""
    (warm,) = graph.send(turned(1, START + 20 * MS))
    assert np.allclose(rates([cold]), 0.0, rtol=0, atol=1e-15)
    assert np.allclose(rates([warm]), math.radians(1.0), rtol=1e-12, atol=0)


def test_temperature_comes_by_topic_and_the_sensor_tells_its_own(graph):
    graph.start({"gyroscope.temperature_bias": "0.1 deg/s/K", "warm_up_time": 0.3})
    air = graph.matched(Temperature, "/temperature")
    graph.send(turned(2))
    assert not [p for p in graph.node.publishers if p.topic_name == "/imu/temperature"]
    air.publish(Temperature(temperature=35.0))
    graph.until(
        lambda: graph.node._instruments[""].pipeline.temperature == 35.0,
        "the warmth",
        [graph.node],
    )
    graph.send(turned(1, START + 20 * MS))
    heard = graph.hear("/imu/temperature", Temperature)
    (warm,) = graph.send(turned(1, START + 30 * MS))
    graph.until(lambda: heard, "the sensor's temperature")
    # A time constant of 0.1 s, 20 ms after the air became warm.
    own = 35.0 - 10.0 * math.exp(-0.2)
    assert heard[0].temperature == pytest.approx(own, rel=1e-12)
    # Over the last interval it went from exp(-0.1) to exp(-0.2) of the way.
    mean = 10.0 - 10.0 * (math.exp(-0.1) - math.exp(-0.2)) / 0.1
    assert np.allclose(rates([warm]), math.radians(0.1 * mean), rtol=1e-9, atol=0)
    air.publish(Temperature(temperature=math.nan))
    graph.send(turned(1, START + 40 * MS))
    assert graph.node._instruments[""].pipeline.temperature == 35.0
