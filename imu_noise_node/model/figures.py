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

"""A spec compiled to arrays: one row per random process, one column per sensor axis."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .flicker import components
from .signal_figures import SignalFigures, compile_signal, merge_signal, stack
from .spec import Figure, ImuSpec, TriadSpec
from .streams import Slot

Array = NDArray[np.float64]

FOREVER = 2.0**61
"""Correlation time [s] of a random walk. An Ornstein-Uhlenbeck process so slow (seventy thousand
million years) is a random walk to the last bit: its sigma is q 2^30, its step q sqrt(dt)."""

EFFECTS = ("random_walk", "gauss_markov", "flicker", "band_limited")
"""The effects made of Ornstein-Uhlenbeck processes, in the order of their rows."""


@dataclass(frozen=True)
class Figures:
    """What the sampler and the theory both compute from.

    Shapes: P processes, K stacked axes (gyroscope xyz, accelerometer xyz); `*batch` is there
    only where a figure was given per batch member. u is the unit of the axis.

    Attributes
    ----------
    sensors : tuple of str
        Whose axes are stacked, three each.
    labels : tuple of str, length P
        The effect that each process row belongs to, numbered where it has several rows.
    half_rate : ndarray, shape (P, *batch, K)
        1 / (2 tau) [1/s] of each process.
    sigma : ndarray, shape (P, *batch, K)
        Stationary standard deviation [u]; zero where the axis has no such process.
    density, per_sample : ndarray, shape (*batch, K)
        White noise [u/sqrt(Hz)], and per sample [u] where no density is given.
    band_density, band_limit : ndarray, shape (*batch, K)
        Noise that the bandwidth limits [u/sqrt(Hz)]: a process over intervals up to `band_limit`
        [s], white over longer ones. Zero where there is none, infinite without a bandwidth.
    integration_time : ndarray, shape (*batch, K)
        [s]; infinite where the sensor averages the whole interval.
    covariance : ndarray, shape (*batch, K, K), or None
        White noise covariance per Hz [u^2/Hz] with correlated axes.
    constant_bias, turn_on_bias_stddev, range, resolution : ndarray, shape (*batch, K)
        [u]; range infinite and resolution zero where they are off.
    signal : SignalFigures
        What becomes of the signal.
    """

    sensors: tuple[str, ...]
    labels: tuple[str, ...]
    half_rate: Array
    sigma: Array
    density: Array
    per_sample: Array
    band_density: Array
    band_limit: Array
    integration_time: Array
    covariance: Array | None
    constant_bias: Array
    turn_on_bias_stddev: Array
    range: Array
    resolution: Array
    signal: SignalFigures

    @cached_property
    def averages_always(self) -> bool:
        """Whether every axis averages the whole interval, however long."""
        return bool(np.isinf(self.integration_time).all())

    @cached_property
    def is_single(self) -> bool:
        """Whether they are one sensor's whose noise is white but for the processes."""
        plain = all(shape == () for shape in self._own_batch_shapes())
        return (
            plain and self.averages_always and self.covariance is None and not self.is_band_limited
        )

    @cached_property
    def is_band_limited(self) -> bool:
        """Whether the last process is the noise that the bandwidth limits."""
        return self.labels[-1:] == ("band_limited",)

    @property
    def walk_sigma(self) -> Array:
        """The `sigma` of the random walks, shape (*batch, K); zero where there are none."""
        walks: Array = self.sigma[self.is_walk].sum(axis=0)
        return walks

    @property
    def is_batch(self) -> bool:
        """Whether batch members have figures of their own."""
        return any(math.prod(shape) > 1 for shape in self._own_batch_shapes())

    @property
    def is_walk(self) -> NDArray[np.bool_]:
        """Which process rows are random walks: they start at zero and never settle."""
        return np.array([label == "random_walk" for label in self.labels], dtype=bool)

    @property
    def effects(self) -> dict[str, slice]:
        """The process rows of each effect that is on anywhere."""
        names = [label.split("/")[0] for label in self.labels]
        return {
            name: slice(names.index(name), names.index(name) + names.count(name))
            for name in dict.fromkeys(names)
        }

    def batch_shapes(self) -> list[tuple[int, ...]]:
        """Return the batch axes of all figures."""
        return sorted(self._own_batch_shapes() | self.signal.batch_shapes())

    def _own_batch_shapes(self) -> set[tuple[int, ...]]:
        shapes = {a.shape[1:-1] for a in (self.half_rate, self.sigma)}
        shapes |= {
            getattr(self, f.name).shape[:-1]
            for f in fields(self)[4:]
            if f.name not in ("covariance", "signal")
        }
        if self.covariance is not None:
            shapes.add(self.covariance.shape[:-2])
        return shapes


