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

"""The matrices in an npz and in YAML are those of the filter model."""

import io

import numpy as np
import pytest
import yaml
from filter_specs import DRIFTING, FLICKERING, WALKING

from imu_noise_node.filters.matrices import npz_bytes, yaml_text
from imu_noise_node.model.spec import ImuSpec
from imu_noise_node.model.theory import Theory
from imu_noise_node.profiles.loader import load_profile

SPECS = [
    WALKING,
    ImuSpec(gyroscope=FLICKERING, accelerometer=DRIFTING),
    load_profile("stim300"),
    ImuSpec(),
]


@pytest.mark.parametrize("spec", SPECS)
def test_the_npz_has_everything_by_name(spec):
    model = Theory.of(spec).filter_model(0.005)
    found = np.load(io.BytesIO(npz_bytes(model)))
    for name in ("mean", "measurement", "transition", "conditional_covariance"):
        assert np.array_equal(found[name], getattr(model, name))
    for name in ("process_covariance", "cross_covariance", "white_covariance"):
        assert np.array_equal(found[name], getattr(model, name))
    assert np.array_equal(found["initial_covariance"], model.initial.covariance)
    assert found["dt"] == 0.005
    assert found["outputs"].tolist() == list(model.outputs)
    assert len(found["states"]) == len(model.states) == len(found["state_units"])
    assert dict(zip(found["outputs"], found["output_units"], strict=True))["delta_v_x"] == "m/s"
    assert npz_bytes(model) == npz_bytes(model)


@pytest.mark.parametrize("spec", SPECS)
def test_the_yaml_has_the_same(spec):
    model = Theory.of(spec).filter_model(0.005)
    document = yaml.safe_load(yaml_text(model))
    assert document["dt"] == 0.005
    assert np.array_equal(document["conditional_covariance"], model.conditional_covariance)
    states = document["states"]
    assert [state["name"] for state in states] == [".".join(state) for state in model.states]
    for name, matrix in (
        ("transition", model.transition),
        ("process_covariance", model.process_covariance),
        ("initial_covariance", model.initial.covariance),
    ):
        assert not states or np.array_equal(np.diag([state[name] for state in states]), matrix)
    places = [document["outputs"].index(state["output"]) for state in states]
    for name in ("measurement", "cross_covariance"):
        whole = np.zeros((6, len(states)))
        whole[places, np.arange(len(states))] = [state[name] for state in states]
        assert np.array_equal(whole, getattr(model, name))
    units = {state["name"].split(".")[0]: state["unit"] for state in states}
    assert units.get("gyroscope", "rad/s") == "rad/s"
