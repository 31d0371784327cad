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

"""What the node publishes, and what it says of its uncertainty."""

import math

import numpy as np
import pytest
from graph import (
    IDENTITY,
    MS,
    SECOND,
    G,
    Vector3Stamped,
    forces,
    ideal,
    odometry,
    parked,
    rates,
    stamps,
    vectors,
)

START = 1000 * SECOND
FULL = {
    "gyroscope.noise_density": [1e-3, 2e-3, 3e-3],
    "gyroscope.constant_bias": 0.01,
    "gyroscope.bias_stddev": 0.1,
    "gyroscope.bias_correlation_time": 1.0,
    "gyroscope.random_walk": 0.05,
    "accelerometer.noise_density": 1e-2,
    "accelerometer.turn_on_bias_stddev": 0.3,
    "accelerometer.bias_instability": 0.1,
    "accelerometer.bias_instability_band": [0.1, 10.0],
}


def ticks(count, start=START, step=10 * MS):
    return parked(*(start + k * step for k in range(count)))


def covariances(messages):
    """The two 3 x 3 covariances of each message, shape (n, 6, 6)."""
    found = np.zeros((len(messages), 6, 6))
    for k, m in enumerate(messages):
        found[k, :3, :3] = m.angular_velocity_covariance.reshape(3, 3)
        found[k, 3:, 3:] = m.linear_acceleration_covariance.reshape(3, 3)
    return found


def readings(messages):
    return np.concatenate([rates(messages), forces(messages)], axis=1)


def test_a_message_is_what_rep_145_asks_for(graph):
    graph.start(
        {
            "frame_id": "imu/front",
            "gyroscope.noise_density": [1e-3, 2e-3, 0.0],
            "accelerometer.noise_density": 1e-2,
            "accelerometer.resolution": 0.12,
        }
    )
    for message in graph.send(ticks(3)):
        assert message.header.frame_id == "imu/front"
        assert message.orientation == ideal(0).orientation
        assert message.orientation_covariance.tolist() == [-1.0, *[0.0] * 8]
        # N^2/dt at 100 Hz, and a twelfth of the squared resolution.
        assert message.angular_velocity_covariance == pytest.approx(
            np.diag([1e-4, 4e-4, 0.0]).ravel(), rel=1e-12
        )
        assert message.linear_acceleration_covariance == pytest.approx(
            np.diag([1e-2 + 0.0012] * 3).ravel(), rel=1e-12
        )


def test_the_covariance_follows_the_interval(graph):
    graph.start({"gyroscope.noise_density": 1e-3, "accelerometer.noise_stddev": 0.1})
    steps = np.array([10, 5, 20, 2.5, 10]) * MS
    given = [START, *(START + np.cumsum(steps).astype(int)).tolist()]
    found = covariances(graph.send(parked(*given)))
    assert found[:, 0, 0] == pytest.approx(1e-6 / (steps / SECOND), rel=1e-12)
    assert found[:, 5, 5] == pytest.approx([0.01] * 5, rel=1e-12)


def test_correlated_axes_are_reported_with_their_correlation(graph):
    covariance = [2e-6, 1e-6, 0.0, 1e-6, 2e-6, 0.0, 0.0, 0.0, 1e-6]
    graph.start({"gyroscope.noise_covariance": covariance})
    (sample,) = graph.send(ticks(2))
    assert sample.angular_velocity_covariance == pytest.approx(
        np.array(covariance) / 0.01, rel=1e-12, abs=1e-18
    )


def test_given_standard_deviations_are_reported_instead(graph):
    graph.start(
        {
            "gyroscope.noise_density": 1e-3,
            "accelerometer.noise_density": 1e-2,
            "angular_velocity_stddev": 0.5,
            "linear_acceleration_stddev": [0.1, 0.0, 0.3],
        }
    )
    (sample,) = graph.send(ticks(2))
    assert sample.angular_velocity_covariance.tolist() == np.diag([0.25] * 3).ravel().tolist()
    # 0 is what holds: N^2/dt.
    assert sample.linear_acceleration_covariance == pytest.approx(
        np.diag([0.01, 0.01, 0.09]).ravel(), rel=1e-12
    )
    assert graph.set("angular_velocity_stddev", 0) == ""
    (sample,) = graph.send(ticks(1, START + 20 * MS))
    assert sample.angular_velocity_covariance[0] == pytest.approx(1e-4)


