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

"""Checkpoints: a pipeline goes on to the bit, and a file is whole or not there."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from imu_noise_node import Fault, ImuNoiseError, ParameterError
from imu_noise_node.attitude import AttitudeNoise
from imu_noise_node.checkpoint import CheckpointPolicy, load, save
from imu_noise_node.errors import InputError
from imu_noise_node.model.imu import ImuModel
from imu_noise_node.model.spec import ImuSpec, TriadSpec
from imu_noise_node.motion.inertial import ImuKinematics
from imu_noise_node.motion.intervals import TimePolicy
from imu_noise_node.motion.kinematics import PoseKinematics
from imu_noise_node.motion.mount import Mount
from imu_noise_node.pipeline import Pipeline
from imu_noise_node.samples import Truth

TRIAD = TriadSpec(
    noise_density=0.01,
    random_walk=0.01,
    bias_stddev=0.1,
    bias_correlation_time=10.0,
    bias_instability=0.01,
    turn_on_bias_stddev=0.1,
    scale_factor_stddev=0.01,
    misalignment_stddev=0.01,
    bandwidth=50.0,
    vibration_rectification=0.0,
    temperature_bias=0.01,
)
SPEC = ImuSpec(TRIAD, TRIAD, TRIAD, warm_up_time=5.0, vibration_limit=1.0)
FAULTS = (Fault(mode="intermittent", magnitude=0.1, mtbf=0.2, duration=0.2),)
FIELD = (2e-5, 0.0, -4e-5)


def truth(k, jitter=(0, 3, -2, 1)):
    """One message of a body that swings."""
    t = 0.01 * k
    q = (0.0, math.sin(0.2 * math.sin(t)), 0.0, math.cos(0.2 * math.sin(t)))
    return Truth(
        10**9 + k * 10_000_000 + jitter[k % 4] * 100_000,
        (math.cos(t), math.sin(t), 0.0),
        q,
        (-math.sin(t), math.cos(t), 0.0),
        (0.0, 0.4 * math.cos(t), 0.0),
        (0.1, 0.2 * math.sin(t), 9.8),
    )


def pipeline(kind, seed=3):
    mount = Mount(translation=[0.1, 0.0, 0.2], rpy=[0.0, 0.1, 0.5])
    if kind == "imu":
        kinematics = ImuKinematics(mount, 9.80665, True, pytest.fail)
    else:
        kinematics = PoseKinematics(mount, 9.80665, kind, 0.5, pytest.fail)
    made = Pipeline(
        TimePolicy(rate=37.0),
        kinematics,
        ImuModel(SPEC, seed=seed, faults=FAULTS),
        pytest.fail,
        FIELD,
        AttitudeNoise(seed, (0.01, 0.02, 0.03)),
    )
    made.temperature = 40.0
    return made


def feed(made, first, last):
    samples = [made.feed(truth(k)) for k in range(first, last)]
    return [
        (s.stamp, s.measurement.values.tolist(), s.measurement.bias.values.tolist(), s.estimate)
        for s in samples
        if s is not None
    ]


@pytest.mark.parametrize("kind", ["world", "pose", "imu"])
@pytest.mark.parametrize("cut", [1, 2, 30, 31, 32])
def test_a_run_goes_on_to_the_bit(kind, cut, tmp_path):
    whole = feed(pipeline(kind), 0, 80)
    first = pipeline(kind)
    start = feed(first, 0, cut)
    save(tmp_path / "run.json", {"pipeline": first.state()})
    second = pipeline(kind, seed=99)
    second.restore(load(tmp_path / "run.json")["pipeline"])
    rest = feed(second, cut, 80)
    assert repr(start + rest) == repr(whole)
    # To keep a state disturbs nothing.
    assert repr(feed(first, cut, 80)) == repr(rest)


def test_a_calibration_that_was_made_is_kept():
    first, second = pipeline("world"), pipeline("world")
    first.correction = np.arange(9.0)
    second.restore(json.loads(json.dumps(first.state())))
    assert np.array_equal(second.correction, np.arange(9.0))


def test_a_file_is_whole_or_as_before(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    save(path, {"a": 1})

    def fails(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        save(path, {"a": 2})
    assert load(path) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"format": "other"}', '{"a": 1}', "[" * 100_000, "\ufeff\x00"]
)
def test_what_is_no_checkpoint_is_refused(tmp_path, text):
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(InputError, match="must be a file of the format"):
        load(path)


def test_a_changed_number_is_noticed(tmp_path):
    path = tmp_path / "run.json"
    save(path, {"pipeline": {"time": 1.25}, "counts": {}})
    path.write_text(path.read_text().replace("1.25", "1.26"))
    with pytest.raises(InputError, match="is not as it was written: its digest differs"):
        load(path)


def test_what_cannot_be_read_or_written_is_named(tmp_path):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save(tmp_path / "none" / "run.json", {})


def test_a_state_of_another_pipeline_is_refused():
    state = pipeline("world").state()
    other = Pipeline(
        TimePolicy(),
        PoseKinematics(Mount(), 9.8, "body", 0.5, pytest.fail),
        ImuModel(ImuSpec()),
        pytest.fail,
    )
    with pytest.raises(ImuNoiseError, match="must come from state"):
        other.restore(state)


def test_a_path_is_needed():
    for figures in ({"period": 1.0}, {"resume": True}):
        with pytest.raises(ParameterError, match="path = '': must be given"):
            CheckpointPolicy(**figures)
