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

import math

import numpy as np
import pytest

from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.motion.inertial import ImuKinematics
from imu_noise_node.motion.intervals import TimePolicy, Verdict
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.samples import Truth

ZERO = (0.0, 0.0, 0.0)
LEVEL = (0.0, 0.0, 0.0, 1.0)
SECOND = 1_000_000_000
NOISY = ImuSpec(
    TriadSpec(noise_density=2e-4, random_walk=1e-5, turn_on_bias_stddev=0.01),
    TriadSpec(noise_density=2e-3, bias_stddev=1e-3, bias_correlation_time=10.0),
)


class Bench:
    """A pipeline with its warnings, fed by stamps."""

    def __init__(self, spec=None, twist_frame="body", **policy):
        self.warnings = []
        limits = TimePolicy(**policy)
        kinematics = PoseKinematics(
            Mount(), 9.80665, twist_frame, limits.teleport_distance, self.warnings.append
        )
        self.pipeline = Pipeline(limits, kinematics, ImuModel(spec), self.warnings.append)

    def feed(self, *stamps):
        return [self.pipeline.feed(Truth(s, ZERO, LEVEL, ZERO, ZERO)) for s in stamps]

    @property
    def counts(self):
        return {verdict.value: n for verdict, n in self.pipeline.counts.items() if n}


def seconds(*values):
    return [round(v * SECOND) for v in values]


def values(samples):
    return np.array([s.measurement.values for s in samples if s is not None])


def test_every_message_is_counted_once_and_stamps_pass_to_the_bit():
    bench = Bench()
    stamp = 1779876543123456789
    samples = bench.feed(stamp - 10_000_000, stamp, stamp, 0, stamp + 1)
    assert [s and s.stamp for s in samples] == [None, stamp, None, None, None]
    assert bench.counts == {
        "baseline": 1,
        "samples": 1,
        "same_stamp": 1,
        "stamp_zero": 1,
        "too_soon": 1,
    }


def test_a_perfect_sensor_at_rest_reads_gravity():
    samples = Bench().feed(*seconds(1.0, 1.01))
    assert samples[1].measurement.linear_acceleration.tolist() == [0.0, 0.0, 9.80665]
    assert samples[1].measurement.angular_velocity.tolist() == [0.0, 0.0, 0.0]
    assert samples[1].orientation == LEVEL


def test_a_zero_stamp_in_between_is_ignored_and_an_old_one_restarts():
    bench = Bench()
    bench.feed(*seconds(10.0, 10.01, 0.0, 0.01))
    assert bench.counts == {"baseline": 1, "samples": 1, "stamp_zero": 1, "reset": 1}
    assert len(bench.warnings) == 1
    assert "stamps went back from 10.010000000 s to 0.010000000 s" in bench.warnings[0]


def test_the_same_truth_twice_gives_the_same_run_twice():
    stamps = seconds(*(1.0 + 0.01 * k for k in range(500)))
    bench = Bench(NOISY)
    first, again = values(bench.feed(*stamps)), values(bench.feed(*stamps))
    assert np.array_equal(first, again)
    assert bench.counts == {"baseline": 1, "samples": 998, "reset": 1}
    assert len(bench.warnings) == 1


def test_one_interval_of_an_hour_is_a_gap_and_the_biases_live_through_it():
    with_gap, without = Bench(NOISY), Bench(NOISY)
    samples = with_gap.feed(*seconds(1.0, 1.01, 3601.01, 3601.02))
    other = without.feed(*seconds(1.0, 1.01, 1.02))
    assert with_gap.counts == {"baseline": 1, "samples": 2, "gap": 1}
    walked = samples[3].measurement.bias.angular_velocity
    stayed = other[2].measurement.bias.angular_velocity
    # A random walk of 1e-5 over an hour has a sigma of 6e-4; the chance of less than a
    # thousandth of it on all axes is below 1e-9, and over 10 ms its sigma is 1e-6.
    assert np.abs(walked - stayed).max() > 6e-7


def test_every_stamp_twice_changes_nothing_but_the_count():
    stamps = seconds(*(1.0 + 0.01 * k for k in range(100)))
    once, twice = Bench(NOISY), Bench(NOISY)
    doubled = [stamp for stamp in stamps for _ in range(2)]
    assert np.array_equal(values(once.feed(*stamps)), values(twice.feed(*doubled)))
    assert twice.counts == {"baseline": 1, "samples": 99, "same_stamp": 100}