def test_total_covariance_adds_the_variance_of_the_biases(graph):
    """Of a walk, K^2 times the time since the start; of a turn-on bias, its own."""
    graph.start(
        {
            "covariance": "total",
            "gyroscope.noise_density": 1e-3,
            "gyroscope.random_walk": 0.1,
            "accelerometer.turn_on_bias_stddev": 0.2,
            "accelerometer.noise_density": 1e-2,
        }
    )
    samples = graph.send(ticks(101))
    found = covariances(samples)
    age = np.arange(100) * 0.01
    # The fresh part: white noise, and the walk's own in the interval, K^2 dt/3.
    assert found[:, 1, 1] == pytest.approx(1e-4 + 0.01 * 0.01 / 3 + 0.01 * age, rel=1e-9)
    assert found[:, 4, 4] == pytest.approx([0.01 + 0.04] * 100, rel=1e-9)
    assert graph.set("covariance", "sample") == ""
    (sample,) = graph.send(ticks(1, START + 1010 * MS))
    assert covariances([sample])[0, 4, 4] == pytest.approx(0.01, rel=1e-9)


def test_measured_is_truth_plus_bias_plus_noise_of_the_published_covariance(graph):
    """Chi-square of six axes over 2000 samples, 12000 degrees of freedom.

    Its mean is 12000 and its sigma 154.9; five sigmas are passed by chance once in 1.7e6 runs.
    """
    graph.start({**FULL, "seed": 5})
    truths = graph.hear("/imu_noise/truth")
    gyroscope = graph.hear("/imu_noise/bias/gyroscope", Vector3Stamped)
    accelerometer = graph.hear("/imu_noise/bias/accelerometer", Vector3Stamped)
    given = [
        odometry(
            START + k * 5 * MS,
            orientation=(0.0, 0.0, math.sin(k * 0.0025), math.cos(k * 0.0025)),
            rate=(0.0, 0.0, 1.0),
        )
        for k in range(2001)
    ]
    samples = graph.send(given)
    for heard in (truths, gyroscope, accelerometer):
        graph.until(lambda heard=heard: len(heard) == 2000, "2000 messages of the sensor's inside")
        assert stamps(heard) == stamps(samples)
        assert {message.header.frame_id for message in heard} == {"imu_link"}
    assert readings(truths) == pytest.approx(np.tile([0, 0, 1, 0, 0, G], (2000, 1)), abs=1e-9)
    bias = np.concatenate(
        [vectors([m.vector for m in heard]) for heard in (gyroscope, accelerometer)], axis=1
    )
    assert np.std(bias, axis=0).min() > 0.01
    noise = readings(samples) - readings(truths) - bias
    variances = np.diagonal(covariances(samples), axis1=1, axis2=2)
    assert (variances > 0.0).all()
    assert abs((noise**2 / variances).sum() - 12000.0) < 5.0 * math.sqrt(24000.0)
    # Were the biases left in, nothing would fit.
    assert ((readings(samples) - readings(truths)) ** 2 / variances).sum() > 5 * 12000.0


def test_the_sensor_is_opened_only_while_somebody_looks(graph):
    graph.start(FULL)
    outputs = graph.node._instruments[""]._outputs
    inside = [outputs._truth, *outputs._biases.values()]
    published = dict.fromkeys(inside, 0)
    for topic in inside:
        publisher = topic._publisher

        def publish(message, topic=topic, publish=publisher.publish):
            published[topic] += 1
            publish(message)

        publisher.publish = publish
    graph.send(ticks(10))
    assert set(published.values()) == {0}
    seen = []
    subscription = graph.listen("/imu_noise/bias/gyroscope", Vector3Stamped, seen.append)
    graph.send(ticks(10, START + SECOND))
    assert list(published.values()) == [0, 9, 0]
    graph.until(lambda: len(seen) == 9, "nine biases")
    graph.peer.destroy_subscription(subscription)
    graph.until(lambda: not inside[1].wanted(), "the publisher to notice")
    graph.send(ticks(10, START + 2 * SECOND))
    assert list(published.values()) == [0, 9, 0]


