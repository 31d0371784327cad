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

"""A truth as a block gives what the pipeline gives message by message, to the bit."""

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, ParameterError, TriadSpec, Truth
from imu_noise_node.attitude import AttitudeNoise
from imu_noise_node.motion.inertial import ImuKinematics
from imu_noise_node.motion.intervals import TimePolicy, Verdict
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.recordings.record import ImuRecord
from imu_noise_node.simulation.attitudes import noisy_orientation
from imu_noise_node.simulation.run import measure, simulate
from imu_noise_node.simulation.scene import Scene
from imu_noise_node.simulation.stream import IMU, TruthStream, stream_of
from imu_noise_node.simulation.trajectory import Trajectory

G = 9.80665
MOUNT = Mount((0.1, -0.2, 0.3), (0.4, 0.0, 1.2))
EVERYTHING = ImuSpec(
    TriadSpec(
        noise_density=2e-4,
        random_walk=1e-5,
        bias_instability=3e-5,
        turn_on_bias_stddev=0.01,
        scale_factor_stddev=0.01,
        g_sensitivity=1e-4,
        bandwidth=50.0,
        range=2.0,
        resolution=1e-4,
    ),
    TriadSpec(noise_density=2e-3, bias_stddev=1e-3, bias_correlation_time=10.0, nonlinearity=0.0),
    TriadSpec(noise_density=1e-8),
)


def stamps_with_everything():
    """400 Hz with a gap, a repeated, a late, a zero and a too early stamp, and a restart."""
    regular = 10**9 + np.arange(3000) * 2_500_000
    regular[1000:] += 2 * 10**9
    regular[2200:] -= 5 * 10**9
    odd = [1500, 1500, 1498, 1502]
    found = np.insert(regular, odd, [regular[1499], regular[1490], 0, regular[1501] + 10_000])
    jitter = np.random.default_rng(1).integers(-300_000, 300_000, len(found))
    jitter[found == 0] = 0
    jitter[:500] = 0
    jitter[1495:1510] = 0
    return (found + jitter).astype(np.int64)


def circling(stamps):
    """A body on a circle at 2 m/s and 1 rad/s, that jumps by 9 m on the way."""
    angle = stamps * 1e-9
    zero = np.zeros(len(stamps))
    x = 2.0 * np.sin(angle)
    x[700:] += 9.0
    half = angle / 2.0
    return Trajectory(
        "circle",
        stamps,
        np.column_stack([x, -2.0 * np.cos(angle), zero]),
        np.column_stack([zero, zero, np.sin(half), np.cos(half)]),
        np.column_stack([2.0 * np.cos(angle), 2.0 * np.sin(angle), zero]),
        np.column_stack([zero, zero, zero + 1.0]),
    )


def stepwise(truths, kinematics, spec, seed, policy, attitude=None, covariance="sample"):
    """What the node does: one message after the other through the pipeline."""
    model = ImuModel(ImuSpec(spec.gyroscope, spec.accelerometer), seed, covariance=covariance)
    pipeline = Pipeline(policy, kinematics, model, lambda _: None, attitude=attitude)
    samples = [s for s in map(pipeline.feed, truths) if s is not None]
    return pipeline.counts, samples


def columns(samples):
    return (
        [s.stamp for s in samples],
        [s.dt for s in samples],
        np.array([s.measurement.values for s in samples]),
        np.array([s.measurement.truth.values for s in samples]),
        np.array([s.measurement.bias.values for s in samples]),
        np.array([s.measurement.covariance for s in samples]),
    )


def assert_equal(run, counts, samples):
    stamps, dt, values, truth, bias, covariance = columns(samples)
    assert run.counts == counts
    assert run.stamps.tolist() == stamps
    assert run.dt.tolist() == dt
    assert np.array_equal(run.values, values)
    assert np.array_equal(run.truth, truth)
    assert np.array_equal(run.bias, bias)
    assert np.array_equal(run.covariance, covariance)