def test_uneven_deltas_use_the_actual_intervals():
    deltas = [2_532_500, 2_532_500, 2_532_500, 0, 5_065_000, 0]
    stamps = np.cumsum([SECOND, *deltas]).tolist()
    bench = Bench(ImuSpec(TriadSpec(noise_density=2e-4)))
    samples = bench.feed(*stamps)
    assert bench.counts == {"baseline": 1, "samples": 4, "same_stamp": 2}
    sigmas = [s.measurement.covariance[0, 0] ** 0.5 for s in samples if s]
    assert sigmas == pytest.approx(
        [2e-4 / math.sqrt(2.5325e-3)] * 3 + [2e-4 / math.sqrt(5.065e-3)]
    )


def test_intervals_of_3_us_join_the_next_one():
    deltas = [10_000_000, 10_000_000, 3_000] * 10
    bench = Bench(ImuSpec(TriadSpec(noise_density=2e-4)))
    samples = bench.feed(*np.cumsum([SECOND, *deltas]).tolist())
    assert bench.counts == {"baseline": 1, "samples": 20, "too_soon": 10}
    longest = samples[4].measurement.covariance[0, 0]
    assert longest == pytest.approx(4e-8 / 10.003e-3)


def test_a_teleport_makes_no_sample():
    bench = Bench()
    bench.feed(*seconds(1.0, 1.01))
    far = [Truth(s, (5.0, 0.0, 0.0), LEVEL, ZERO, ZERO) for s in seconds(1.02, 1.03)]
    found = [bench.pipeline.feed(t) for t in far]
    assert found[0] is None
    assert found[1].measurement.linear_acceleration.tolist() == [0.0, 0.0, 9.80665]
    assert bench.counts == {"baseline": 1, "samples": 2, "teleport": 1}


@pytest.mark.parametrize(
    "q",
    [(0.0,) * 4, (math.nan, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.7)],
    ids=["zero", "nan", "short"],
)
def test_a_bad_message_is_dropped_and_the_next_one_goes_on_from_the_old_baseline(q):
    bench = Bench(ImuSpec(TriadSpec(noise_density=2e-4)))
    bench.feed(*seconds(1.0, 1.01))
    assert bench.pipeline.feed(Truth(1_020_000_000, ZERO, q, ZERO, ZERO)) is None
    (after,) = bench.feed(1_030_000_000)
    assert bench.counts == {"baseline": 1, "samples": 2, "invalid": 1}
    assert after.measurement.covariance[0, 0] == pytest.approx(4e-8 / 0.02)


def test_a_bad_first_message_is_no_baseline():
    bench = Bench()
    bench.pipeline.feed(Truth(SECOND, ZERO, LEVEL, (math.nan, 0.0, 0.0), ZERO))
    bench.feed(*seconds(1.01, 1.02))
    assert bench.counts == {"invalid": 1, "baseline": 1, "samples": 1}


def test_a_capture_is_the_weighted_mean_of_the_truth_before_it():
    bench = Bench(rate=100.0)
    # Turning at 1 rad/s for 3 ms, then at 5 rad/s for 7 ms.
    steps = [(0, 0.0), (1, 0.001), (3, 0.003), (6, 0.018), (10, 0.038)]
    for ms, angle in steps:
        q = (0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2))
        sample = bench.pipeline.feed(Truth(SECOND + ms * 1_000_000, ZERO, q, ZERO, ZERO))
    assert sample.measurement.angular_velocity == pytest.approx([0.0, 0.0, 3.8], abs=1e-12)
    assert bench.counts == {"baseline": 1, "between_captures": 3, "samples": 1}


def test_without_a_twist_the_baseline_takes_two_poses():
    bench = Bench(twist_frame="pose")
    bench.feed(*seconds(1.0, 1.01, 1.02, 1.03))
    assert bench.counts == {"baseline": 2, "samples": 2}


STAMPS = seconds(*(1.0 + 0.01 * k for k in range(100)))


@pytest.mark.parametrize("ahead", [0, 1], ids=["clock first", "truth first"])
def test_a_clock_that_jumps_back_restarts_the_run_once(ahead):
    bench = Bench(NOISY)
    first = values(bench.feed(*STAMPS))
    again = bench.feed(*STAMPS[:ahead])
    bench.pipeline.clock_jumped(STAMPS[-1], STAMPS[0])
    again += bench.feed(*STAMPS[ahead:])
    assert np.array_equal(first, values(again))
    assert len(bench.warnings) == 1
    assert (
        bench.counts
        == {
            0: {"baseline": 2, "samples": 198},
            1: {"baseline": 1, "samples": 198, "reset": 1},
        }[ahead]
    )