def test_looking_inside_changes_no_sample(graph):
    runs = []
    for name in ("/seen", "/unseen"):
        graph.start(FULL, namespace=name)
        if name == "/seen":
            graph.hear("/seen/imu_noise/truth")
            graph.hear("/seen/imu_noise/bias/gyroscope", Vector3Stamped)
        runs.append(graph.send(ticks(200), f"{name}/odom", f"{name}/imu/data_raw"))
    assert runs[0] == runs[1]


def test_truth_has_no_covariance_and_the_true_orientation(graph):
    graph.start({"mount.rpy": [0.0, 0.0, math.pi / 2]})
    truths = graph.hear("/imu_noise/truth")
    graph.send(ticks(2))
    graph.until(lambda: truths, "a truth")
    (truth,) = truths
    assert not covariances([truth]).any()
    assert not truth.orientation_covariance.any()
    q = truth.orientation
    assert (q.x, q.y, q.z, q.w) == pytest.approx((0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)))


def test_by_default_there_is_no_orientation_topic(graph):
    graph.start()
    graph.send(ticks(2))
    topics = dict(graph.peer.get_topic_names_and_types())
    assert "/imu/data_raw" in topics
    assert "/imu/data" not in topics


@pytest.mark.parametrize(
    ("stddev", "covariance"),
    [(0.0, [0.0, 0.0, 0.0]), (0.01, [1e-4] * 3), ([0.01, 0.02, 0.03], [1e-4, 4e-4, 9e-4])],
)
def test_orientation_truth_publishes_the_sensors_attitude(graph, stddev, covariance):
    graph.start(
        {
            "orientation": "truth",
            "orientation_stddev": stddev,
            "mount.rpy": [math.pi / 2, 0.0, 0.0],
            "gyroscope.noise_density": 1e-3,
        }
    )
    full = graph.hear("/imu/data")
    half = 0.3
    turned = odometry(START + 10 * MS, orientation=(0.0, 0.0, math.sin(half), math.cos(half)))
    (raw,) = graph.send([*ticks(1), turned])
    graph.until(lambda: full, "imu/data")
    (message,) = full
    q = message.orientation
    c, s = math.cos(half), math.sin(half)
    r = math.sqrt(0.5)
    assert (q.x, q.y, q.z, q.w) == pytest.approx((c * r, s * r, s * r, c * r), abs=1e-15)
    assert message.orientation_covariance == pytest.approx(np.diag(covariance).ravel())
    # All else is as in data_raw, which has no orientation.
    assert raw.orientation_covariance[0] == -1.0
    message.orientation, message.orientation_covariance = (
        raw.orientation,
        raw.orientation_covariance,
    )
    assert message == raw


def test_an_orientation_that_is_not_known_is_denied(graph):
    graph.start({"orientation": "truth", "truth_source": "imu"})
    full = graph.hear("/imu/data")
    graph.send(
        [ideal(START, orientation=None), ideal(START + 10 * MS, orientation=None)], "/imu/ideal"
    )
    graph.until(lambda: full, "imu/data")
    graph.send([ideal(START + 20 * MS)], "/imu/ideal")
    graph.until(lambda: len(full) == 2, "imu/data")
    assert [message.orientation_covariance[0] for message in full] == [-1.0, 0.0]
    assert full[1].orientation == ideal(0, orientation=IDENTITY).orientation


def test_range_and_resolution_are_kept_to(graph):
    graph.start(
        {
            "accelerometer.range": 9.5,
            "accelerometer.resolution": 0.5,
            "accelerometer.noise_density": 0.1,
        }
    )
    read = forces(graph.send(ticks(500)))
    assert (np.rint(read / 0.5) * 0.5 == read).all()
    assert read.max() == 9.5
    assert len(np.unique(read[:, 0])) > 3


def test_both_kinds_of_subscriber_get_every_sample(graph):
    graph.start()
    best_effort = []
    graph.listen("/imu/data_raw", type(ideal(0)), best_effort.append, reliable=False)
    samples = graph.send(ticks(200))
    graph.until(lambda: len(best_effort) == 199, "as many for a best-effort subscriber")
    assert best_effort == samples
