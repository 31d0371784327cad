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

"""Dead reckoning with a simulated sensor: how far it is off after a time, and what theory says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..model.imu import ImuModel
from ..model.spec import ImuSpec, TriadSpec
from ..motion.rotations import normalised, rotate
from ..samples import Array
from ..simulation.tape import Progress, Tape
from .drift_theory import ATTITUDE, Path, drift_covariance
from .strapdown import Strapdown, rotation_vectors, rotations

LINEAR = 0.3
"""Attitude errors [rad] up to which the theory, which is of first order, holds."""

MARKS = (1.0, 10.0, 60.0, 600.0, 3600.0, 36000.0)
"""Times [s] at which people ask."""

_BLOCK = 256
"""So many captures of all runs are in memory together."""


@dataclass(frozen=True, eq=False)
class Drift:
    """Errors of dead reckoning over time.

    The nine errors are those of position [m], velocity [m/s] and attitude (rotation vector [rad])
    in world axes, against a perfect sensor that is reckoned in the same way from the same start;
    `drift_theory` names their places.

    Attributes
    ----------
    times : ndarray, shape (n,)
        Since the start [s].
    errors : ndarray, shape (n, runs, 9)
    mean : ndarray, shape (n, 9)
        Errors of the sensor without all that is random.
    covariance : ndarray, shape (n, 9, 9)
        By theory, about the mean.
    """

    times: Array
    errors: Array
    mean: Array
    covariance: Array

    @property
    def is_linear(self) -> NDArray[np.bool_]:
        """Whether the theory holds, shape (n,): attitudes are expected to err by little."""
        small: NDArray[np.bool_] = self._expected(ATTITUDE) <= LINEAR
        return small

    def measured(self, part: slice) -> Array:
        """Return the rms over the runs of the size of an error, shape (n,)."""
        rms: Array = np.sqrt(np.mean(np.sum(self.errors[..., part] ** 2, axis=-1), axis=1))
        return rms

    def expected(self, part: slice) -> Array:
        """Return what theory expects of `measured`, shape (n,); NaN where it does not hold."""
        return np.where(self.is_linear, self._expected(part), np.nan)

    def spread(self, part: slice) -> Array:
        """Return the standard deviation that theory gives `measured`, shape (n,)."""
        covariance, mean = self.covariance[:, part, part], self.mean[:, part]
        # Of the square of a normal vector: 2 tr(P P) + 4 m P m.
        fluctuation = 2.0 * np.einsum("nij,nij->n", covariance, covariance)
        fluctuation += 4.0 * np.einsum("ni,nij,nj->n", mean, covariance, mean)
        expected = self.expected(part)
        size = np.where(expected > 0.0, expected, 1.0)
        deviation: Array = np.sqrt(fluctuation / self.errors.shape[1]) / (2.0 * size)
        return deviation

    def _expected(self, part: slice) -> Array:
        spread = np.trace(self.covariance[:, part, part], axis1=1, axis2=2)
        rms: Array = np.sqrt(np.sum(self.mean[:, part] ** 2, axis=1) + spread)
        return rms


def drift(
    tape: Tape,
    spec: ImuSpec,
    runs: int = 100,
    seed: int = 0,
    *,
    gravity: float = 9.80665,
    moments: Array | None = None,
    progress: Progress | None = None,
) -> Drift:
    """Dead-reckon what `runs` sensors measure of one truth, and say how far they are off.

    Parameters
    ----------
    tape : Tape
        Without a gap.
    spec : ImuSpec
        A magnetometer in it is left out.
    runs : int, optional
        So many sensors.
    seed : int, optional
        0 or more; of all of them.
    gravity : float, optional
        That of the tape [m/s^2].
    moments : ndarray, optional
        When to look [s]; by default `moments_of(tape)`. Each is the end of an interval near it.
    progress : callable, optional
        Takes how many captures are done, and how many there are.

    Raises
    ------
    InputError
        The tape has a gap, no captures, or no orientation at its start.
    """
    _check(tape)
    spec = replace(spec, magnetometer=None)
    wanted = moments_of(tape) if moments is None else moments
    ends = _ends(tape, wanted)
    sensors = ImuModel(_without_chance(spec), seed, (1,)), ImuModel(spec, seed, (runs,))
    errors, path = _reckon(tape, sensors, gravity, ends, progress)
    covariance = drift_covariance(path, spec, ends)
    return Drift(np.cumsum(tape.dt)[ends - 1], errors[:, 1:], errors[:, 0], covariance)


def moments_of(tape: Tape) -> Array:
    """Return times [s] on a logarithmic scale, to the end, `MARKS` among them."""
    last = float(np.cumsum(tape.dt)[-1])
    scale = np.geomspace(min(0.1, last), last, 101)
    marks = np.array([mark for mark in MARKS if mark < last])
    moments: Array = np.unique(np.concatenate([scale, marks]))
    return moments


def longest_part(tape: Tape) -> Tape:
    """Return the part of a tape with the most captures between two gaps or jumps."""
    edges = [0, *(part.before for part in tape.breaks), len(tape.dt)]
    start, stop = max(itertools.pairwise(edges), key=lambda part: part[1] - part[0])
    part = slice(start, stop)
    return replace(
        tape,
        messages=tape.messages[part],
        stamps=tape.stamps[part],
        dt=tape.dt[part],
        truth=tape.truth[part],
        orientation=tape.orientation[part],
        breaks=(),
    )


def _check(tape: Tape) -> None:
    if not len(tape.dt):
        raise InputError("truth", 0, "must have at least two poses that make a sample")
    if tape.breaks:
        told = "must have no gap and no jump back: dead reckoning does not go on across one"
        seconds = float(tape.dt[: tape.breaks[0].before].sum())
        raise InputError("truth", f"broken after {seconds:.3f} s", told)
    if np.isnan(tape.orientation[0]).any():
        raise InputError(
            "orientation", None, "must be in the truth: dead reckoning starts from it"
        )


def _ends(tape: Tape, moments: Array) -> NDArray[np.int64]:
    """Return after how many intervals the times are, each once."""
    gone = np.cumsum(tape.dt)
    # The end of the interval in whose second half the time is, or in the next one's first.
    places = np.searchsorted(gone - 0.5 * tape.dt, moments, side="right")
    ends: NDArray[np.int64] = np.unique(np.clip(places, 1, len(gone))).astype(np.int64)
    return ends


def _without_chance(spec: ImuSpec) -> ImuSpec:
    """Return the spec without what differs from run to run, or by rounding."""

    def of(triad: TriadSpec) -> TriadSpec:
        return replace(
            triad,
            noise_density=None,
            noise_covariance=None,
            noise_stddev=0.0,
            turn_on_bias_stddev=0.0,
            bias_stddev=0.0,
            random_walk=0.0,
            bias_instability=0.0,
            scale_factor_stddev=0.0,
            misalignment_stddev=0.0,
            misalignment_covariance=None,
            # Noise that is wider than a step averages it out; theory counts it as noise.
            resolution=0.0,
        )

    return replace(spec, gyroscope=of(spec.gyroscope), accelerometer=of(spec.accelerometer))


def _reckon(
    tape: Tape,
    sensors: Sequence[ImuModel],
    gravity: float,
    ends: NDArray[np.int64],
    progress: Progress | None,
) -> tuple[Array, Path]:
    """Return the errors of all sensors, shape (n, sensors, 9), and the path of a perfect one."""
    count = 1 + sum(model.batch[0] for model in sensors)
    rate = tape.truth[0, 0:3]
    start = _matrix(tape.orientation[0]) @ rotations(-rate * tape.dt[0])
    zero = np.zeros((count, 3))
    strapdown = Strapdown(np.broadcast_to(start, (count, 3, 3)), zero, zero, gravity)
    attitudes, found, wanted = [start], [], set(ends.tolist())
    for k, (dt, values) in enumerate(_readings(tape, sensors), start=1):
        strapdown.advance(dt, values[:, 0:3], values[:, 3:6])
        attitudes.append(strapdown.attitude[0])
        if k in wanted:
            found.append(_errors(strapdown))
        if progress is not None and k % _BLOCK == 0:
            progress(k, len(tape.dt))
    halves = rotations(0.5 * tape.truth[:, 0:3] * tape.dt[:, None])
    return np.array(found), Path(tape.dt, tape.truth, np.array(attitudes[:-1]) @ halves)


def _readings(tape: Tape, sensors: Sequence[ImuModel]) -> Iterator[tuple[float, Array]]:
    """Yield the length of each interval, and what all sensors read, the first a perfect one."""
    for start in range(0, len(tape.dt), _BLOCK):
        part = slice(start, start + _BLOCK)
        dt, truth = tape.dt[part], tape.truth[part, None]
        read = [model.run(dt, truth[..., 0:3], truth[..., 3:6]).values for model in sensors]
        yield from zip(dt.tolist(), np.concatenate([truth, *read], axis=1), strict=True)


def _errors(strapdown: Strapdown) -> Array:
    """Return the errors of all but the first, against the first, shape (sensors, 9)."""
    position, velocity = strapdown.position, strapdown.velocity
    turned = strapdown.attitude[1:] @ strapdown.attitude[0].T
    parts = position[1:] - position[0], velocity[1:] - velocity[0], rotation_vectors(turned)
    return np.concatenate(parts, axis=1)


def _matrix(orientation: Array) -> Array:
    """Return the matrix of a quaternion."""
    x, y, z, w = orientation.tolist()
    q = normalised((x, y, z, w))
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return np.array([rotate(q, axis) for axis in axes]).T
