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

"""The rate table: what a sample and a short average are worth at two rates of one parked IMU.

A noise density makes a sample noisier the faster the sensor is read, by as much as leaves the
average over a fixed time alone. A fixed sigma per sample makes that average better with the rate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.spec import INERTIAL
from ..motion.intervals import NANOSECONDS, Verdict
from .rate_runs import RUNS, TRUE_VALUES, WINDOW, Parked, Run

Array = NDArray[np.float64]

BOUND = 5.0
"""How many of its own standard deviations a figure may be off."""


@dataclass(frozen=True)
class Figure:
    """A measured number, what theory expects, and how far apart the two may be by chance.

    Attributes
    ----------
    spread : float
        Standard deviation that theory gives `measured`.
    """

    measured: float
    expected: float
    spread: float

    @property
    def tolerance(self) -> float:
        """How far `measured` may be off."""
        return BOUND * self.spread

    @property
    def good(self) -> bool:
        """Whether it is within the tolerance; what is not a number never is."""
        return abs(self.measured - self.expected) <= self.tolerance


@dataclass(frozen=True)
class SensorFigures:
    """What the noise of three axes amounts to.

    Attributes
    ----------
    sample, average : Figure
        Sigma of one sample and of an average over `WINDOW` [u].
    correlation : Figure
        Between neighbouring samples; white noise has none.
    """

    sample: Figure
    average: Figure
    correlation: Figure


@dataclass(frozen=True)
class RunResult:
    """What became of one run.

    Attributes
    ----------
    figures : dict of SensorFigures
        By sensor.
    sent : int
        Truth messages published.
    duration : float
        Of the truth [s].
    counts : dict of int
        What the node says it made of those that it received, by verdict.
    recorded : int
        Samples that arrived.
    windows, complete : int
        How many averages there are, and how many lack no sample.
    on_time : bool
        Whether the samples carry exactly the stamps of their truth.
    """

    run: Run
    figures: dict[str, SensorFigures]
    sent: int
    duration: float
    counts: dict[str, int]
    recorded: int
    windows: int
    complete: int
    on_time: bool

    @property
    def lost(self) -> int:
        """Messages that did not arrive: truth at the node, or samples at the recorder."""
        return sum(max(0, missing) for missing in self._missing)

    @property
    def foreign(self) -> int:
        """Messages that arrived beside those that were published."""
        return sum(max(0, -missing) for missing in self._missing)

    @property
    def _missing(self) -> tuple[int, int]:
        samples = self.counts[Verdict.SAMPLE.value]
        return self.sent - sum(self.counts.values()), samples - self.recorded

    def complaints(self) -> Iterator[str]:
        """Yield a sentence for all that is not as it must be."""
        name = self.run.name
        for sensor, figures in self.figures.items():
            for what, figure in vars(figures).items():
                if not figure.good:
                    yield (
                        f"{name}: {what} of the {sensor} is {figure.measured:.4g}, not "
                        f"{figure.expected:.4g} ± {figure.tolerance:.2g}"
                    )
        if self.lost:
            yield f"{name}: {self.lost} messages were lost"
        if self.foreign:
            yield f"{name}: {self.foreign} messages came from somebody else in the same DDS domain"
        if self.complete != self.windows:
            yield f"{name}: {self.windows - self.complete} of {self.windows} windows lack samples"
        if not self.on_time:
            yield f"{name}: stamps of samples differ from those of the truth"


@dataclass(frozen=True)
class RateTable:
    """All runs, and whether those at 100 Hz are one and the same to the bit."""

    results: tuple[RunResult, ...]
    identical: bool

    def complaints(self) -> list[str]:
        """Return a sentence for all that is not as it must be."""
        found = [sentence for result in self.results for sentence in result.complaints()]
        if not self.identical:
            found.append("the runs at 100 Hz differ, though seed and sigma are the same")
        return found


def rate_table(
    truth: Parked,
    samples: Mapping[str, tuple[NDArray[np.int64], Array]],
    counts: Mapping[str, Mapping[str, int]],
    runs: Sequence[Run] = RUNS,
) -> RateTable:
    """Return what the recorded runs amount to.

    Parameters
    ----------
    samples : mapping
        By run: stamps [ns], shape (T,), and values, shape (T, 6).
    counts : mapping
        By run: what the node made of the truth, by verdict.
    """
    slow = [samples[run.name] for run in runs if run.rate == 100]
    identical = all(same_bits(run, slow[0]) for run in slow)
    results = [evaluate(run, truth, *samples[run.name], counts[run.name]) for run in runs]
    return RateTable(tuple(results), identical)


def evaluate(
    run: Run, truth: Parked, stamps: NDArray[np.int64], values: Array, counts: Mapping[str, int]
) -> RunResult:
    """Return what one run amounts to; shapes (T,) and (T, 6)."""
    errors = values - TRUE_VALUES
    averages, _ = window_averages(run, truth, stamps, errors)
    return RunResult(
        run,
        {
            sensor: _figures(run, i, errors[:, 3 * i : 3 * i + 3], averages[:, 3 * i : 3 * i + 3])
            for i, sensor in enumerate(INERTIAL)
        },
        truth.count,
        truth.duration,
        {verdict.value: counts[verdict.value] for verdict in Verdict},
        len(stamps),
        truth.windows,
        len(averages),
        np.array_equal(stamps, truth.captures(run.rate)),
    )


def window_averages(
    run: Run, truth: Parked, stamps: NDArray[np.int64], errors: Array
) -> tuple[Array, NDArray[np.int64]]:
    """Return the averages over the complete windows, shape (W, 6), and when these begin [ns].

    A sample counts by its interval: a plain mean of unequal ones does not have the sigma that
    the density says.

    Parameters
    ----------
    stamps : ndarray, shape (T,)
        [ns]
    errors : ndarray, shape (T, 6)
    """
    length, windows = round(WINDOW * NANOSECONDS), truth.windows
    dt = np.diff(stamps, prepend=truth.start)
    # A sample belongs to the window in which its interval ends, the window's end included.
    window = (stamps - truth.start - 1) // length
    inside = (window >= 0) & (window < windows)
    window, weights = window[inside], dt[inside, None].astype(np.float64)
    totals = np.zeros((windows, errors.shape[1]))
    spans = np.zeros((windows, 1))
    np.add.at(totals, window, weights * errors[inside])
    np.add.at(spans, window, weights)
    complete = np.bincount(window, minlength=windows) == round(run.rate * WINDOW)
    starts = truth.start + length * np.flatnonzero(complete)
    return totals[complete] / spans[complete], starts


def same_bits(
    one: tuple[NDArray[np.int64], Array], other: tuple[NDArray[np.int64], Array]
) -> bool:
    """Return whether two runs have the same stamps and values, to the bit."""
    return all(
        a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True)
    )


def _figures(run: Run, sensor: int, errors: Array, averages: Array) -> SensorFigures:
    """Compare errors of samples, shape (T, 3), and of averages, shape (W, 3), with theory."""
    return SensorFigures(
        _sigma(errors, run.sigma(sensor, 1.0 / run.rate)),
        _sigma(averages, run.sigma(sensor, WINDOW)),
        _correlation(errors),
    )


def _sigma(errors: Array, expected: float) -> Figure:
    """Root mean square about the truth, which n normal errors give with sd sigma/sqrt(2 n)."""
    if not errors.size:
        return Figure(math.nan, expected, math.inf)
    measured = math.sqrt(float(np.mean(errors**2)))
    return Figure(measured, expected, expected / math.sqrt(2 * errors.size))


def _correlation(errors: Array) -> Figure:
    """Lag-one autocorrelation, which is 0 for white noise, with sd 1/sqrt(n)."""
    pairs = errors[1:] * errors[:-1]
    power = float(np.sum(errors**2))
    if not pairs.size or not power:
        return Figure(math.nan, 0.0, math.inf)
    return Figure(float(np.sum(pairs)) / power, 0.0, 1.0 / math.sqrt(pairs.size))
