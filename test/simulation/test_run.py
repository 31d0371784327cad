"""A truth as a block gives what the pipeline gives message by message, to the bit."""

import numpy as np
import pytest

from imu_noise_node import ImuModel, ImuSpec, TriadSpec
from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.simulation.run import simulate
from imu_noise_node.simulation.stream import stream_of
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


def stepwise(truths, kinematics, spec, seed, policy):
    """What the node does: one message after the other through the pipeline."""
    bare = ImuSpec(spec.gyroscope, spec.accelerometer)
    pipeline = Pipeline(policy, kinematics, ImuModel(bare, seed), lambda _: None)
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


@pytest.mark.parametrize("rate", [0.0, 150.0])
@pytest.mark.parametrize("mount", [Mount(), MOUNT], ids=["origin", "mounted"])
def test_poses_as_a_block_are_the_pipeline_message_by_message(rate, mount):
    trajectory = circling(stamps_with_everything())
    run = simulate(trajectory, EVERYTHING, 7, rate=rate, mount=mount)
    policy = TimePolicy(rate=rate)
    kinematics = PoseKinematics(mount, G, "body", 0.5, lambda _: None)
    counts, samples = stepwise(stream_of(trajectory).truths(), kinematics, EVERYTHING, 7, policy)
    assert_equal(run, counts, samples)
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
