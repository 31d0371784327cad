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

"""Calibration at rest, in the pipeline."""

from __future__ import annotations

import math

import numpy as np
import pytest

from imu_noise_node.calibration import Calibration
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.motion.inertial import ImuKinematics
from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.samples import Truth

REST = ((0.0, 0.0, 0.0), (0.0, 4.9, 8.5))
BIAS = np.array([0.1, -0.2, 0.3, 1.0, -2.0, 0.5])


class Bench:
    def __init__(self, noise=0.01):
        triads = (TriadSpec(constant_bias=BIAS[k : k + 3], noise_density=noise) for k in (0, 3))
        kinematics = ImuKinematics(Mount(), 9.80665, True, pytest.fail)
        model = ImuModel(ImuSpec(*triads), seed=4)
        self.pipeline = Pipeline(TimePolicy(), kinematics, model, pytest.fail)
        self.reports = []
        self.stamp = 10**9

    def feed(self, count, rate=REST[0], force=REST[1]):
        found = []
        for _ in range(count):
            truth = Truth(self.stamp, angular_velocity=rate, specific_force=force)
            found.append(self.pipeline.feed(truth))
            self.stamp += 10_000_000
        return [s.measurement for s in found if s is not None]

    def calibrate(self, duration=1.0):
        self.pipeline.calibrate(duration, self.reports.append)


def test_what_is_found_is_taken_off_from_then_on():
    bench = Bench()
    bench.feed(11)
    bench.calibrate()
    before = bench.feed(99)
    assert bench.reports == []
    assert np.allclose(np.mean([m.bias.values for m in before], axis=0), BIAS, rtol=1e-12)
    after = bench.feed(101)
    (report,) = bench.reports
    # The mean over 1 s of a noise of density 0.01 has a sigma of 0.01; six axes within 6 sigma
    # but once in 1e8 runs.
    assert np.abs(report.result - BIAS).max() < 0.06
    left = BIAS - report.result
    for m in after:
        assert np.allclose(m.bias.values, left, rtol=0, atol=1e-12)
        assert np.allclose(m.truth.values, np.concatenate(REST), rtol=0, atol=0)
    assert np.abs(np.mean([m.values for m in after], axis=0) - np.concatenate(REST)).max() < 0.12


def test_without_noise_it_finds_the_bias():
    bench = Bench(noise=0.0)
    bench.feed(1)
    bench.calibrate(0.05)
    bench.feed(5)
    assert np.allclose(bench.reports[0].result, BIAS, rtol=1e-12)


@pytest.mark.parametrize(
    ("rate", "force"),
    [((0.0, 0.02, 0.0), REST[1]), (REST[0], (0.2, 4.9, 8.5))],
)
def test_a_sensor_that_moves_is_not_calibrated(rate, force):
    bench = Bench()
    bench.feed(11)
    bench.calibrate()
    bench.feed(50)
    bench.feed(1, rate, force)
    (report,) = bench.reports
    assert report.refusal == "the sensor moved"
    assert report.result is None
    assert bench.pipeline.correction is None


def test_a_reset_forgets_it():
    bench = Bench()
    bench.feed(2)
    bench.calibrate(0.1)
    bench.feed(20)
    assert bench.pipeline.correction is not None
    bench.pipeline.reset()
    (m,) = bench.feed(2)
    assert np.allclose(m.bias.values, BIAS, rtol=1e-12)


def test_lost_samples_do_not_count():
    bench = Bench(noise=0.0)
    bench.feed(1)
    bench.pipeline.model.inject(Fault(mode="total", target="gyroscope", duration=0.1))
    bench.calibrate(0.1)
    bench.feed(19)
    assert bench.reports == []
    bench.feed(2)
    assert np.allclose(bench.reports[0].result, BIAS, rtol=1e-9)
    assert math.isfinite(bench.pipeline.correction.sum())


def test_a_sensor_that_is_dead_for_good_is_given_up():
    bench = Bench(noise=0.0)
    bench.feed(1)
    bench.pipeline.model.inject(Fault(mode="total", target="gyroscope"))
    bench.calibrate(0.1)
    bench.feed(29)
    assert bench.reports == []
    bench.feed(2)
    assert bench.reports[0].refusal == "the sensor gives no readings"
    assert bench.pipeline.correction is None
    assert not bench.pipeline.is_calibrating


def test_a_dead_magnetometer_keeps_no_calibration_from_ending():
    spec = ImuSpec(
        *(TriadSpec(constant_bias=BIAS[k : k + 3]) for k in (0, 3)), magnetometer=TriadSpec()
    )
    model = ImuModel(spec, faults=[Fault("total", "magnetometer")])
    calibration = Calibration(0.1)
    truth = (*REST, None, [2e-5, 0.0, 0.0])
    ends = [calibration.add(0.01, model.step(0.01, *truth)) for _ in range(10)]
    assert ends == [False] * 9 + [True]
    assert calibration.result == pytest.approx([*BIAS, 0.0, 0.0, 0.0], abs=1e-12)
