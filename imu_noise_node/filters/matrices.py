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

"""The whole law of a sensor's errors as matrices, for a filter of one's own.

They are those of `FilterModel`: x is the vector of states, error that of the increments' errors,

    x_end = F x + w                  F = transition, Q = Cov w = process_covariance
    error = mean + H x + e           H = measurement, R = Cov e = conditional_covariance
    S = Cov(e, w) = cross_covariance
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.filter_model import FilterModel
from ..model.spec import UNITS
from ..profiles.writer import number_text
from ..samples import Array

_UNITS = {"delta_theta": "rad", "delta_v": "m/s"}
"""Units of the increments."""

_OUTPUTS = {"gyroscope": "delta_theta", "accelerometer": "delta_v"}


def matrix_arrays(model: FilterModel) -> dict[str, NDArray[Any]]:
    """Return everything in a model by name; names and units are arrays of text."""
    return {
        "dt": np.array(model.dt),
        "outputs": np.array(model.outputs),
        "output_units": np.array([_unit(output) for output in model.outputs]),
        "states": np.array([_name(model, k) for k in range(len(model.states))], dtype=str),
        "state_units": np.array([UNITS[state.sensor] for state in model.states], dtype=str),
        "mean": model.mean,
        "measurement": model.measurement,
        "transition": model.transition,
        "conditional_covariance": model.conditional_covariance,
        "process_covariance": model.process_covariance,
        "cross_covariance": model.cross_covariance,
        "white_covariance": model.white_covariance,
        "rounding_covariance": model.rounding_covariance,
        "initial_mean": model.initial.mean,
        "initial_covariance": model.initial.covariance,
    }


def npz_bytes(model: FilterModel) -> bytes:
    """Return `matrix_arrays` as an npz, which numpy.load reads."""
    file = io.BytesIO()
    arrays: dict[str, Any] = matrix_arrays(model)
    np.savez(file, **arrays)
    return file.getvalue()


def yaml_text(model: FilterModel) -> str:
    """Return the same as YAML: a block for each state, which is in one output alone."""
    lines = [
        "# x_end = F x + w, error = mean + H x + e; written by imu_noise",
        f"dt: {number_text(model.dt)}  # s",
        f"outputs: [{', '.join(model.outputs)}]",
        f"output_units: [{', '.join(_unit(output) for output in model.outputs)}]",
        f"mean: {_row(model.mean)}",
        "conditional_covariance:  # R = Cov e",
        *(f"  - {_row(row)}" for row in model.conditional_covariance),
        "states:" if model.states else "states: []",
    ]
    for k in range(len(model.states)):
        lines += _state(model, k)
    return "\n".join(lines) + "\n"


def _state(model: FilterModel, k: int) -> list[str]:
    sensor, _, axis = model.states[k]
    place = model.outputs.index(f"{_OUTPUTS[sensor]}_{axis}")
    figures = (
        ("transition", model.transition[k, k], "F"),
        ("measurement", model.measurement[place, k], "H"),
        ("process_covariance", model.process_covariance[k, k], "Q = Cov w"),
        ("cross_covariance", model.cross_covariance[place, k], "S = Cov(e, w)"),
        ("initial_covariance", model.initial.covariance[k, k], "at switching on"),
    )
    return [
        f"  - name: {_name(model, k)}",
        f"    unit: {UNITS[sensor]}",
        f"    output: {model.outputs[place]}",
        *(f"    {name}: {number_text(float(value))}  # {what}" for name, value, what in figures),
    ]


def _name(model: FilterModel, k: int) -> str:
    return ".".join(model.states[k])


def _unit(output: str) -> str:
    return _UNITS[output.rpartition("_")[0]]


def _row(values: Array) -> str:
    return f"[{', '.join(number_text(float(value)) for value in values)}]"