def compile_spec(spec: ImuSpec, batch_axes: int = 0) -> Figures:
    """Stack the triads of `spec` into arrays for a model with that many batch axes."""
    triads = list(spec.triads().values())
    rows = [*_walk(triads), *_gauss_markov(triads), *_flicker(triads), *_band_limited(triads)]
    densities = stack([0.0 if t.density is None else t.density for t in triads])
    bandwidth = stack([t.bandwidth for t in triads])
    is_limited = (bandwidth > 0.0) & (densities > 0.0)
    given = [triad.density is not None or triad.noise_covariance is not None for triad in triads]
    return Figures(
        sensors=tuple(spec.triads()),
        labels=tuple(label for label, _, _ in rows),
        half_rate=_rows([rate for _, rate, _ in rows], len(triads), batch_axes),
        sigma=_rows([sigma for _, _, sigma in rows], len(triads), batch_axes),
        density=np.where(is_limited, 0.0, densities),
        per_sample=stack(
            [0.0 if g else t.noise_stddev for g, t in zip(given, triads, strict=True)]
        ),
        band_density=np.where(is_limited, densities, 0.0),
        band_limit=np.where(
            bandwidth > 0.0, 1.0 / (math.pi * np.where(bandwidth > 0.0, bandwidth, 1.0)), np.inf
        ),
        integration_time=_zero_is_infinite([t.integration_time for t in triads]),
        covariance=_covariance(triads),
        constant_bias=stack([t.constant_bias for t in triads]),
        turn_on_bias_stddev=stack([t.turn_on_bias_stddev for t in triads]),
        range=_zero_is_infinite([t.range for t in triads]),
        resolution=stack([t.resolution for t in triads]),
        signal=compile_signal(spec),
    )


def slots(figures: Figures) -> list[Slot]:
    """Return which stream fills which part of a row of normals.

    Row 0 is white noise, row 1 + p the process p. A stream is drawn only while its effect is on.
    """
    found = []
    for i, sensor in enumerate(figures.sensors):
        axes = slice(3 * i, 3 * i + 3)
        if _is_noisy(figures, axes):
            found.append(Slot(f"{sensor}/white", slice(0, 1), axes))
        for effect, rows in figures.effects.items():
            if figures.sigma[rows, ..., axes].any():
                found.append(
                    Slot(f"{sensor}/{effect}", slice(rows.start + 1, rows.stop + 1), axes)
                )
    return found


def merge(old: Figures, new: Figures, where: NDArray[np.bool_]) -> Figures:
    """Return `new` for the batch members in `where`, shape (*batch, 1), and `old` for the rest."""
    labels = tuple(sorted({*old.labels, *new.labels}, key=_rank))
    old, new = _relabel(old, labels), _relabel(new, labels)
    values: dict[str, Any] = {}
    for f in fields(Figures)[2:]:
        before, after = getattr(old, f.name), getattr(new, f.name)
        if f.name == "covariance":
            values[f.name] = _merge_covariance(old, new, where)
        elif f.name == "signal":
            values[f.name] = merge_signal(before, after, where)
        else:
            values[f.name] = np.where(where, after, before)
    return _without_idle(replace(old, **values))


def _without_idle(figures: Figures) -> Figures:
    """Leave out the rows of effects that no sensor has any more."""
    kept = [rows for rows in figures.effects.values() if figures.sigma[rows].any()]
    index = [p for rows in kept for p in range(rows.start, rows.stop)]
    labels = tuple(figures.labels[p] for p in index)
    return replace(
        figures, labels=labels, half_rate=figures.half_rate[index], sigma=figures.sigma[index]
    )


def _rank(label: str) -> tuple[int, int]:
    effect, _, number = label.partition("/")
    return EFFECTS.index(effect), int(number or 0)


def _merge_covariance(old: Figures, new: Figures, where: NDArray[np.bool_]) -> Array | None:
    if old.covariance is None and new.covariance is None:
        return None
    zero = np.zeros((1, 1))
    after = zero if new.covariance is None else new.covariance
    before = zero if old.covariance is None else old.covariance
    return np.where(where[..., None], after, before)


def _relabel(figures: Figures, labels: tuple[str, ...]) -> Figures:
    index = [figures.labels.index(label) if label in figures.labels else -1 for label in labels]
    shape = (1, *figures.sigma.shape[1:])
    rate = np.concatenate([figures.half_rate, np.ones(shape)])
    sigma = np.concatenate([figures.sigma, np.zeros(shape)])
    return replace(figures, labels=labels, half_rate=rate[index], sigma=sigma[index])


