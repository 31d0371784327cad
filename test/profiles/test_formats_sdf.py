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

"""Noise of SDF and URDF: per sample at the sensor's rate, by axis, with Gazebo's meaning."""

import math
from xml.etree import ElementTree

import format_files
import numpy as np
import pytest

from imu_noise_node.errors import InputError, ParameterError, UnknownNameError
from imu_noise_node.model.spec import figures_given
from imu_noise_node.profiles.formats import Ask, sdf

GYRO = f"<angular_velocity>{format_files.axis('x', 0.02)}</angular_velocity>"


def read(text, **said):
    return sdf.read(ElementTree.fromstring(text), Ask("model.sdf", **said))


def test_each_axis_is_read_at_the_rate_of_the_sensor():
    found = read(format_files.SDF)
    triad = found.spec.gyroscope
    assert triad.noise_density == pytest.approx([0.001, 0.002, 0.003], rel=1e-12)
    assert triad.constant_bias == pytest.approx([0.5, 0.1, 0.0])
    assert triad.turn_on_bias_stddev == pytest.approx([0.0, 0.2, 0.0])
    assert triad.bias_stddev == pytest.approx([0.0, 0.0, 0.03], rel=1e-12)
    assert triad.bias_correlation_time == pytest.approx([0.0, 0.0, 200.0])
    assert triad.resolution == pytest.approx([0.0, 0.0, 0.001])
    accelerometer = found.spec.accelerometer
    assert np.all(np.asarray(accelerometer.noise_density) == 0.0)
    assert found.notes == [
        "bias_mean keeps its sign here; Gazebo gives it a random one in each run"
    ]
    assert found.about == {"name": "imu"}


def test_the_dynamic_bias_has_the_law_that_gazebo_steps():
    """Gazebo: b = b exp(-dt/tau) + normal of variance q^2 tau/2 (1 - exp(-2 dt/tau))."""
    q, tau, dt = 0.003, 200.0, 0.01
    variance = 0.0
    for _ in range(200_000):
        step = q * q * tau / 2 * -math.expm1(-2 * dt / tau)
        variance = variance * math.exp(-2 * dt / tau) + step
    triad = read(format_files.SDF).spec.gyroscope
    assert triad.bias_stddev[2] == pytest.approx(math.sqrt(variance), rel=1e-6)


def test_the_rate_is_of_the_file_or_else_of_the_user():
    text = format_files.model(format_files.sensor(GYRO, rate=""))
    with pytest.raises(InputError, match=r"at how many samples per second is it.*pass --rate HZ"):
        read(text)
    density = 0.02 / math.sqrt(100)
    assert read(text, rate=100.0).spec.gyroscope.noise_density[0] == pytest.approx(density)
    # In Gazebo, 0 is one sample for each step of the physics.
    zero = format_files.model(format_files.sensor(GYRO, rate="<update_rate>0</update_rate>"))
    with pytest.raises(InputError, match="pass --rate"):
        read(zero)
    assert read(format_files.SDF, rate=1.0).spec.gyroscope.noise_density[0] == pytest.approx(0.001)
    # Without white noise there is nothing that depends on it.
    bias = format_files.axis("x", 0.0, mean=0.5)
    quiet = format_files.sensor(f"<angular_velocity>{bias}</angular_velocity>", rate="")
    assert read(format_files.model(quiet)).spec.gyroscope.constant_bias[0] == 0.5


def test_the_older_form_is_for_all_axes():
    noise = (
        "<noise><type>gaussian</type><rate><mean>0</mean><stddev>0.02</stddev>"
        "<bias_mean>0.01</bias_mean></rate><accel><stddev>0.04</stddev></accel></noise>"
    )
    found = read(format_files.model(format_files.sensor(noise)))
    expected = {"noise_density": 0.001, "constant_bias": 0.01}
    assert figures_given(found.spec.gyroscope) == pytest.approx(expected)
    assert figures_given(found.spec.accelerometer) == pytest.approx({"noise_density": 0.002})


def test_a_urdf():
    sensor = format_files.sensor(GYRO)
    found = read(f'<robot><gazebo reference="imu_link">{sensor}</gazebo></robot>')
    assert found.spec.gyroscope.noise_density[0] == pytest.approx(0.001)


def test_of_several_sensors_one_must_be_named():
    left, right = (format_files.sensor(GYRO, name=name) for name in ("left", "right"))
    text = format_files.model(left, right)
    with pytest.raises(InputError, match="several: left, right; pass --name"):
        read(text)
    with pytest.raises(UnknownNameError, match=r"unknown imu sensor 'rihgt'.*'right'"):
        read(text, name="rihgt")
    assert read(text, name="right").about == {"name": "right"}
    # Of the same name, each goes by its link as well.
    with pytest.raises(InputError, match="several: link0/left, link1/left;"):
        read(format_files.model(left, left))
    assert read(format_files.model(left, left), name="link1/left")
    with pytest.raises(InputError, match="several: link0/left, link0/left#2;"):
        read(format_files.model(left + left))


def test_what_has_no_imu_or_no_noise_is_refused():
    other = '<sensor name="gps" type="navsat"><update_rate>1</update_rate></sensor>'
    with pytest.raises(InputError, match="must have a sensor of type imu"):
        read(format_files.model(other))
    none = '<angular_velocity><x><noise type="none"/></x></angular_velocity>'
    for inside in ("", none):
        with pytest.raises(InputError, match="must have a noise in its sensor imu"):
            read(format_files.model(format_files.sensor(inside)))


def test_a_value_that_is_wrong_is_named():
    for stddev, said in (
        ("${noise}", "angular_velocity/x/stddev = '.*': must be a number: run xacro"),
        ("much", "angular_velocity/x/stddev = 'much': must be a finite number"),
        ("-1", "angular_velocity/x/stddev = '-1': must be a finite number, 0 or more"),
        ("nan", "must be a finite number"),
    ):
        axis = f"<angular_velocity>{format_files.axis('x', stddev)}</angular_velocity>"
        with pytest.raises(ParameterError, match=said):
            read(format_files.model(format_files.sensor(axis)))
    loud = GYRO.replace('"gaussian"', '"loud"')
    with pytest.raises(ParameterError, match="noise type = 'loud': must be none, gaussian"):
        read(format_files.model(format_files.sensor(loud)))
    rate = "<update_rate>-5</update_rate>"
    with pytest.raises(ParameterError, match="update_rate = '-5'"):
        read(format_files.model(format_files.sensor(GYRO, rate=rate)))


def test_what_is_not_taken_over_is_told():
    odd = format_files.axis(
        "x", 0.02, more="<colour>1</colour><dynamic_bias_stddev>1</dynamic_bias_stddev>"
    )
    inside = f"<angular_velocity>{odd}</angular_velocity><grv_dir_x>1 0 0</grv_dir_x>"
    notes = "\n".join(read(format_files.model(format_files.sensor(inside))).notes)
    assert "grv_dir_x, noise/colour" in notes
    assert "without a correlation time has no effect" in notes
    assert "topic" not in notes
    moving = format_files.axis(
        "x",
        0.02,
        more="<bias_stddev>1</bias_stddev><dynamic_bias_stddev>1</dynamic_bias_stddev>"
        "<dynamic_bias_correlation_time>9</dynamic_bias_correlation_time>",
    )
    inside = f"<angular_velocity>{moving}</angular_velocity>"
    assert (
        "fades with the dynamic bias"
        in read(format_files.model(format_files.sensor(inside))).notes[0]
    )
