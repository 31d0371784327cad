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

"""Real recordings, which are not part of the project; see `shared_data` in test/conftest.py."""

from __future__ import annotations

import numpy as np
import pytest

from imu_noise_node.errors import InputError
from imu_noise_node.recordings.reading import read_imu
from imu_noise_node.recordings.timing import examine
from imu_noise_node.recordings.values import examine_values

G = 9.80665


@pytest.fixture
def recording(shared_data):
    """Return a function that finds a recording by name."""

    def recording(name: str):
        path = shared_data / "recordings" / name
        if not path.exists():
            pytest.skip(f"no {name}")
        if path.is_dir() or path.suffix in (".bag", ".mcap", ".db3"):
            pytest.importorskip("rosbags", reason="reads bags; needs rosbags")
        return path

    return recording


def test_a_phidgets_imu_upside_down_has_lost_some_readings(recording):
    record = read_imu(recording("phidgets_imu_upside_down.bag"))
    assert record.values.shape == (6, 13964)
    timing = examine(record.stamps)
    assert timing.rate == pytest.approx(250.0, rel=5e-4)
    assert record.values[5].mean() == pytest.approx(-9.88, abs=0.05)
    # With those that are missing, there are as many as fit into the time between first and last.
    lost = np.round(timing.gap_lengths * 250.0 - 1.0).sum()
    length = (record.stamps[-1] - record.stamps[0]) / 1e9
    assert lost == 97
    assert 13964 + lost == pytest.approx(length * 250.0, abs=3.0)


def test_a_simulated_jackal_is_regular(recording):
    record = read_imu(recording("robot_localization_test2_jackal_sim.bag"), "/imu/data")
    timing = examine(record.stamps)
    assert timing.is_regular
    assert (timing.count, timing.rate, timing.jitter) == (3061, 50.0, 0.0)
    assert record.values[5].mean() == pytest.approx(G, abs=0.1)


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("nav2_turtlebot.mcap", r"/odom \(nav_msgs/msg/Odometry, 2639\), /tf"),
        ("tf_example", r"/tf \(tf2_msgs/msg/TFMessage, 517\), /tf_static"),
        ("tf_example/tf_example.db3", r"/tf \(tf2_msgs/msg/TFMessage, 517\), /tf_static"),
        ("rotors_waypoint_example.bag.gz", r"/ground_truth/pose \(geometry_msgs/msg/PoseStamped"),
    ],
)
def test_a_bag_without_an_imu_says_what_it_has(recording, name, has):
    pytest.importorskip("rosbags", reason="reads bags; needs rosbags")
    with pytest.raises(InputError, match=f"no topic of type sensor_msgs/msg/Imu; it has: .*{has}"):
        read_imu(recording(name))


def test_eurocs_own_format(recording):
    record = read_imu(recording("euroc_V1_01_imu0_data.csv.gz"))
    assert record.stamps[0] == 1403715273262142976
    assert record.values[:, 0].tolist() == [
        *(-0.0020943951023931952, 0.017453292519943295, 0.07749261878854824),
        *(9.0874956666666655, 0.13075533333333333, -3.6938381666666662),
    ]
    timing = examine(record.stamps)
    assert timing.is_regular
    assert timing.rate == pytest.approx(200.0, rel=1e-6)
    assert timing.jitter < 1e-6


def test_eurocs_ground_truth_is_no_recording_of_an_imu(recording):
    with pytest.raises(InputError, match="which column is of a gyroscope or an accelerometer"):
        read_imu(recording("euroc_V1_01_groundtruth_openvins.csv.gz"))


def test_a_phone_app_without_header(recording):
    record = read_imu(recording("glopes_phone_static.csv"))
    assert record.values[:, 0].tolist() == [0.0, 0.002, 0.0, -0.044, -0.11, 9.736]
    assert record.stamps[0] == 683_432_729_890_000
    timing = examine(record.stamps)
    assert timing.is_regular
    assert timing.count == 950
    assert timing.rate == pytest.approx(100.0, rel=1e-4)
    # Its resolution is as large as the noise: readings repeat, but by chance.
    found = examine_values(record.values)
    assert found.repeated["gyroscope"] > 5
    assert found.sentences() == []


def test_counts_of_an_adis16405(recording):
    columns = {
        "angular_velocity": "gyro_counts_0p05dps",
        "linear_acceleration": "accel_counts_0p00333g",
    }
    path = recording("adis16405_static_100hz.npz")
    units = {"gyroscope_unit": "0.05 deg/s", "accelerometer_unit": "0.00333 g"}
    record = read_imu(path, columns=columns, **units)
    timing = examine(record.stamps)
    assert timing.is_regular
    assert (timing.count, timing.rate) == (560_000, 100.0)
    first = np.array([-1, -6, 14, -2, 0, -305])
    expected = first * np.repeat([np.radians(0.05), 0.00333 * G], 3)
    np.testing.assert_allclose(record.values[:, 0], expected, rtol=1e-14)
    assert record.values[5].mean() == pytest.approx(-1.016 * G, rel=2e-3)
    assert examine_values(record.values).sentences() == []
    with pytest.raises(InputError, match="holds counts; what is one worth"):
        read_imu(path, columns=columns)
