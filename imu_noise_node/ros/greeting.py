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

"""What the node says at its start: the figures that are in effect."""

from __future__ import annotations

import math

import numpy as np

from ..model.spec import UNITS, ImuSpec, TriadSpec, figures_given
from ..pipeline import Sample


def greeting(spec: ImuSpec, rate: float, profile: str) -> list[str]:
    """Return one line per sensor; `rate` [Hz] 0 is that of the truth."""
    source = f"profile {profile}" if profile else "no profile"
    return [
        f"{name} ({source}): {'; '.join(_facts(triad, UNITS[name], rate))}"
        for name, triad in spec.triads().items()
    ]


def first_sample(sample: Sample) -> str:
    """Return a line on the interval and the sigmas that came out of it."""
    sigma = np.sqrt(np.diagonal(sample.measurement.covariance))
    units = list(UNITS.values())[: len(sigma) // 3]
    sigmas = [f"{_text(sigma[3 * i : 3 * i + 3])} {unit}" for i, unit in enumerate(units)]
    return (
        f"first sample, {sample.dt * 1e3:.6g} ms after the capture before: sigma per "
        f"sample {', '.join(sigmas[:-1])} and {sigmas[-1]}"
    )


def _facts(triad: TriadSpec, unit: str, rate: float) -> list[str]:
    facts = []
    if triad.density is not None:
        facts.append(f"noise density {_text(triad.density)} {unit}/sqrt(Hz)")
        facts.append(_sigma(triad, unit, rate))
    elif triad.noise_covariance is not None:
        density = np.sqrt(np.diagonal(triad.noise_covariance))
        facts.append(f"noise density {_text(density)} {unit}/sqrt(Hz), axes correlated")
    elif np.any(triad.noise_stddev):
        facts.append(f"sigma per sample {_text(triad.noise_stddev)} {unit} at any rate")
    else:
        facts.append("no white noise")
    said = {"noise_density", "noise_type", "noise_covariance", "noise_stddev"}
    for name, value in figures_given(triad).items():
        if name not in said:
            facts.append(f"{name} {_text(value)}")
    return facts


def _sigma(triad: TriadSpec, unit: str, rate: float) -> str:
    shown = rate or 100.0
    longest, bandwidth = np.asarray(triad.integration_time), np.asarray(triad.bandwidth)
    # Between these rates sigma grows with the root of the rate.
    lowest = np.where(longest > 0.0, 1.0 / np.where(longest > 0.0, longest, 1.0), 0.0)
    highest = np.where(bandwidth > 0.0, math.pi * bandwidth, math.inf)
    sigma = np.asarray(triad.density) * np.sqrt(np.minimum(np.maximum(shown, lowest), highest))
    at = f"at {shown:g} Hz"
    if not rate and (shown < highest).any():
        at += ", growing with the root of the rate"
        if lowest.any():
            at += f" from {_text(lowest)} Hz on"
        if np.isfinite(highest).any():
            at += f" up to {_text(highest)} Hz"
    return f"sigma per sample {_text(sigma)} {unit} {at}"


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
    if (numbers == numbers[0]).all():
        return f"{numbers[0]:.4g}"
    return f"[{', '.join(f'{n:.4g}' for n in numbers)}]"
