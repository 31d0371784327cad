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

"""How far dead reckoning may be off, by covariance propagation along the truth.

With errors of position dp, velocity dv and attitude psi in world axes (the reckoned attitude is
exp(psi) times the true one), and errors u of the increments of velocity and angle that the sensor
reads, turned into world axes, the strapdown equations are to first order

    psi += u_angle
    dv  += (psi + u_angle / 2) x V + u_velocity
    dp  += T (dv before + dv after) / 2

over a step of T in which the velocity, but for gravity, changes by V (D. H. Titterton,
J. L. Weston, Strapdown inertial navigation technology, 2nd ed., 2004, chapter 12, on an Earth that
is flat and does not turn). u comes from the laws of `Theory.filter_model`, whose processes are
states beside these nine, and from scale factors and misalignments, which each run draws once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.figures import compile_spec
from ..model.filter_model import FilterModel
from ..model.spec import ImuSpec
from ..model.theory import Theory
from ..samples import Array
from .strapdown import skew

POSITION, VELOCITY, ATTITUDE = slice(0, 3), slice(3, 6), slice(6, 9)
"""Where the errors are among the nine: world axes, [m], [m/s], [rad]."""

ANGLE, SHARE = 0.05, 0.02
"""A step turns by no more than that angle [rad], and is no longer than that share of the time gone
by. To second order in both, nothing depends on how the steps are cut."""


class Path(NamedTuple):
    """The true motion of the sensor.

    Attributes
    ----------
    dt : ndarray, shape (T,)
        [s]
    truth : ndarray, shape (T, 6)
        Mean rate [rad/s] and specific force [m/s^2] over each interval, sensor axes.
    attitude : ndarray, shape (T, 3, 3)
        Sensor axes to those of the world, in the middle of each.
    """

    dt: Array
    truth: Array
    attitude: Array


def drift_covariance(path: Path, spec: ImuSpec, ends: NDArray[np.int64]) -> Array:
    """Return the covariance of the nine errors after each of so many intervals.

    Parameters
    ----------
    path : Path
    spec : ImuSpec
    ends : ndarray of int64, shape (n,)
        Rising, from 1 to T.

    Returns
    -------
    ndarray, shape (n, 9, 9)
    """
    laws = _Laws(spec)
    draws = _draw_covariance(spec)
    prior = laws.at(1, float(path.dt[0])).initial.covariance
    covariance: Array = np.zeros((21 + len(prior),) * 2)
    covariance[9:21, 9:21], covariance[21:, 21:] = draws, prior
    found, wanted = [], set(ends.tolist())
    for start, stop in _steps(path, ends):
        part = Path(*(array[start:stop] for array in path))
        transition, noise = _step(part, laws.at(stop - start, float(np.mean(part.dt))))
        covariance = transition @ covariance @ transition.T + noise
        if stop in wanted:
            found.append(covariance[:9, :9])
    return np.array(found)


class _Laws:
    """The laws of the increments over so many intervals together."""

    def __init__(self, spec: ImuSpec) -> None:
        self._theory = Theory.of(replace(spec, increments_scale=1.0, magnetometer=None))
        self._known: dict[tuple[int, int], FilterModel] = {}

    def at(self, count: int, dt: float) -> FilterModel:
        """Return the law of `count` intervals, whose length is rounded to microseconds."""
        # Stamps are not quite even; what they are off by has no effect here.
        key = count, max(1, round(1e6 * dt))
        if key not in self._known:
            self._known[key] = self._theory.filter_model(1e-6 * key[1]).repeated(count)
        return self._known[key]


def _step(part: Path, law: FilterModel) -> tuple[Array, Array]:
    """Return the transition of all states over one step, and the covariance of what is new."""
    duration = float(part.dt.sum())
    turned = part.attitude * part.dt[:, None, None]
    mean = turned.sum(axis=0) / duration
    rate, force = part.truth[:, 0:3], part.truth[:, 3:6]
    pushed = skew(np.einsum("tij,tj->i", turned, force))
    # From increments in world axes, velocity first, to the nine.
    loading = np.zeros((9, 6))
    loading[VELOCITY, 0:3] = loading[ATTITUDE, 3:6] = np.eye(3)
    loading[VELOCITY, 3:6] = -0.5 * pushed
    loading[POSITION] = 0.5 * duration * loading[VELOCITY]
    states = len(law.states)
    transition = np.eye(21 + states)
    transition[POSITION, VELOCITY] = duration * np.eye(3)
    transition[VELOCITY, ATTITUDE] = -pushed
    transition[POSITION, ATTITUDE] = -0.5 * duration * pushed
    transition[:9, 9:21] = loading @ _sensitivity(turned, rate, force)
    turning = loading @ np.kron(np.eye(2), mean)
    transition[:9, 21:] = turning @ law.measurement
    transition[21:, 21:] = law.transition
    noise = np.zeros_like(transition)
    noise[:9, :9] = turning @ law.conditional_covariance @ turning.T
    noise[:9, 21:] = turning @ law.cross_covariance
    noise[21:, :9] = noise[:9, 21:].T
    noise[21:, 21:] = law.process_covariance
    return transition, noise


def _sensitivity(turned: Array, rate: Array, force: Array) -> Array:
    """Return what the increments get of what a run draws, shape (6, 12); see `_draw_covariance`.

    A sensor whose axes are turned by d reads x + x x d, and one with the scale error s (1 + s) x.
    """
    found = np.zeros((6, 12))
    for rows, first, values in ((slice(3, 6), 0, rate), (slice(0, 3), 3, force)):
        found[rows, first : first + 3] = np.einsum("tij,tj->ij", turned, values)
        crossed = np.einsum("tij,tjk->ik", turned, skew(values))
        found[rows, 6 + first : 9 + first] = crossed
    return found


def _draw_covariance(spec: ImuSpec) -> Array:
    """Return the covariance of scale factors [1] and then misalignments [rad], gyroscope first."""
    signal = compile_spec(replace(spec, magnetometer=None)).signal
    found = np.zeros((12, 12))
    found[:6, :6] = np.diag(np.broadcast_to(signal.scale_factor_stddev, 6) ** 2)
    roots = np.broadcast_to(signal.misalignment_root, (6, 3)).reshape(2, 3, 3)
    for first, root in zip((6, 9), roots, strict=True):
        found[first : first + 3, first : first + 3] = root @ root.T
    return found


def _steps(path: Path, ends: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield where each step begins and ends, an end of `ends` never within one."""
    # Turning by steps of `ANGLE`, and time by steps in proportion to itself.
    angles = np.concatenate(
        [[0.0], np.cumsum(np.linalg.norm(path.truth[:, 0:3], axis=1) * path.dt)]
    )
    moments = np.concatenate([[0.0], np.cumsum(path.dt)])
    start = 0
    for end in ends.tolist():
        while start < end:
            by_angle = int(np.searchsorted(angles, angles[start] + ANGLE, side="right")) - 1
            latest = moments[start] * (1.0 + SHARE)
            by_time = int(np.searchsorted(moments, latest, side="right")) - 1
            stop = min(end, max(start + 1, min(by_angle, by_time)))
            yield start, stop
            start = stop
