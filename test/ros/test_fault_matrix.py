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

"""Every mode of fault of every sensor through the node: before, during and after, over DDS."""

import itertools

import numpy as np
import pytest
from graph import MS, SECOND, G, parked
from sensor_msgs.msg import MagneticField

from imu_noise_node.model.condition import State
from imu_noise_node.model.fault_spec import MODES, TARGETS
from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.spec import SENSORS, ImuSpec, TriadSpec

START = 1000 * SECOND
DT = 0.01
SEED = 7
FIELD = [2e-5, 0.0, -4e-5]
TRUTH = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, G], FIELD])
DENSITIES = dict(zip(SENSORS, (1e-3, 1e-2, 1e-8), strict=True))
"""Of white noise alone, so that all noise is fresh."""

SIZES = {"bias": 0.5, "drift": 4.0, "noise": 3.0, "intermittent": 1.0}
AGES = np.arange(5) + 0.5
"""Of the fault in the middle of each interval, in intervals."""

BEFORE, DURING, AFTER = slice(0, 5), slice(5, 10), slice(10, 15)
SCHEDULE = "faults:\n  - {{mode: {}, target: {}, {}start: 0.05, duration: 0.05}}\n"


def possible(mode, target):
    return mode not in ("bias", "drift") or target != "all"


def healthy():
    """What 15 captures read without any fault, shape (15, 3, 3): by sensor and axis."""
    triads = {sensor: TriadSpec(noise_density=d) for sensor, d in DENSITIES.items()}
    rate, force, field = (np.broadcast_to(v, (15, 3)) for v in TRUTH)
    model = ImuModel(ImuSpec(**triads), SEED)
    return model.run(np.full(15, DT), rate, force, magnetic_field=field).values.reshape(15, 3, 3)


def faulty(mode, target):
    """What they read with a fault in five of them; NaN where nothing is left."""
    values = healthy()
    for row, sensor in enumerate(SENSORS):
        if target in (sensor, "all"):
            values[DURING, row] = struck(mode, values[DURING, row], TRUTH[row], values[4, row])
    return values


def struck(mode, values, truth, last):
    """What becomes of the values of one sensor, shape (5, 3)."""
    match mode:
        case "bias":
            return values + SIZES[mode]
        case "drift":
            return values + SIZES[mode] * DT * AGES[:, None]
        case "noise":
            return truth + SIZES[mode] * (values - truth)
        case "stuck":
            return np.broadcast_to(last, (5, 3))
    return np.full((5, 3), np.nan)


def play(graph, part, expected):
    """Send the captures of `part`, and check all that comes of them against `expected`."""
    imus, fields = graph.hear("/imu/data_raw"), graph.hear("/imu/mag", MagneticField)
    imus.clear()
    fields.clear()
    lost = np.isnan(expected[:, :, 0])
    messages = parked(*(START + k * 10 * MS for k in range(part.start + 1, part.stop + 1)))
    publisher = graph.matched(type(messages[0]), "/odom")
    for message in messages:
        publisher.publish(message)
    graph.until(lambda: graph.counts.get("samples") == part.stop, "all to be counted")
    kept = ~(lost[:, 0] & lost[:, 1])
    graph.until(lambda: len(imus) == kept.sum(), "the samples that are left")
    graph.until(lambda: len(fields) == (~lost[:, 2]).sum(), "the fields that are left")
    for message, row in zip(imus, expected[kept], strict=True):
        check(message.angular_velocity, message.angular_velocity_covariance, row[0], SENSORS[0])
        force = message.linear_acceleration
        check(force, message.linear_acceleration_covariance, row[1], SENSORS[1])
    for message, row in zip(fields, expected[~lost[:, 2], 2], strict=True):
        check(message.magnetic_field, message.magnetic_field_covariance, row, SENSORS[2])
    return int((~kept).sum())


def check(vector, covariance, expected, sensor):
    """Compare one triad: a sensor does not know that it is broken, only that it is silent."""
    if np.isnan(expected[0]):
        expected, known = np.zeros(3), [-1.0, *[0.0] * 8]
    else:
        known = np.diag([DENSITIES[sensor] ** 2 / DT] * 3).ravel()
    assert [vector.x, vector.y, vector.z] == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert covariance == pytest.approx(known, rel=1e-9)


@pytest.mark.parametrize(
    ("mode", "target"), [pair for pair in itertools.product(MODES, TARGETS) if possible(*pair)]
)
def test_before_during_and_after(graph, tmp_path, mode, target):
    path = tmp_path / "faults.yaml"
    size = f"magnitude: {SIZES[mode]}, " if mode in SIZES else ""
    path.write_text(SCHEDULE.format(mode, target, size))
    figures = {f"{sensor}.noise_density": density for sensor, density in DENSITIES.items()}
    graph.start({**figures, "seed": SEED, "magnetic_field": FIELD, "fault.schedule": str(path)})
    graph.hear("/imu/data_raw")
    graph.matched(type(parked(START)[0]), "/odom").publish(parked(START)[0])
    expected = faulty(mode, target)
    instrument = graph.node._instruments[""]
    lost = 0
    for part, state in (
        (BEFORE, State.READY),
        (DURING, State.FAILED if mode in ("stuck", "total") else State.DEGRADED),
        (AFTER, State.READY),
    ):
        lost += play(graph, part, expected[part])
        condition = instrument.condition
        assert condition.state == state
        assert bool(condition.reasons) == (part is DURING)
    assert instrument.lost == lost == 5 * (mode in ("intermittent", "total") and target == "all")


def test_a_magnetometer_reads_on_where_all_else_is_lost(graph, tmp_path):
    path = tmp_path / "faults.yaml"
    path.write_text(
        "faults: [{mode: total, target: gyroscope}, {mode: total, target: accelerometer}]"
    )
    graph.start({"magnetic_field": FIELD, "fault.schedule": str(path)})
    graph.hear("/imu/data_raw")
    fields = graph.hear("/imu/mag", MagneticField)
    publisher = graph.matched(type(parked(START)[0]), "/odom")
    for message in parked(*(START + k * 10 * MS for k in range(6))):
        publisher.publish(message)
    graph.until(lambda: len(fields) == 5, "all fields")
    assert graph.node._instruments[""].lost == 5
