"""The schema of an IMU: every figure of the error model with its unit, bounds and meaning.

`u` stands for the unit of the sensor: rad/s for the gyroscope, m/s^2 for the accelerometer.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..schema import AXES, check_fields, parameter

SENSORS = ("gyroscope", "accelerometer")
"""The triads in the order in which the model stacks their axes."""

UNITS = {"gyroscope": "rad/s", "accelerometer": "m/s^2"}
"""What `u` stands for, by sensor."""

PLAUSIBLE_DENSITY = {"gyroscope": (1e-8, 2e-2), "accelerometer": (1e-7, 0.5)}
"""Noise densities [u/sqrt(Hz)] that a real sensor could have: strategic units to poor phones."""


def spell_out_unit(text: str, name: str) -> str:
    """Return `text` with the unit `u` spelt out for the sensor that the parameter `name` is of."""
    unit = UNITS.get(name.split(".")[0])
    if unit is None:
        return text
    # Only the unit of a figure: at the start, or right after the bracket.
    text = re.sub(r"(^|\[)u\^2", rf"\1({unit})^2", text)
    return re.sub(r"(^|\[)u\b", rf"\1{unit}", text)


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
    range: Figure = parameter(
        0.0, "full scale, to either side; 0 is unlimited", "u", shape=AXES, lower=0.0
    )
    resolution: Figure = parameter(
        0.0, "quantisation step; 0 is continuous", "u", shape=AXES, lower=0.0
    )

    def __post_init__(self) -> None:
        check_fields(self)
        self._check_noise()
        band = self.bias_instability_band
        if not (band[..., 0] < band[..., 1]).all():
            raise ParameterError(
                "bias_instability_band", band.tolist(), "must be two times [s], shorter one first"
            )
        self._check_correlation_time()

    def _check_noise(self) -> None:
        if self.noise_covariance is None:
            return
        if self.noise_density is not None:
            raise ParameterError(
                "noise_covariance",
                self.noise_covariance.ravel().tolist(),
                "must be left out where noise_density is given",
            )
        if self.noise_covariance.shape[-2:] != (3, 3):
            shape = (*self.noise_covariance.shape[:-1], 3, 3)
            object.__setattr__(self, "noise_covariance", self.noise_covariance.reshape(shape))
        matrix = self.noise_covariance
        scale = np.abs(matrix).max(initial=0.0)
        symmetric = np.abs(matrix - np.swapaxes(matrix, -1, -2)).max(initial=0.0) <= 1e-9 * scale
        if not symmetric or np.linalg.eigvalsh(matrix).min(initial=0.0) < -1e-9 * scale:
            raise ParameterError(
                "noise_covariance",
                matrix.ravel().tolist(),
                "must be symmetric and positive semidefinite, nine values row by row",
            )

    def _check_correlation_time(self) -> None:
        time = np.asarray(self.bias_correlation_time)
        try:
            missing = (np.asarray(self.bias_stddev) > 0.0) & (time == 0.0)
        except ValueError:
            raise ParameterError(
                "bias_correlation_time", time.shape, "must have a shape that fits bias_stddev"
            ) from None
        if missing.any():
            raise ParameterError(
                "bias_correlation_time", 0.0, "must be above 0 [s] where bias_stddev is given"
            )

    @property
    def density(self) -> Figure | None:
        """Two-sided root power spectral density [u/sqrt(Hz)]; None where none is given."""
        if self.noise_density is None or self.noise_type == "double-sided":
            return self.noise_density
        return self.noise_density / math.sqrt(2.0)


@dataclass(frozen=True, eq=False)
class ImuSpec:
    """The errors of a whole IMU. Without arguments it is a perfect one."""

    gyroscope: TriadSpec = field(default_factory=TriadSpec)
    accelerometer: TriadSpec = field(default_factory=TriadSpec)

    def __post_init__(self) -> None:
        for name, triad in self.triads().items():
            if not isinstance(triad, TriadSpec):
                raise ParameterError(name, triad, "must be a TriadSpec")

    def triads(self) -> dict[str, TriadSpec]:
        """Return the triads by sensor name, in stacking order."""
        return {name: getattr(self, name) for name in SENSORS}


def implausible(spec: ImuSpec) -> list[str]:
    """Return a sentence for each noise density that no real sensor has; zero is not one."""
    sentences = []
    for name, triad in spec.triads().items():
        low, high = PLAUSIBLE_DENSITY[name]
        values = np.asarray(0.0 if triad.density is None else triad.density)
        odd = values[(values > 0.0) & ((values < low) | (values > high))]
        if odd.size:
            sentences.append(
                f"{name}.noise_density = {odd[0]:g} {UNITS[name]}/sqrt(Hz) is outside "
                f"{low:g} to {high:g}, where real sensors are: is the unit right?"
            )
    return sentences


def figures_given(triad: TriadSpec) -> dict[str, Any]:
    """Return the fields of `triad` that differ from their defaults."""
    blank = TriadSpec()
    return {
        f.name: value
        for f in fields(triad)
        if (value := getattr(triad, f.name)) is not None
        and not np.array_equal(value, getattr(blank, f.name))
    }
