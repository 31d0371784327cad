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

"""The table that `drift` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..analysis.drift import LINEAR, MARKS, Drift
from ..analysis.drift_theory import ATTITUDE, POSITION
from ..simulation.tape import Tape
from ._drift_truth import Asked

BOUND = 5.0
"""How many standard deviations of theory are after ±."""

_WIDTH = 22


def title(asked: Asked, tape: Tape) -> str:
    """Return what was reckoned, in a line."""
    along = "a body at rest" if asked.path is None else asked.path.name
    seconds = float(tape.dt.sum())
    return f"Dead reckoning of {along}, {seconds:.4g} s at {1.0 / np.median(tape.dt):.4g} Hz"


def drift_text(
    asked: Asked, tape: Tape, drifts: Mapping[str, Drift], notes: tuple[str, ...]
) -> str:
    """Return the table of what was measured and expected, and what was done to the truth."""
    runs = next(iter(drifts.values())).errors.shape[1]
    lines = [title(asked, tape), *(f"note: {note}" for note in notes), "", *_head()]
    for name, drift in drifts.items():
        lines += [name, *_rows(drift)]
    lines += ["", f"rms of {runs} runs; ± is {BOUND:g} standard deviations of theory for so many"]
    if not all(drift.is_linear.all() for drift in drifts.values()):
        lines.append(f"-: attitude errors above {LINEAR:g} rad, beyond which theory does not hold")
    return "\n".join(lines)


def _head() -> Iterator[str]:
    yield f"{'':{_WIDTH}}{'attitude [deg]':>21}{'':12}{'position [m]':>20}"
    yield (f"{'':{_WIDTH}}" + f"{'measured':>11}{'expected':>10}{'':12}" * 2).rstrip()


def _rows(drift: Drift) -> Iterator[str]:
    last = float(drift.times[-1])
    for mark in [*(m for m in MARKS if m < 0.99 * last), last]:
        k = int(np.argmin(np.abs(drift.times - mark)))
        cells = _cell(drift, ATTITUDE, k, float(np.degrees(1.0))) + _cell(drift, POSITION, k, 1.0)
        yield f"{f'{drift.times[k]:.4g} s':>{_WIDTH - 4}}    {cells}".rstrip()


def _cell(drift: Drift, part: slice, k: int, scale: float) -> str:
    measured, expected, spread = (
        scale * float(values[k])
        for values in (drift.measured(part), drift.expected(part), drift.spread(part))
    )
    if not np.isfinite(expected):
        return f"{measured:>11.4g}{'-':>10}{'':12}"
    # Where nothing is drawn the spread is 0, and rounding is left.
    bound = BOUND * spread + 1e-6 * expected
    mark = "" if abs(measured - expected) <= bound else "!"
    return f"{measured:>11.4g}{mark:1}{expected:>9.4g} ± {BOUND * spread:<9.2g}"
