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

"""Real recordings and a physics engine's body, played through the live node.

The data are not part of the project; see `shared_data` in test/conftest.py.
"""

import gzip
import math

import numpy as np
import pytest
from graph import SECOND, G, forces, odometry, rates, stamps

highlevel = pytest.importorskip("rosbags.highlevel", reason="reads bags; needs rosbags")
rotation = pytest.importorskip("scipy.spatial.transform", reason="needs SciPy").Rotation
typesys = pytest.importorskip("rosbags.typesys")


def read(path, *topics):
    """Return the messages of each topic of a bag, in order."""
    if not path.exists():
        pytest.skip(f"no {path.name}")
    store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    found = {topic: [] for topic in topics}
    with highlevel.AnyReader([path], default_typestore=store) as bag:
        chosen = [connection for connection in bag.connections if connection.topic in topics]
        for connection, _, raw in bag.messages(connections=chosen):
            found[connection.topic].append(bag.deserialize(raw, connection.msgtype))
    return [found[topic] for topic in topics]


def stamp(message):
    time = message.header.stamp
    return time.sec * SECOND + time.nanosec


def xyz(field):
    return (field.x, field.y, field.z)


def joined(pose, twist, at):
    """An Odometry of a recorded pose and twist."""
    q = pose.orientation
    return odometry(
        at, xyz(pose.position), (q.x, q.y, q.z, q.w), xyz(twist.linear), xyz(twist.angular)
    )


def recorded_odometry(path, topic):
    (messages,) = read(path, topic)
    return [joined(m.pose.pose, m.twist.twist, stamp(m)) for m in messages]


def attitudes(truth):
    orientations = [m.pose.pose.orientation for m in truth]
    return np.array([[q.x, q.y, q.z, q.w] for q in orientations])


@pytest.fixture
def turtlebot(shared_data):
    return recorded_odometry(shared_data / "recordings/nav2_turtlebot.mcap", "/odom")


def test_a_turtlebots_odometry_becomes_samples_but_for_its_gap(graph, turtlebot):
    graph.start()
    samples = graph.send(turtlebot)
    assert graph.counts == {"baseline": 1, "gap": 1, "samples": 2637}
    given = stamps(turtlebot)
    (gap,) = np.flatnonzero(np.diff(given) > 0.5 * SECOND)
    assert given[gap + 1] - given[gap] == 1_764_000_000
    assert stamps(samples) == [s for k, s in enumerate(given) if k not in (0, gap + 1)]
    assert np.isfinite(rates(samples)).all()
    assert np.isfinite(forces(samples)).all()
    assert np.abs(rates(samples)[:, 2]).max() < 1.0
    assert np.abs(forces(samples)[:, 0]).max() < 2.1


def test_at_rest_the_turtlebot_reads_gravity_within_its_noise(graph, turtlebot):
    """161 samples at rest, six axes.

    Of their means, six sigmas are passed by chance once in 8e7 runs; of their variances, whose
    sigma is 0.112, 0.4 and 1.8 are 5.4 and 7.1 sigmas away, once in 1e7 runs.
    """
    graph.start({"gyroscope.noise_density": 2e-4, "accelerometer.noise_density": 2e-3, "seed": 1})
    samples = graph.send(turtlebot)
    speeds = np.array(
        [[*xyz(m.twist.twist.linear), *xyz(m.twist.twist.angular)] for m in turtlebot]
    )
    still = np.abs(speeds).max(axis=1) < 2e-3
    index = {at: k for k, at in enumerate(stamps(turtlebot))}
    place = np.array([index[at] for at in stamps(samples)])
    rest = still[place] & still[place - 1]
    assert rest.sum() == 161
    noise = np.concatenate([rates(samples), forces(samples) - [0.0, 0.0, G]], axis=1)[rest]
    sigma = np.repeat([2e-4, 2e-3], 3) / math.sqrt(0.036)
    assert np.abs(noise.mean(axis=0) / sigma).max() < 6.0 / math.sqrt(161)
    assert ((noise / sigma) ** 2).mean(axis=0) == pytest.approx(np.ones(6), abs=0.6)


def test_a_jackals_sign_flips_are_no_turns(graph, shared_data):
    """Ten times its quaternion changes sign; a naive difference reads 313 rad/s there."""
    bag = shared_data / "recordings/robot_localization_test2_jackal_sim.bag"
    truth = recorded_odometry(bag, "/jackal_velocity_controller/odom")
    q = attitudes(truth)
    assert ((q[1:] * q[:-1]).sum(axis=1) < 0.0).sum() == 10
    graph.start()
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 3059}
    assert 1.5 < np.abs(rates(samples)).max() < 1.7
    assert np.isfinite(forces(samples)).all()


@pytest.fixture
def drone(shared_data, tmp_path):
    """A flight whose twist is in the world frame, though its frame_id says base_link."""
    packed = shared_data / "recordings/rotors_waypoint_example.bag.gz"
    if not packed.exists():
        pytest.skip(f"no {packed.name}")
    bag = tmp_path / "rotors.bag"
    bag.write_bytes(gzip.decompress(packed.read_bytes()))
    poses, twists = read(bag, "/ground_truth/pose", "/ground_truth/twist")
    twist_at = {stamp(m): m.twist for m in twists}
    truth = [joined(m.pose, twist_at[stamp(m)], stamp(m)) for m in poses]
    assert len(truth) == 6577
    return truth


