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

"""What a filter that knows white noise and a random walk is told of a sensor that has more.

White noise is what averages out as N/sqrt(tau) at the rate given; rounding, an integration time
and noise per sample are in it. All slow terms together are told as one random walk, whose Allan
variance K^2 tau/3 (IEEE Std 952-1997, annex C) is theirs at one averaging time. Unless another is
given, that is the time at which they have grown to a tenth of that of the white noise, N^2/tau: at
shorter ones a filter cannot see the bias for noise, at longer ones it has followed it. A filter
that estimates a flickering bias so is as good as it says, within a fifth of its variance; by the
time at which they are equal it would claim a half to a third. A pure random walk comes out as it
is, at any time.
"""

from __future__ import annotations

import numpy as np

from ..errors import ParameterError
from ..model.filter_model import FilterModel
from ..model.plausible import implausible
from ..model.spec import INERTIAL, ImuSpec
from ..model.theory import Theory
from ..profiles.formats.export import column, density, left_out
from ..samples import Array
from .figures import FilterFigures, SensorFigures

RATES = (1.0, 1e5)
"""Rates [Hz] between which filters read an IMU."""

TIMES = (0.1, 1000.0)
"""Averaging times [s] between which the slow terms are looked for."""

SHARE = 0.1
"""Of the white noise's Allan variance, which the slow terms must have reached."""

_NOISE = ("white", "resolution")
"""Terms of the Allan deviation that average out; all others but the total are slow."""

_IN_WORDS = {"flicker": "bias instability", "gauss_markov": "Gauss-Markov drift"}

_TOLD = (
    *("random_walk", "bias_stddev", "bias_correlation_time", "bias_instability"),
    *("bias_instability_band", "turn_on_bias_stddev", "constant_bias"),
    *("resolution", "integration_time", "bandwidth", "range"),
)
"""Figures that are in what a filter is told, in one form or another, or of no concern to it."""


def figures_of(spec: ImuSpec, rate: float, time_scale: float | None = None) -> FilterFigures:
    """Return what filters are told of `spec`, read at `rate` [Hz].

    Parameters
    ----------
    time_scale : float, optional
        Averaging time [s] at which a random walk stands for all slow terms; by default, for each
        axis, that at which they have a tenth of the white noise's Allan variance.

    Raises
    ------
    ParameterError
        A rate or time that is not allowed, or a batch of sensors.
    """
    if not RATES[0] <= rate <= RATES[1]:
        raise ParameterError("rate", rate, f"must be from {RATES[0]:g} to {RATES[1]:g} [Hz]")
    if time_scale is not None and not 1.0 / rate <= time_scale <= 1e9:
        allowed = f"must be from {1.0 / rate:g}, the interval, to 1e9 [s]"
        raise ParameterError("time_scale", time_scale, allowed)
    for name in INERTIAL:
        # Refuses batches.
        density(name, getattr(spec, name), rate)
    theory = Theory.of(spec)
    model = theory.filter_model(1.0 / rate, kind="averages")
    gyroscope, accelerometer = (
        _sensor(name, spec, theory, model, rate, time_scale) for name in INERTIAL
    )
    covariance = model.sample_covariance[:6, :6]
    lost = left_out(ImuSpec(spec.gyroscope, spec.accelerometer), _TOLD)
    notes = [f"no filter here has a place for {', '.join(lost)}"] if lost else []
    notes += implausible(spec)
    for sensor in (gyroscope, accelerometer):
        notes += _notes(
            sensor, density(sensor.sensor, getattr(spec, sensor.sensor), rate)[0], rate
        )
    return FilterFigures(rate, gyroscope, accelerometer, covariance, tuple(notes))


def _sensor(
    name: str,
    spec: ImuSpec,
    theory: Theory,
    model: FilterModel,
    rate: float,
    time_scale: float | None,
) -> SensorFigures:
    triad = getattr(spec, name)
    start, end = max(TIMES[0], 1.0 / rate), TIMES[1]
    times = np.geomspace(start, end, 1001) if time_scale is None else np.array([time_scale])
    terms = theory.allan_deviation(times, 1.0 / rate)[name]
    slow = {term: values for term, values in terms.items() if term not in (*_NOISE, "total")}
    variance = np.sum([values**2 for values in slow.values()], axis=0) + np.zeros((len(times), 3))
    noise = white_noise(name, theory, rate)
    seen = variance * times[:, None] >= SHARE * noise**2
    # Slow terms that noise hides at all times are told where they are largest.
    place = np.where(seen.any(axis=0), seen.argmax(axis=0), variance.argmax(axis=0))
    at, axes = times[place], np.arange(3)
    return SensorFigures(
        sensor=name,
        density=_as_given(noise, density(name, triad, rate)[0]),
        random_walk=_as_given(
            np.sqrt(3.0 * variance[place, axes] / at), column(name, triad, "random_walk")
        ),
        time_scale=at,
        start=_start(name, model),
        stands_for=tuple(term for term in slow if term != "random_walk"),
    )


def white_noise(name: str, theory: Theory, rate: float) -> Array:
    """Return the density [u/sqrt(Hz)] of what averages out, shape (3,), of a sensor."""
    # So long that noise which a bandwidth limits is white.
    tau = np.array([1e6])
    terms = theory.allan_deviation(tau, 1.0 / rate)[name]
    found = [terms[term][0] ** 2 * tau[0] for term in _NOISE if term in terms]
    white: Array = np.sqrt(np.sum(found, axis=0) + np.zeros(3))
    return white


def _as_given(found: Array, given: Array) -> Array:
    """Return the figures of the spec where they are the same, to the bit."""
    return np.where(np.isclose(found, given, rtol=1e-9, atol=0.0), given, found)


def _start(name: str, model: FilterModel) -> Array:
    """Return the root mean square of the bias at switching on, shape (3,)."""
    axes = slice(0, 3) if name == INERTIAL[0] else slice(3, 6)
    variance = model.mean[axes] ** 2
    initial = np.diagonal(model.initial.covariance)
    for index in model.index(sensor=name):
        state = model.states[index]
        if state.effect != "band_limited":
            variance["xyz".index(state.axis)] += initial[index]
    return np.sqrt(variance)


def _notes(sensor: SensorFigures, given: Array, rate: float) -> list[str]:
    notes = []
    louder = (given > 0.0) & (sensor.density > 1.01 * given)
    if louder.any():
        share = float((sensor.density[louder] / given[louder]).max())
        notes.append(
            f"{sensor.sensor}: rounding and the like make its white noise {share:.3g} times as "
            f"large at {rate:g} Hz"
        )
    if not sensor.density.all():
        notes.append(f"{sensor.sensor}: without white noise a filter trusts it without bound")
    if not sensor.random_walk.any():
        notes.append(
            f"{sensor.sensor}: no figure says how its bias moves, and with a random walk of 0 a "
            "filter holds the bias for constant: find it by an Allan deviation"
        )
    elif sensor.stands_for:
        terms = " and ".join(_IN_WORDS[term] for term in sensor.stands_for)
        span = _span(sensor.time_scale[sensor.random_walk > 0.0])
        notes.append(
            f"{sensor.sensor}: the random walk stands for {terms}, too: it has the Allan "
            f"deviation of all slow terms at {span} s"
        )
    return notes


def _span(times: Array) -> str:
    low, high = f"{times.min():.3g}", f"{times.max():.3g}"
    return low if low == high else f"{low} to {high}"