@pytest.mark.parametrize(("rate", "mount"), [(0.0, Mount()), (150.0, MOUNT)], ids=["all", "thin"])
def test_poses_as_a_block_are_the_pipeline_message_by_message(rate, mount):
    trajectory = circling(stamps_with_everything())
    run = simulate(trajectory, EVERYTHING, 7, rate=rate, mount=mount)
    policy = TimePolicy(rate=rate)
    kinematics = PoseKinematics(mount, G, "body", 0.5, lambda _: None)
    attitude = AttitudeNoise(7, (0.1, 0.2, 0.3))
    counts, samples = stepwise(
        stream_of(trajectory).truths(), kinematics, EVERYTHING, 7, policy, attitude
    )
    assert_equal(run, counts, samples)
    assert np.array_equal(run.orientation, [s.orientation for s in samples])
    noisy = noisy_orientation(run.tape, 7, (0.1, 0.2, 0.3))
    assert np.array_equal(noisy, [s.estimate for s in samples])
    if rate == 0.0:
        assert {v.value: n for v, n in run.counts.items()} == {
            "baseline": 1,
            "samples": 2996,
            "same_stamp": 1,
            "late": 1,
            "stamp_zero": 1,
            "too_soon": 1,
            "gap": 1,
            "teleport": 1,
            "reset": 1,
        }


def test_a_trajectory_is_odometry_in_body_axes():
    """The circle is run along x, with the body turning about z."""
    trajectory = circling(10**9 + np.arange(50) * 10_000_000)
    first, *rest = stream_of(trajectory).truths()
    for truth in (first, *rest):
        assert truth.velocity == pytest.approx((2.0, 0.0, 0.0), abs=1e-12)
        assert truth.angular_velocity == (0.0, 0.0, 1.0)
    assert first.stamp == 10**9
    assert first.position == tuple(trajectory.position[0])
    assert first.orientation == tuple(trajectory.orientation[0])
    poses = Trajectory("", trajectory.stamps, trajectory.position, trajectory.orientation)
    assert [t.velocity for t in stream_of(poses).truths()] == [(0.0, 0.0, 0.0)] * 50
    counts = simulate(poses).counts
    assert {v.value: n for v, n in counts.items()} == {"baseline": 2, "samples": 48}


@pytest.mark.parametrize("included", [True, False])
def test_readings_of_a_perfect_imu_are_the_pipeline_message_by_message(included):
    stamps = stamps_with_everything()
    values = np.random.default_rng(3).standard_normal((len(stamps), 10))
    values[:, 0:4] /= np.linalg.norm(values[:, 0:4], axis=1)[:, None]
    stream = TruthStream("", IMU, stamps, stamps, values)
    scene = Scene(gravity=9.7, gravity_included=included, mount=MOUNT)
    run = measure(scene.record(stream), EVERYTHING, 5, "total")
    truths = [
        Truth(t, None, tuple(row[0:4]), None, tuple(row[4:7]), tuple(row[7:10]))
        for t, row in zip(stamps.tolist(), values.tolist(), strict=True)
    ]
    kinematics = ImuKinematics(MOUNT, 9.7, included, lambda _: None)
    counts, samples = stepwise(truths, kinematics, EVERYTHING, 5, TimePolicy(), None, "total")
    assert_equal(run, counts, samples)
    assert counts[Verdict.SAMPLE] == 2997


def test_a_record_is_truth_without_an_orientation():
    stamps = 10**9 + np.arange(30) * 10_000_000
    values = np.random.default_rng(4).standard_normal((6, 30))
    run = simulate(ImuRecord("", stamps, values))
    assert np.array_equal(run.values, values[:, 1:].T)
    assert np.isnan(run.orientation).all()
    assert np.isnan(noisy_orientation(run.tape, 0, (0.1, 0.1, 0.1))).all()
    with pytest.raises(ParameterError, match="gravity"):
        simulate(ImuRecord("", stamps, values), gravity=-1.0)


def test_a_truth_of_one_message_comes_to_no_sample():
    run = simulate(circling(np.array([10**9])), EVERYTHING)
    assert run.values.shape == run.bias.shape == run.truth.shape == (0, 6)
    assert run.covariance.shape == (0, 6, 6)
    assert run.orientation.shape == (0, 4)


def test_the_covariance_of_a_steady_rate_is_one_matrix_seen_often():
    run = simulate(circling(10**9 + np.arange(100) * 10_000_000), EVERYTHING)
    assert run.covariance.shape == (99, 6, 6)
    assert run.covariance.strides[0] == 0
