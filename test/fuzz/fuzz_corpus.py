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

"""Valid files of every kind that the package reads, to make invalid ones of."""

from __future__ import annotations

import json
from functools import cache
from types import SimpleNamespace
from typing import Any

from format_files import FILES, OPENVINS

from imu_noise_node.attitude import AttitudeNoise
from imu_noise_node.checkpoint import save
from imu_noise_node.delivery import Delivery, DeliveryPolicy
from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.profiles.loader import presets
from imu_noise_node.ros.resuming import snapshot
from imu_noise_node.samples import Truth
from imu_noise_node.units import CUSTOMARY

PROFILE = """
name: Mine
grade: tactical
sources: {sheet: {title: A sheet, address: "https://example.org", date: 2026-11-30}}
gyroscope:
  noise_density: {value: 0.014 deg/s/sqrt(Hz), source: sheet, where: table 1}
  noise_type: single-sided
  bandwidth: [80, 80, 60 Hz]
  bias_instability: 5 deg/h
  bias_instability_band: [10, 500]
  random_walk: 1e-5
  cross_axis: [1, 0.01, 0, 0, 1, 0.02, 0, 0, 1]
  g_sensitivity: 0.1 deg/s/g
  misalignment_covariance: [1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6]
  range: 2000 dps
  resolution: 0.06 dps
accelerometer:
  noise_covariance: [4e-6, 1e-6, 0, 1e-6, 4e-6, 0, 0, 0, 9e-6]
  bias_stddev: 1 mg
  bias_correlation_time: 5 min
  temperature_bias: [1, 2, 3 mg/degC]
  vibration_rectification: 50 ug/g^2
  nonlinearity: 0.1 %
  range: 16 g
magnetometer: {noise_density: 10 nT/sqrt(Hz), constant_bias: 1 uT}
reference_temperature: 20
operating_temperature: [-40, 85]
warm_up_time: 5
"""

SCHEDULE = """
description: a bad day
faults:
  - {name: knock, mode: bias, target: accelerometer, axes: z, magnitude: 50 mg, start: 2 min}
  - {mode: drift, target: gyroscope, magnitude: 0.5 deg/s^2, duration: 500 ms}
  - {mode: intermittent, magnitude: 5 %, mtbf: 1 h, duration: 4e1}
  - {mode: noise, magnitude: 3, start: "7"}
  - mode: total
"""

SPEC = ImuSpec(
    gyroscope=TriadSpec(noise_density=1e-3, bandwidth=50.0, bias_instability=1e-3),
    accelerometer=TriadSpec(
        noise_density=1e-2,
        bias_stddev=0.1,
        bias_correlation_time=9.0,
        vibration_rectification=1e-3,
        temperature_bias=0.01,
    ),
    warm_up_time=3.0,
)


def profiles() -> list[bytes]:
    """Profiles of our own."""
    return [PROFILE.encode(), *(path.read_bytes() for path in presets().values())]


def foreign() -> list[bytes]:
    """One file of each format that figures are imported from, and of what OpenVINS writes."""
    return [text.encode() for _, text in FILES.values()] + [OPENVINS.encode()]


def schedules() -> list[bytes]:
    """Fault schedules, as YAML and as JSON."""
    faults = [{"mode": "stuck", "axes": "xy"}, {"mode": "total", "duration": 1.0, "mtbf": 60.0}]
    return [SCHEDULE.encode(), json.dumps({"faults": faults}).encode()]


def units() -> list[bytes]:
    """Texts of figures."""
    names = {name for unit, others in CUSTOMARY.items() for name in (unit, *others)}
    return [
        f"{number} {name}".encode() for name in sorted(names) for number in ("1", "-2.5e-3")
    ] + [
        *(
            b"[1 deg/s, 2 deg/s, 0]",
            b"1, 2, 3 mg",
            b"\xc2\xb10.5 %",
            b"60 \xc2\xb5g/\xe2\x88\x9aHz",
        ),
    ]


def instrument() -> Any:
    """Return what `snapshot` and `resume` need of an IMU of the node."""
    faults = (Fault(mode="intermittent", magnitude=0.1, mtbf=0.2, duration=0.2),)
    model = ImuModel(SPEC, seed=3, faults=faults)
    kinematics = PoseKinematics(Mount([0.1, 0.0, 0.2]), 9.8, "body", 0.5, lambda _: None)
    pipeline = Pipeline(
        TimePolicy(rate=60.0),
        kinematics,
        model,
        lambda _: None,
        attitude=AttitudeNoise(3, (0.1, 0.1, 0.1)),
    )
    node = SimpleNamespace(seed=3, truth_source="odometry")
    return SimpleNamespace(
        settings=SimpleNamespace(node=node, spec=SPEC),
        pipeline=pipeline,
        delivery=Delivery[Any](DeliveryPolicy(0.1, 0.1, 0.1), 3),
        lost=0,
    )


def truth(k: int) -> Truth:
    """Return one message of a body that creeps along."""
    return Truth(
        10**9 + k * 10_000_000,
        (1e-4 * k, 0.0, 0.0),
        (0.0, 0.0, 0.0, 1.0),
        (1e-2, 0.0, 0.0),
        (0.0, 0.0, 0.0),
    )


@cache
def checkpoints(folder: Any) -> list[bytes]:
    """Return checkpoints of a run at several moments."""
    one, found = instrument(), []
    for k in range(60):
        if k in (0, 1, 2, 30, 59):
            path = folder / "seed.json"
            save(path, snapshot(one))
            found.append(path.read_bytes())
        sample = one.pipeline.feed(truth(k))
        if sample is not None:
            one.delivery.accept(sample, sample.stamp)
    return found