def test_truth_ahead_of_the_clock_that_follows_it_back_restarts_once():
    bench = Bench(NOISY)
    bench.feed(*STAMPS)
    bench.feed(*STAMPS[:10])
    bench.pipeline.clock_jumped(STAMPS[-1], STAMPS[0])
    bench.feed(*STAMPS[10:])
    assert bench.counts == {"baseline": 1, "samples": 198, "reset": 1}
    assert len(bench.warnings) == 1


def test_messages_of_the_old_run_do_not_begin_the_new_one():
    bench = Bench(NOISY)
    first = values(bench.feed(*STAMPS))
    bench.pipeline.clock_jumped(STAMPS[-1], STAMPS[0])
    assert bench.feed(*seconds(2.0, 2.01)) == [None, None]
    assert np.array_equal(first, values(bench.feed(*STAMPS)))
    assert bench.counts == {"baseline": 2, "samples": 198, "late": 2}
    assert len(bench.warnings) == 1


def test_truth_that_does_not_follow_the_clock_back_begins_anew_after_a_gap():
    bench = Bench()
    bench.feed(*STAMPS)
    bench.pipeline.clock_jumped(STAMPS[-1], STAMPS[0])
    bench.feed(*(STAMPS[-1] + k * 10_000_000 for k in range(1, 60)))
    assert bench.counts == {"baseline": 2, "samples": 99 + 8, "late": 50}


def test_new_kinematics_need_a_new_baseline_and_new_limits_do_not():
    bench = Bench()
    bench.feed(*seconds(1.0, 1.01))
    bench.pipeline.retune(TimePolicy(max_gap=5.0), None)
    bench.feed(*seconds(3.0))
    turned = PoseKinematics(Mount(rpy=(0.0, 0.0, 1.0)), 9.80665, "body", 0.5, print)
    bench.pipeline.retune(TimePolicy(max_gap=5.0), turned)
    bench.feed(*seconds(3.01, 3.02))
    assert bench.counts == {"baseline": 2, "samples": 3}


def test_imu_truth_passes_through_the_same_policy():
    kinematics = ImuKinematics(Mount(), 9.80665, True, print)
    pipeline = Pipeline(TimePolicy(rate=100.0), kinematics, ImuModel(), print)
    for k in range(5):
        rate = (0.0, 0.0, float(k))
        truth = Truth(
            SECOND + k * 2_500_000, angular_velocity=rate, specific_force=(0.0, 0.0, 9.8)
        )
        sample = pipeline.feed(truth)
    assert sample.measurement.angular_velocity.tolist() == [0.0, 0.0, 2.5]
    assert pipeline.counts[Verdict.BETWEEN] == 3


def test_a_magnetometer_reads_the_field_of_the_world_in_its_own_axes():
    quarter = (0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))
    field = (2e-5, 0.0, -4e-5)
    kinematics = PoseKinematics(Mount(), 9.80665, "body", 0.5, print)
    model = ImuModel(ImuSpec(magnetometer=TriadSpec(constant_bias=1e-6)))
    pipeline = Pipeline(TimePolicy(), kinematics, model, print, field)
    samples = [
        pipeline.feed(Truth(s, ZERO, quarter, ZERO, ZERO)) for s in seconds(1.0, 1.01, 1.02)
    ]
    expected = np.array([0.0, -2e-5, -4e-5]) + 1e-6
    for sample in samples[1:]:
        assert np.allclose(sample.measurement.magnetic_field, expected, rtol=0, atol=1e-19)


def test_truth_without_orientation_is_of_no_use_to_a_magnetometer():
    warnings = []
    kinematics = ImuKinematics(Mount(), 9.80665, True, warnings.append)
    model = ImuModel(ImuSpec(magnetometer=TriadSpec()))
    pipeline = Pipeline(TimePolicy(), kinematics, model, warnings.append, (2e-5, 0.0, -4e-5))
    for stamp in seconds(1.0, 1.01, 1.02):
        truth = Truth(stamp, angular_velocity=ZERO, specific_force=(0.0, 0.0, 9.8))
        assert pipeline.feed(truth) is None
    assert pipeline.counts[Verdict.INVALID] == 3
    assert warnings == ["magnetic_field is given, but the truth has no orientation to turn it by"]


def test_the_temperature_of_the_moment_reaches_the_model():
    bench = Bench(ImuSpec(TriadSpec(temperature_bias=0.01)))
    bench.feed(*seconds(1.0, 1.01))
    bench.pipeline.temperature = 35.0
    [warm] = values(bench.feed(*seconds(1.02)))
    assert np.allclose(warm[0:3], 0.1, rtol=1e-12, atol=0)
