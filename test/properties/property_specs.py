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

"""Any legal figures: of a triad, of an IMU, of its faults."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from imu_noise_node.model.fault_spec import Fault
from imu_noise_node.model.spec import ImuSpec, TriadSpec

MORE = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 1


def examples(count: int) -> Any:
    """Return the settings of a test that tries `count` inputs, in a long run far more."""
    return settings(max_examples=count * MORE)


def sizes(low: int = -9, high: int = 2) -> st.SearchStrategy[float]:
    """Return positive numbers of all orders of magnitude from 10^low to 10^high."""
    return st.builds(
        lambda digits, power: digits * 10.0**power, st.floats(1.0, 9.9), st.integers(low, high - 1)
    )


def _axes(one: st.SearchStrategy[float], count: int = 3) -> st.SearchStrategy[Any]:
    with_zero = st.one_of(st.just(0.0), one)
    return st.one_of(one, st.lists(with_zero, min_size=count, max_size=count))


def _signed(low: int, high: int) -> st.SearchStrategy[float]:
    return st.one_of(sizes(low, high), sizes(low, high).map(lambda size: -size))


SIZE, SIGNED = _axes(sizes()), _axes(_signed(-9, 1))
SMALL = _axes(_signed(-6, 0))
NINE = st.lists(_signed(-6, 0), min_size=9, max_size=9)


def _covariance(values: list[float]) -> list[float]:
    root = np.reshape(values, (3, 3))
    return [float(value) for value in (root @ root.T).ravel()]


def _with_diagonal(values: list[float]) -> list[float]:
    matrix = np.reshape(values, (3, 3)).copy()
    np.fill_diagonal(matrix, 1.0)
    return [float(value) for value in matrix.ravel()]


_NOISE = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "noise_density": SIZE,
            "noise_type": st.sampled_from(["double-sided", "single-sided"]),
        }
    ),
    st.fixed_dictionaries({"noise_stddev": SIZE}),
    st.fixed_dictionaries({"noise_covariance": NINE.map(_covariance)}),
)
_LIMIT = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"bandwidth": _axes(sizes(-2, 5))}),
    st.fixed_dictionaries({"integration_time": _axes(sizes(-6, 2))}),
)
_MARKOV = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"bias_stddev": SIZE, "bias_correlation_time": sizes(-6, 6)}),
)
_FLICKER = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "bias_instability": SIZE,
            "bias_instability_band": st.tuples(sizes(-3, 2), sizes(0, 4)).map(
                lambda pair: [pair[0], pair[0] * (1.0 + pair[1])]
            ),
        }
    ),
)
_RANGE = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"range": sizes(-3, 4)}),
    st.fixed_dictionaries({"range": sizes(-3, 4), "nonlinearity": SMALL}),
)
_MISALIGNMENT = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"misalignment_stddev": _axes(sizes(-6, 0))}),
    st.fixed_dictionaries({"misalignment_covariance": NINE.map(_covariance)}),
)
_REST = {
    "constant_bias": SIGNED,
    "turn_on_bias_stddev": SIZE,
    "random_walk": SIZE,
    "scale_factor": SMALL,
    "scale_factor_stddev": _axes(sizes(-6, 0)),
    "cross_axis": st.one_of(SMALL, NINE.map(_with_diagonal)),
    "misalignment": st.lists(_signed(-6, 1), min_size=3, max_size=3),
    "temperature_bias": SMALL,
    "temperature_scale_factor": SMALL,
    "temperature_noise": SMALL,
    "resolution": SIZE,
}


@st.composite
def triads(draw: Any, sensor: str) -> TriadSpec:
    """Return a triad with any of the figures that a sensor may have."""
    own = {
        "gyroscope": {"g_sensitivity": st.one_of(SMALL, NINE), "vibration_rectification": SMALL},
        "accelerometer": {"vibration_rectification": SMALL},
        "magnetometer": {},
    }[sensor]
    figures = draw(st.fixed_dictionaries({}, optional={**_REST, **own}))
    noise = draw(_NOISE)
    limit = draw(_LIMIT)
    if "noise_covariance" in noise:
        limit.pop("bandwidth", None)
    for more in (noise, limit, draw(_MARKOV), draw(_FLICKER), draw(_RANGE), draw(_MISALIGNMENT)):
        figures.update(more)
    return TriadSpec(**figures)


_OF_ALL = st.fixed_dictionaries(
    {},
    optional={
        "reference_temperature": st.integers(-50, 100).map(float),
        "warm_up_time": sizes(-3, 3),
        "operating_temperature": st.just([-40.0, 85.0]),
        "vibration_limit": sizes(-3, 2),
        "shock_limit": sizes(-3, 2),
        "increments_scale": sizes(-3, 3),
    },
)


@st.composite
def specs(draw: Any, magnetometer: bool | None = None) -> ImuSpec:
    """Return an IMU with any figures, and a magnetometer where it is asked for, or by chance."""
    sensors: dict[str, Any] = {name: draw(triads(name)) for name in ("gyroscope", "accelerometer")}
    if draw(st.booleans()) if magnetometer is None else magnetometer:
        sensors["magnetometer"] = draw(triads("magnetometer"))
    return ImuSpec(**sensors, **draw(_OF_ALL))


@st.composite
def faults(draw: Any, modes: tuple[str, ...], most: int = 3) -> tuple[Fault, ...]:
    """Return faults of these modes, at any time of the next few seconds."""
    found = []
    for number in range(draw(st.integers(0, most))):
        mode = draw(st.sampled_from(modes))
        targets = ["gyroscope", "accelerometer"]
        magnitude = draw(_signed(-6, 2))
        if mode == "noise":
            magnitude = abs(magnitude)
        if mode == "intermittent":
            magnitude = draw(st.sampled_from([0.0, 0.05, 0.5, 1.0]))
        if mode not in ("bias", "drift"):
            targets.append("all")
        found.append(
            Fault(
                mode=mode,
                target=draw(st.sampled_from(targets)),
                axes=draw(st.sampled_from(["xyz", "x", "zy"])),
                magnitude=None if mode in ("stuck", "total") else magnitude,
                start=draw(st.one_of(st.just(0.0), sizes(-3, 1))),
                duration=draw(sizes(-3, 1)),
                mtbf=draw(st.one_of(st.just(0.0), sizes(-3, 1))),
                name=f"fault {number}",
            )
        )
    return tuple(found)


QUIET = ("bias", "drift", "noise", "stuck")
"""Modes that leave every value a number."""

ANY = (*QUIET, "intermittent", "total")
