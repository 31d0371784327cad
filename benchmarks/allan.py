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

"""Allan deviation and fit of a long record, beside the package allan-variance.

Theirs is a plain overlapping Allan variance at a hundred averaging times, up to a tenth of the
record, and a fit of the same terms that weighs all times alike. Both get the same records, of
simulated IMUs whose N, B and K are known: how long do they take, and how far off do they come out?
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from imu_noise_node import ImuSpec, TriadSpec
from imu_noise_node.analysis.allan import allan
from imu_noise_node.analysis.fit import fit
from imu_noise_node.recordings.record import ImuRecord
from imu_noise_node.simulation.at_rest import record_at_rest

from .table import Row, show
from .timing import alternate, clocked, ratios

RATE = 10.0
LONG, SHORT = 100_000.0, 10_000.0
"""Lengths [s] of the record that is timed, and of those whose fits are compared."""

ROUNDS, RECORDS = 5, 20
TRUTH = np.array([1.0, 0.5, 0.2])
"""N, B and K."""

_FLOOR = np.sqrt(2.0 * np.log(2.0) / np.pi)
"""Their flicker has this Allan deviation."""

_EFFECTS = ["quantization", "white", "flicker", "walk"]


def measure() -> None:
    """Print the table."""
    try:
        name = f"allan-variance {version('allan-variance')}"
    except PackageNotFoundError:
        print("\nallan: allan-variance is not installed: left out.")
        return
    record = _record(LONG, seed=0)
    jobs: dict[str, Callable[[], Any]] = {
        "ours": lambda: ours(record),
        "theirs": lambda: theirs(record),
    }
    times = alternate({key: clocked(job, 1) for key, job in jobs.items()}, ROUNDS)
    count = record.values.shape[1]
    rows = [Row(f"speed, six axes of {count:,}", ratios(times["theirs"], times["ours"]))]
    records = [_record(SHORT, seed) for seed in range(RECORDS)]
    errors = {key: _errors(find, records) for key, find in (("ours", ours), ("theirs", theirs))}
    for letter, mine, other in zip("NBK", errors["ours"], errors["theirs"], strict=True):
        context = f"{mine:.2%}; theirs {other:.2%}"
        rows.append(Row(f"rms error of {letter}", [other / mine], context=context))
    show(f"allan: how many times better than {name}", rows)


def ours(record: ImuRecord) -> np.ndarray:
    """Return N, B and K of each axis, shape (6, 3)."""
    return np.array([axis.values[1:] for axis in fit(allan(record)) if axis is not None])


def theirs(record: ImuRecord) -> np.ndarray:
    """Return N, B and K of each axis, shape (6, 3)."""
    from allan_variance import compute_avar, estimate_parameters

    taus, variances = compute_avar(record.values.T, 1.0 / RATE)
    found, _ = estimate_parameters(taus, variances, effects=_EFFECTS)
    return np.asarray(found)[:, 1:] * np.array([1.0, _FLOOR, 1.0])


def _record(duration: float, seed: int) -> ImuRecord:
    noise, floor, walk = TRUTH
    triad = TriadSpec(noise_density=noise, bias_instability=floor, random_walk=walk)
    return record_at_rest(ImuSpec(gyroscope=triad, accelerometer=triad), duration, RATE, seed)


def _errors(find: Callable[[ImuRecord], np.ndarray], records: list[ImuRecord]) -> np.ndarray:
    """Return the relative errors of N, B and K, rms over all axes."""
    found = np.concatenate([find(record) for record in records])
    return np.sqrt(np.mean((found / TRUTH - 1.0) ** 2, axis=0))
