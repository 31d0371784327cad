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

"""Profiles of the Python package imu-error-model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ParameterError
from .imported import Ask, Imported, build
from .keys import Keys

TITLE = "imu-error-model profile"

SENSORS = ("gyroscope", "accelerometer")
_ENVELOPE = ("schema_version", "model_name", "sample_period_s", "metadata")
_TELLING = (
    *("white_noise_density", "turn_on_bias_std", "bias_std", "measurement_range"),
    *("flicker_bias_std", "misalignment_std", "nonlinear_factor", "thermal_bias_coefficient"),
)
"""Keys of a sensor that only this format has."""
_THERMAL = ("temperature_bias", "temperature_noise", "temperature_scale_factor")


def is_mine(document: Any) -> bool:
    """Whether a document is in this format: a whole profile, or only its figures."""
    if not isinstance(document, dict):
        return False
    blocks = [block for s in SENSORS if isinstance(block := document.get(s), dict)]
    return {"model_name", "sample_period_s"} <= document.keys() or any(
        key in block for block in blocks for key in _TELLING
    )


def read(document: Any, ask: Ask) -> Imported:
    """Return the figures.

    Raises
    ------
    ParameterError
        A figure that is none, or two reference temperatures, of which we have one.
    """
    keys = Keys(document, ask.where)
    sensors: dict[str, dict[str, Any]] = {}
    references: dict[str, float] = {}
    scales: dict[str, float] = {}
    notes: list[str] = []
    for sensor in SENSORS:
        if sensor not in keys:
            continue
        block = Keys(_without_nulls(keys.raw(sensor)), f"{ask.where}: {sensor}")
        figures, said = _sensor(block)
        reference = block.number("reference_temperature_celsius")
        # Without an effect of temperature, its reference means nothing.
        if any(np.any(figures[name]) for name in _THERMAL if figures[name] is not None):
            references[sensor] = 25.0 if reference is None else reference
        scale = block.number("output_scale", lower=0.0, above=True) or 1.0
        whole = keys.number(f"output_scale_{sensor}", lower=0.0, above=True) or 1.0
        scales[sensor] = scale * whole
        sensors[sensor], notes = figures, [*notes, *said, *block.rest()]
    if len(set(references.values())) > 1:
        allowed = "must be the same for both sensors: a profile has one"
        raise ParameterError(f"{ask.where}: reference_temperature_celsius", references, allowed)
    increments, said = _increments_scale(scales)
    about = {"name": str(keys.raw("model_name"))} if "model_name" in keys else {}
    keys.ignore(_ENVELOPE)
    common = next(iter(references.values()), None)
    spec = build(ask.where, sensors, reference_temperature=common, increments_scale=increments)
    return Imported(spec, [*notes, *said, *keys.rest()], about)


def _sensor(keys: Keys) -> tuple[dict[str, Any], list[str]]:
    bias, time = keys.axes("bias_std", lower=0.0), keys.number("bias_correlation_time", lower=0.0)
    covariance = keys.matrix("noise_covariance")
    density = keys.number("white_noise_density", lower=0.0)
    figures = {
        # A covariance takes the place of the density there.
        "noise_density": density if covariance is None else None,
        "noise_covariance": covariance,
        "turn_on_bias_stddev": keys.axes("turn_on_bias_std", lower=0.0),
        # Without a correlation time, bias_std drives a random walk there.
        "bias_stddev": None if time is None else bias,
        "bias_correlation_time": time,
        "random_walk": bias if time is None else None,
        "scale_factor": keys.axes("scale_factor"),
        "misalignment_stddev": keys.number("misalignment_std", lower=0.0),
        "misalignment_covariance": keys.matrix("misalignment_covariance"),
        "temperature_bias": keys.axes("thermal_bias_coefficient"),
        "temperature_noise": keys.axes("thermal_noise_coefficient"),
        "temperature_scale_factor": keys.axes("thermal_scale_factor_coefficient"),
        "resolution": keys.axes("quantization_step", lower=0.0),
    }
    flicker, flicker_notes = _flicker(keys)
    range_, range_notes = _range_and_nonlinearity(keys)
    return {**figures, **flicker, **range_}, [*flicker_notes, *range_notes]


def _flicker(keys: Keys) -> tuple[dict[str, Any], list[str]]:
    floor = keys.number("flicker_bias_std", lower=0.0)
    ends = [f"flicker_{end}_correlation_time" for end in ("min", "max")]
    band = [keys.number(end, lower=0.0) for end in ends]
    keys.ignore(("flicker_components",))
    if not floor:
        return {}, []
    if None in band:
        allowed = f"needs {' and '.join(ends)}"
        raise ParameterError(f"{keys.where}: flicker_bias_std", floor, allowed)
    note = (
        f"{keys.where}: the floor of flicker_bias_std, met there in the middle of its band of "
        "correlation times, is met here over that band of averaging times"
    )
    return {"bias_instability": floor, "bias_instability_band": band}, [note]


def _range_and_nonlinearity(keys: Keys) -> tuple[dict[str, Any], list[str]]:
    """Return full scale and non-linearity, and notes where they differ from what stands there."""
    full = keys.number("measurement_range", lower=0.0, above=True)
    factor = keys.number("nonlinear_factor")
    clips = keys.flag("apply_clipping", default=True)
    where = keys.where
    if factor and full:
        notes = [
            f"{where}: nonlinear_factor {factor:g} is read as a fraction of full scale, as its "
            "comments mean it; its formula, x (1 + k |x|^2), would be far more"
        ]
        if not clips:
            notes.append(
                f"{where}: measurement_range {full:g} is taken over as the full scale of the "
                "non-linearity, and limits the readings, which apply_clipping: false did not"
            )
        return {"range": full, "nonlinearity": factor}, notes
    if factor:
        return {}, [f"{where}: nonlinear_factor is not taken over: there is no measurement_range"]
    if full and not clips:
        return {}, [f"{where}: measurement_range {full:g} is left out: apply_clipping is false"]
    return ({"range": full} if full else {}), []


def _increments_scale(scales: dict[str, float]) -> tuple[float | None, list[str]]:
    values = set(scales.values())
    if len(values) < 2:
        return next(iter(values), None), []
    return None, [f"not taken over: output_scale, which differs between the sensors: {scales}"]


def _without_nulls(block: Any) -> Any:
    """Return a block without the keys that are null: so the package writes what is absent."""
    if not isinstance(block, dict):
        return block
    return {key: value for key, value in block.items() if value is not None}
