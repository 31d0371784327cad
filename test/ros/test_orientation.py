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

"""Orientation and increments that the node reports, over DDS."""

import math

import numpy as np
import pytest
from graph import MS, SECOND, Imu, Vector3Stamped, odometry, parked, vectors

START = 1000 * SECOND


def added(messages):
    return vectors([m.vector for m in messages])


def quaternions(messages):
    return np.array([[getattr(m.orientation, c) for c in "xyzw"] for m in messages])


def test_a_noisy_orientation_errs_about_the_axes_of_the_world_by_its_sigma(graph):
    sigma = np.array([0.01, 0.02, 0.05])
    graph.start({"orientation": "noisy", "orientation_stddev": sigma.tolist()})
    count = 2000
    attitude = (0.0, 0.0, math.sin(0.6), math.cos(0.6))
    truth = [odometry(START + 10 * k * MS, orientation=attitude) for k in range(count + 1)]
    samples = graph.send(truth, output="/imu/data")
    q = quaternions(samples)
    assert np.allclose(np.linalg.norm(q, axis=1), 1.0, rtol=0, atol=1e-12)
    # Error in the world: q_noisy q_true^-1, whose vector part is half the rotation.
    x, y, z, w = q.T
    s, c = math.sin(0.6), math.cos(0.6)
    errors = 2.0 * np.stack([x * c - y * s, y * c + x * s, z * c - w * s], axis=1)
    # n = 2000 squares: within 6 sqrt(2/n), 19 %, but once in 5e8 runs; the small-angle
    # approximation is right to 1e-3.
    assert np.allclose(errors.var(axis=0), sigma**2, rtol=0.19, atol=0)
    assert np.abs(errors.mean(axis=0) / sigma).max() < 6.0 / math.sqrt(count)
    for message in samples[:3]:
        assert message.orientation_covariance == pytest.approx(np.diag(sigma**2).ravel())


def test_a_noisy_orientation_needs_a_sigma(graph):
    with pytest.raises(ValueError, match=r"must be above 0 \[rad\] where orientation is noisy"):
        graph.start({"orientation": "noisy"})


def test_the_truth_stays_the_truth(graph):
    graph.start({"orientation": "noisy", "orientation_stddev": 0.1})
    truth = graph.hear("/imu_noise/truth")
    graph.send(parked(*(START + 10 * k * MS for k in range(4))))
    graph.until(lambda: len(truth) == 3, "the truth")
    assert np.array_equal(quaternions(truth), [[0.0, 0.0, 0.0, 1.0]] * 3)


def test_increments_add_up_to_the_turn_and_the_velocity(graph):
    graph.start({"increments": True, "increments_scale": 2.0})
    angles, velocities = (graph.hear(f"/imu/{name}", Vector3Stamped) for name in ("dtheta", "dv"))
    rate, dt = 2.0, 0.01
    truth = [
        odometry(
            START + 10 * k * MS,
            orientation=(0.0, 0.0, math.sin(0.5 * rate * dt * k), math.cos(0.5 * rate * dt * k)),
            velocity=(math.sin(rate * dt * k), math.cos(rate * dt * k), 0.0),
            rate=(0.0, 0.0, rate),
        )
        for k in range(11)
    ]
    # Seen from the world the body goes straight, along y, at 1 m/s; it only turns.
    samples = graph.send(truth)
    graph.until(lambda: len(angles) == len(velocities) == 10, "the increments")
    assert isinstance(samples[0], Imu)
    assert np.allclose(added(angles), [0.0, 0.0, 2.0 * rate * dt], rtol=0, atol=1e-9)
    # Nothing but gravity, which is along the axis of the turn.
    assert np.allclose(added(velocities), [0.0, 0.0, 2.0 * 9.80665 * dt], rtol=0, atol=1e-9)
    assert angles[0].header == samples[0].header
