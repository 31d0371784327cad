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

"""Driving a model over one input, cut into calls in any way, and comparing to the bit."""

from __future__ import annotations

import itertools

import numpy as np

_PATTERN = np.random.default_rng(12)

INTERVALS = {
    "constant": np.full(150, 0.01),
    "by turns": np.tile([0.0025, 0.005], 50),
    "each new": _PATTERN.uniform(1e-3, 0.05, 100),
    # The full spec's fastest process is tabulated up to 0.0528 s.
    "long and short": np.tile([0.01, 0.05, 0.055, 0.055, 3600.0, 0.01, 0.01, 1e-6, 2.0], 11),
    "in stretches": np.repeat([0.01, 0.005, 0.06, 0.01, 0.02], [90, 1, 75, 33, 2]),
}

CALLS = {
    "steps": ["step"],
    "one run": [10**6],
    "runs of one": [1],
    "blocks": [7, 64, 1, 65, 3],
    "mixture": ["step", 2, "step", "step", 70, 1, *["step"] * 35],
}
"""A number stands for `run` over so many captures."""


def truth_of(count: int, batch: tuple[int, ...]):
    """Return true rate and force, shape (count, *batch, 3), that reach beyond the range of 0.8."""
    rng = np.random.default_rng(count)
    return rng.normal(0.0, 0.5, (2, count, *batch, 3))


def facts(measurement) -> list:
    """Return all that a measurement says, with a time axis."""
    m = measurement
    return [m.values, m.truth.values, m.bias.values, m.covariance]


def drive(model, intervals, calls="one run", first=0, last=None) -> list:
    """Feed the model; return values, truth, bias and covariances of all samples.

    With `first` and `last`, only the samples from one to the other of the same input.
    """
    rate, force = truth_of(len(intervals), model.batch)
    intervals = intervals[:last]
    found, k = [], first
    for call in itertools.cycle(CALLS[calls]):
        if k >= len(intervals):
            break
        if call == "step":
            m = model.step(float(intervals[k]), rate[k], force[k])
            found.append([fact[None] for fact in facts(m)])
            k += 1
        else:
            part = slice(k, min(k + call, len(intervals)))
            found.append(facts(model.run(intervals[part], rate[part], force[part])))
            k += len(intervals[part])
    return [np.concatenate(parts) for parts in zip(*found, strict=True)]


def same(one, other) -> bool:
    """Whether two drives agree to the bit."""
    return all(a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))
