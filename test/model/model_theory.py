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

"""Specs of every term, and runs of many members with the states at both ends."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from model_specs import CORRELATED
from model_statistics import ALARM

from imu_noise_node import ImuModel, ImuSpec, TriadSpec

PROCESSES = {
    "turn on": {"turn_on_bias_stddev": [0.4, 0.0, 0.1]},
    "walk": {"random_walk": [0.2, 0.0, 0.1]},
    "gauss-markov": {"bias_stddev": 0.3, "bias_correlation_time": [0.02, 1.0, 50.0]},
    "flicker": {"bias_instability": 0.1, "bias_instability_band": [0.02, 20.0]},
}
WHITE = {
    "white": {"noise_density": [0.02, 0.05, 0.0]},
    "correlated": {"noise_covariance": CORRELATED},
}
BY_CAPTURE = {
    "per sample": {"noise_stddev": 0.3},
    "integration time": {"noise_density": 0.02, "integration_time": 0.01},
    # Over 0.1 s and more the first is white; over 8 ms and more the second.
    "bandwidth": {"noise_density": 0.02, "bandwidth": [3.0, 40.0, 0.0]},
    # Rounding is as good as independent noise from sigma = one step on.
    "resolution": {"noise_stddev": 0.3, "resolution": 0.3},
}
"""Terms whose law depends on the captures, and not on the span alone."""

TERMS = {**WHITE, **PROCESSES, **BY_CAPTURE}
ALL = {name: value for figures in PROCESSES.values() for name, value in figures.items()}
FULL = ImuSpec(
    TriadSpec(
        noise_density=0.02,
        bandwidth=[3.0, 40.0, 0.0],
        resolution=0.02,
        constant_bias=[0.5, -0.3, 0.1],
        temperature_bias=[0.01, 0.0, -0.02],
        temperature_noise=0.02,
        **ALL,
    ),
    TriadSpec(
        noise_covariance=CORRELATED,
        integration_time=0.03,
        constant_bias=0.7,
        temperature_noise=[0.0, -0.01, 0.01],
        **ALL,
    ),
    increments_scale=2.0,
)
WITH_FIELD = ImuSpec(
    FULL.gyroscope,
    FULL.accelerometer,
    TriadSpec(noise_density=1e-7, random_walk=[1e-8, 0.0, 2e-8]),
)
SPECS = {
    **{name: ImuSpec(TriadSpec(**term), TriadSpec(**term)) for name, term in TERMS.items()},
    "all": FULL,
}


def states_of(model: ImuModel, record) -> np.ndarray:
    """Return the states of `record` where the members of `model` are, shape (members, n)."""
    figures = model._bank.figures
    found = []
    for sensor, effect, axis in record.states:
        k = 3 * figures.sensors.index(sensor) + "xyz".index(axis)
        if effect == "turn_on_bias":
            found.append(figures.turn_on_bias_stddev[..., k] * model._draws[0][..., k])
        else:
            found.append(model._bank.states[figures.labels.index(effect)][..., k])
    return np.array(found).reshape(len(found), *model.batch).T.copy()


def integrals(model: ImuModel, steps, temperature=None):
    """Return the time integral of what a sensor at rest reads over the steps, (members, K)."""
    field = 0.0 if len(model._bank.figures.sensors) == 3 else None
    return sum(dt * model.step(dt, 0.0, 0.0, temperature, field).values for dt in steps)


def increments(model: ImuModel, steps, temperature=None, scale: float = 1.0):
    """Return the increments of velocity, then angle, over the steps, (members, 6)."""
    total = integrals(model, steps, temperature)
    return scale * total[..., [3, 4, 5, 0, 1, 2]]


def assert_moments(samples, covariance) -> None:
    """Check means (zero) and all second moments of samples, shape (n, d), against theory.

    A product of normal values has variance s1^2 s2^2 + c^2. All comparisons of one call together
    have a false-alarm rate of ALARM, 1e-9; in the far tails of such averages of 20000 some times
    that.
    """
    deviations = np.sqrt(np.diag(covariance))
    on = deviations > 0.0
    assert np.abs(samples[:, ~on]).max(initial=0.0) < 1e-12
    scaled = samples[:, on] / deviations[on]
    expected = covariance[np.ix_(on, on)] / np.outer(deviations[on], deviations[on])
    size, d = scaled.shape
    if d == 0:
        return
    z = -NormalDist().inv_cdf(ALARM / (d * (d + 3)))
    assert np.abs(scaled.mean(axis=0)).max() * size**0.5 < z
    off = (scaled.T @ scaled / size - expected) / np.sqrt((1.0 + expected**2) / size)
    assert np.abs(off).max() < z, f"{np.abs(off).max():.1f} deviations, allowed {z:.1f}"


LAW = (
    "mean",
    "measurement",
    "transition",
    "conditional_covariance",
    "process_covariance",
    "cross_covariance",
    "white_covariance",
    "rounding_covariance",
)
PRIORS = ("initial", "start", "end")


def facts(record) -> dict:
    """Return all that a record says."""
    found = {name: getattr(record, name) for name in LAW}
    for name in PRIORS:
        found[name] = getattr(record, name).covariance
    return {**found, "marginal": record.marginal_covariance}


def assert_same(one, other, rtol=1e-12) -> None:
    """Check two records; each matrix to `rtol` of what is largest in it."""
    for (name, found), expected in zip(facts(one).items(), facts(other).values(), strict=True):
        atol = rtol * np.abs(expected).max(initial=0.0)
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=atol, err_msg=name)
