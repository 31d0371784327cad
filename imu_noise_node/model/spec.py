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

"""The schema of an IMU: every figure of the error model with its unit, bounds and meaning.

`u` stands for the unit of the sensor: rad/s for the gyroscope, m/s^2 for the accelerometer, T for
the magnetometer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..schema import AXES, MATRIX, check_fields, parameter, parameters, record, spell_out
from .spec_checks import check_band, check_cross_axis, check_misalignment, check_noise, need

SENSORS = ("gyroscope", "accelerometer", "magnetometer")
"""The triads in the order in which the model stacks their axes."""

INERTIAL = SENSORS[:2]
"""Those that every IMU has."""

UNITS = {"gyroscope": "rad/s", "accelerometer": "m/s^2", "magnetometer": "T"}
"""What `u` stands for, by sensor."""


def spell_out_unit(text: str, name: str) -> str:
    """Return `text` with the unit `u` spelt out for the sensor that the parameter `name` is of."""
    unit = UNITS.get(name.split(".")[0])
    return text if unit is None else spell_out(text, unit)


Figure = float | NDArray[np.float64]
"""One number for all axes, three for x, y, z; more leading axes are batch axes."""


@dataclass(frozen=True, eq=False)
class TriadSpec:
    """The errors of one triad of axes. A figure left at its default is an effect switched off.

    Every figure takes a number, or three for x, y, z. In the Python API it may carry leading
    batch axes, shape (*batch, 3).

    Raises
    ------
    ParameterError
        A figure out of bounds, or two that contradict each other.
    """

    noise_density: Figure | None = parameter(
        None,
        "white noise density (Kalibr's noise density; Allan deviation at 1 s)",
        "u/sqrt(Hz)",
        shape=AXES,
        lower=0.0,
    )
    noise_type: str = parameter(
        "double-sided",
        "how noise_density was measured; a single-sided figure is sqrt(2) larger",
        kind=str,
        choices=("double-sided", "single-sided"),
    )
    noise_covariance: NDArray[np.float64] | None = parameter(
        None,
        "white noise covariance per Hz with correlated axes, row by row; instead of noise_density",
        "u^2/Hz",
        shape=(9,),
    )
    noise_stddev: Figure = parameter(
        0.0,
        "noise per sample at any rate; used only where no density is given",
        "u",
        shape=AXES,
        lower=0.0,
    )
    integration_time: Figure = parameter(
        0.0,
        "longest time over which the sensor averages; 0 averages the whole interval",
        "s",
        shape=AXES,
        lower=0.0,
    )
    bandwidth: Figure = parameter(
        0.0,
        "-3 dB bandwidth, first order, of signal and white noise; 0 is unlimited",
        "Hz",
        shape=AXES,
        lower=0.0,
    )
    constant_bias: Figure = parameter(0.0, "fixed bias", "u", shape=AXES)
    turn_on_bias_stddev: Figure = parameter(
        0.0, "bias drawn once per run", "u", shape=AXES, lower=0.0
    )
    bias_stddev: Figure = parameter(
        0.0, "stationary sigma of the Gauss-Markov bias", "u", shape=AXES, lower=0.0
    )
    bias_correlation_time: Figure = parameter(
        0.0, "correlation time of the Gauss-Markov bias", "s", shape=AXES, lower=0.0
    )
    random_walk: Figure = parameter(
        0.0,
        "random walk of the bias (rate random walk K; Kalibr's random walk)",
        "u/s/sqrt(Hz)",
        shape=AXES,
        lower=0.0,
    )
    bias_instability: Figure = parameter(
        0.0,
        "flat floor of the Allan deviation, as a datasheet quotes it",
        "u",
        shape=AXES,
        lower=0.0,
    )
    bias_instability_band: NDArray[np.float64] = parameter(
        (1.0, 1000.0),
        "averaging times between which the Allan deviation of the bias instability is flat",
        "s",
        shape=(2,),
        lower=0.0,
        above_lower=True,
    )
    scale_factor: Figure = parameter(0.0, "fixed error of the scale factor", "1", shape=AXES)
    scale_factor_stddev: Figure = parameter(
        0.0, "error of the scale factor drawn once per run", "1", shape=AXES, lower=0.0
    )
    cross_axis: Figure = parameter(
        0.0,
        "what an axis picks up of the two others: one number for all, three for what is picked "
        "up of x, y, z, or nine for the whole matrix row by row, with ones on its diagonal",
        "1",
        shape=MATRIX,
    )
    misalignment: NDArray[np.float64] = parameter(
        (0.0, 0.0, 0.0),
        "rotation vector that turns the nominal axes into those of the sensor",
        "rad",
        shape=(3,),
    )
    misalignment_stddev: Figure = parameter(
        0.0, "rotation about each axis drawn once per run", "rad", shape=AXES, lower=0.0
    )
    misalignment_covariance: NDArray[np.float64] | None = parameter(
        None,
        "covariance of the rotation drawn once per run, row by row; instead of "
        "misalignment_stddev",
        "rad^2",
        shape=(9,),
    )
    nonlinearity: Figure = parameter(
        0.0,
        "error at full scale as a fraction of full scale, growing as x |x|; needs range",
        "1",
        shape=AXES,
    )
    g_sensitivity: Figure = parameter(
        0.0,
        "bias by specific force: one number for each axis along itself, three, or nine for the "
        "whole matrix row by row",
        "u/(m/s^2)",
        shape=MATRIX,
        sensors=("gyroscope",),
    )
    vibration_rectification: Figure = parameter(
        0.0,
        "bias by the variance of the specific force along the same axis over the last second",
        "u/(m/s^2)^2",
        shape=AXES,
        sensors=("gyroscope", "accelerometer"),
    )
    temperature_bias: Figure = parameter(
        0.0, "bias by temperature, about reference_temperature", "u/degC", shape=AXES
    )
    temperature_scale_factor: Figure = parameter(
        0.0, "scale factor by temperature, about reference_temperature", "1/degC", shape=AXES
    )
    temperature_noise: Figure = parameter(
        0.0,
        "relative growth of the noise by temperature, about reference_temperature",
        "1/degC",
        shape=AXES,
    )
    range: Figure = parameter(
        0.0, "full scale, to either side; 0 is unlimited", "u", shape=AXES, lower=0.0
    )
    resolution: Figure = parameter(
        0.0, "quantisation step; 0 is continuous", "u", shape=AXES, lower=0.0
    )

    def __post_init__(self) -> None:
        check_fields(self)
        check_noise(self)
        check_misalignment(self)
        check_cross_axis(self)
        check_band(self)
        need(self, "bias_stddev", "bias_correlation_time", "s")
        need(self, "nonlinearity", "range", "u")

    @property
    def density(self) -> Figure | None:
        """Two-sided root power spectral density [u/sqrt(Hz)]; None where none is given."""
        if self.noise_density is None or self.noise_type == "double-sided":
            return self.noise_density
        return self.noise_density / math.sqrt(2.0)


@dataclass(frozen=True, eq=False)
class ImuSpec:
    """The errors of a whole IMU. Without arguments it is a perfect one, without magnetometer."""

    gyroscope: TriadSpec = record(TriadSpec, UNITS["gyroscope"], default_factory=TriadSpec)
    accelerometer: TriadSpec = record(TriadSpec, UNITS["accelerometer"], default_factory=TriadSpec)
    magnetometer: TriadSpec | None = record(TriadSpec, UNITS["magnetometer"], default=None)
    reference_temperature: float = parameter(
        25.0, "temperature at which temperature has no effect", "degC"
    )
    warm_up_time: float = parameter(
        0.0,
        "time after switching on in which the sensor, at reference_temperature then, makes 95 % "
        "of its way to the temperature given; 0 is at once",
        "s",
        lower=0.0,
    )
    operating_temperature: NDArray[np.float64] | None = parameter(
        None, "lowest and highest temperature; outside, the sensor is degraded", "degC", shape=(2,)
    )
    vibration_limit: float = parameter(
        0.0,
        "rms of the specific force about its mean over the last second; above, the sensor is "
        "degraded; 0 is unlimited",
        "m/s^2",
        lower=0.0,
    )
    shock_limit: float = parameter(
        0.0,
        "magnitude of the specific force above which the sensor is degraded; 0 is unlimited",
        "m/s^2",
        lower=0.0,
    )
    increments_scale: float = parameter(
        1.0, "what increments of velocity and angle are multiplied with", "1"
    )

    def __post_init__(self) -> None:
        for name in SENSORS:
            triad = getattr(self, name)
            if not isinstance(triad, TriadSpec) and (name != "magnetometer" or triad is not None):
                raise ParameterError(name, triad, "must be a TriadSpec")
        check_fields(self)
        for name, triad in self.triads().items():
            for figure in figures_given(triad):
                sensors = parameters(TriadSpec)[figure].sensors
                if sensors and name not in sensors:
                    raise ParameterError(
                        f"{name}.{figure}",
                        getattr(triad, figure),
                        f"must be left out: it is a figure of the {' and the '.join(sensors)}",
                    )
        limits = self.operating_temperature
        if limits is not None and (limits.shape != (2,) or limits[0] >= limits[1]):
            raise ParameterError(
                "operating_temperature", limits.tolist(), "must be two, the lower one first"
            )

    def triads(self) -> dict[str, TriadSpec]:
        """Return the triads that there are, by sensor name, in stacking order."""
        found = {name: getattr(self, name) for name in SENSORS}
        return {name: triad for name, triad in found.items() if triad is not None}


def figures_given(triad: TriadSpec) -> dict[str, Any]:
    """Return the fields of `triad` that differ from their defaults."""
    blank = TriadSpec()
    return {
        f.name: value
        for f in fields(triad)
        if (value := getattr(triad, f.name)) is not None
        and np.any(np.asarray(value) != getattr(blank, f.name))
    }