def _is_noisy(figures: Figures, axes: slice) -> bool:
    """Whether the axes see a normal of their own: white noise, or the remainder of a process."""
    white = figures.density[..., axes].any() or figures.per_sample[..., axes].any()
    correlated = figures.covariance is not None and figures.covariance[..., axes, axes].any()
    return bool(white or correlated or figures.sigma[..., axes].any())


_Row = tuple[str, list[Figure], list[Figure]]


def _walk(triads: list[TriadSpec]) -> list[_Row]:
    walks = [t.random_walk for t in triads]
    if not _any(walks):
        return []
    rate = 0.5 / FOREVER
    return [("random_walk", [rate] * len(triads), [w * 2.0**30 for w in walks])]


def _gauss_markov(triads: list[TriadSpec]) -> list[_Row]:
    if not _any([t.bias_stddev for t in triads]):
        return []
    rates: list[Figure] = []
    for t in triads:
        time = np.asarray(t.bias_correlation_time)
        rates.append(0.5 / np.where(time > 0.0, time, 1.0))
    return [("gauss_markov", rates, [t.bias_stddev for t in triads])]


def _flicker(triads: list[TriadSpec]) -> list[_Row]:
    if not _any([t.bias_instability for t in triads]):
        return []
    banks = [_flicker_bank(t.bias_instability_band) for t in triads]
    rows = []
    for c in range(max(len(times) for times, _ in banks)):
        rates: list[Figure] = []
        sigmas: list[Figure] = []
        for (times, weights), triad in zip(banks, triads, strict=True):
            there = c < len(times)
            rates.append(0.5 / times[c] if there else 1.0)
            sigmas.append(weights[c] * triad.bias_instability if there else 0.0)
        rows.append((f"flicker/{c}", rates, sigmas))
    return rows


def _band_limited(triads: list[TriadSpec]) -> list[_Row]:
    """White noise N behind a first-order low-pass: sigma^2 = N^2/(2 tau), 1/(2 tau) = pi f_c."""
    given = [0.0 if t.density is None else np.asarray(t.density) * t.bandwidth for t in triads]
    if not _any(given):
        return []
    rates: list[Figure] = []
    sigmas: list[Figure] = []
    for t in triads:
        rate = math.pi * np.asarray(t.bandwidth)
        rates.append(np.where(rate > 0.0, rate, 1.0))
        sigmas.append(np.asarray(0.0 if t.density is None else t.density) * np.sqrt(rate))
    return [("band_limited", rates, sigmas)]


def _flicker_bank(band: Array) -> tuple[Array, Array]:
    """Return times and sigmas, shape (n,), or (n, *batch, 1) for bands of shape (*batch, 2)."""
    if band.ndim == 1:
        return components(float(band[0]), float(band[1]))
    banks = [components(float(low), float(high)) for low, high in band.reshape(-1, 2)]
    count = max(len(times) for times, _ in banks)
    times = np.ones((count, len(banks)))
    sigmas = np.zeros((count, len(banks)))
    for i, (t, s) in enumerate(banks):
        times[: len(t), i], sigmas[: len(s), i] = t, s
    shape = (count, *band.shape[:-1], 1)
    return times.reshape(shape), sigmas.reshape(shape)


def _any(values: list[Figure]) -> bool:
    return any(np.any(value) for value in values)


def _rows(values: list[list[Figure]], triads: int, batch_axes: int) -> Array:
    """Join process rows to shape (P, *batch, K); a batch axis that no figure has is 1 long."""
    least = (*(1,) * batch_axes, 3 * triads)
    stacked = [stack(row) for row in values]
    shape = np.broadcast_shapes(least, *(row.shape for row in stacked))
    return np.array([np.broadcast_to(row, shape) for row in stacked]).reshape(-1, *shape)


def _zero_is_infinite(values: list[Figure]) -> Array:
    stacked = stack(values)
    return np.where(stacked > 0.0, stacked, np.inf)


def _covariance(triads: list[TriadSpec]) -> Array | None:
    if all(t.noise_covariance is None for t in triads):
        return None
    given = [
        np.zeros((3, 3)) if t.noise_covariance is None else t.noise_covariance for t in triads
    ]
    batch = np.broadcast_shapes(*(matrix.shape[:-2] for matrix in given))
    size = 3 * len(triads)
    joined = np.zeros((*batch, size, size))
    for i, matrix in enumerate(given):
        joined[..., 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = matrix
    return joined