def felt(truth):
    """Rate and specific force, shape (n - 2, 3), from the positions and attitudes alone.

    Second differences, turned by the attitude half-way: right to about 1e-3 m/s^2 here.
    """
    dt = np.diff(stamps(truth)) / SECOND
    position = np.array([xyz(m.pose.pose.position) for m in truth])
    attitude = rotation.from_quat(attitudes(truth))
    turned = (attitude[:-1].inv() * attitude[1:]).as_rotvec()
    half_way = attitude[:-1] * rotation.from_rotvec(0.5 * turned)
    velocity = np.diff(position, axis=0) / dt[:, None]
    acceleration = np.diff(velocity, axis=0) / dt[1:, None]
    force = half_way[1:].inv().apply(acceleration + np.array([0.0, 0.0, G]))
    return (turned / dt[:, None])[1:], force


def rms(error):
    return float(np.sqrt((error**2).mean()))


def test_a_twist_in_the_world_frame_is_read_right_when_told(graph, drone):
    graph.start({"twist_frame": "world"})
    samples = graph.send(drone)
    assert graph.counts == {"baseline": 1, "samples": 6576}
    rate, force = felt(drone)
    assert rms(rates(samples)[1:] - rate) < 1e-4
    assert rms(forces(samples)[1:] - force) < 1e-3
    assert "twist_frame" not in graph.log


def test_a_twist_in_the_world_frame_is_pointed_out_once_when_not_told(graph, drone):
    graph.start()
    samples = graph.send(drone)
    assert graph.counts == {"baseline": 1, "samples": 6576}
    # It matters: this is what the warning is about.
    assert rms(forces(samples)[1:] - felt(drone)[1]) > 0.05
    (warning,) = [line for line in graph.warnings if "twist_frame" in line]
    assert "set twist_frame to 'world' (now 'body')" in warning


def test_without_the_twist_the_drone_feels_the_same(graph, drone):
    graph.start({"twist_frame": "pose"})
    samples = graph.send(drone)
    assert graph.counts == {"baseline": 2, "samples": 6575}
    assert rms(forces(samples) - felt(drone)[1]) < 1e-3
    assert "twist_frame" not in graph.log


MOUNT = {"mount.translation": [0.12, -0.05, 0.2], "mount.rpy": [0.0, 0.0, 1.0]}
"""The sensor site of the simulated body."""


@pytest.fixture
def body(shared_data):
    """Return a function that loads a motion simulated by MuJoCo, with its sensors' readings."""

    def load(profile):
        path = shared_data / "oracle" / f"{profile}.npz"
        if not path.exists():
            pytest.skip(f"no {path.name}")
        with np.load(path) as data:
            arrays = dict(data)
        attitude = rotation.from_quat(arrays["quaternion_xyzw"])
        velocity = attitude.inv().apply(arrays["velocity_world"])
        rows = zip(
            (arrays["t_ns"] + SECOND).tolist(),
            arrays["position"].tolist(),
            arrays["quaternion_xyzw"].tolist(),
            velocity.tolist(),
            arrays["angular_velocity_body"].tolist(),
            strict=True,
        )
        return [odometry(*row) for row in rows], arrays

    return load


# From the third interval on. The bounds are 1.5 times what the formulas reach, and 1e-11 where
# that is less.
@pytest.mark.parametrize(
    ("profile", "rate_error", "force_error"),
    [("moderate", 1e-11, 6.9e-9), ("aggressive", 2.1e-11, 1.17e-7)],
)
def test_a_simulated_body_is_felt_as_the_simulators_own_sensors_do(
    graph, body, profile, rate_error, force_error
):
    truth, arrays = body(profile)
    graph.start(MOUNT)
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 10_000}
    assert rms(rates(samples)[2:] - arrays["gyroscope_mean"][3:]) < rate_error
    assert rms(forces(samples)[2:] - arrays["accelerometer_mean"][3:]) < force_error


def test_a_slower_sensor_on_the_same_body_reads_the_mean(graph, body):
    """At 100 Hz each sample is the mean of ten, no worse than the ten of which it is made."""
    truth, arrays = body("moderate")
    graph.start({**MOUNT, "rate": 100})
    samples = graph.send(truth)
    assert graph.counts == {"baseline": 1, "samples": 1000, "between_captures": 9000}
    assert stamps(samples) == (arrays["t_ns"][10::10] + SECOND).tolist()
    rate = arrays["gyroscope_mean"][1:].reshape(1000, 10, 3).mean(axis=1)
    force = arrays["accelerometer_mean"][1:].reshape(1000, 10, 3).mean(axis=1)
    # Ten means, each in the axes of its own interval: what turning within the ten does to their
    # mean is for both sides the same.
    assert rms(rates(samples)[1:] - rate[1:]) < 1e-11
    assert rms(forces(samples)[1:] - force[1:]) < 6.9e-9
