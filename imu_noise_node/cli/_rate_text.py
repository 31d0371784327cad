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

"""The rate table as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ..analysis.rate_runs import WINDOW, Run
from ..analysis.rate_table import BOUND, Figure, RateTable, RunResult
from ..model.spec import INERTIAL
from ..motion.intervals import Verdict

_LAWS = {"density": "density", "per_sample": "per sample"}
_UNITS = {"gyroscope": "mrad/s", "accelerometer": "mm/s^2"}

_MEANING = """\
With noise given as a density, a sample at 400 Hz is twice as noisy as one at 100 Hz, and the
average over 0.1 s is the same: what can be learnt from the sensor in a given time does not depend
on the rate at which it is simulated. So it is with a real IMU.

With a fixed sigma per sample, the average at 400 Hz is twice as good as at 100 Hz: the simulated
IMU gets better just by being read faster. A filter tuned on it is wrong at every other rate."""


def rate_text(table: RateTable, seconds: float) -> str:
    """Return the table, what it means and how it was judged; `seconds` is how long it took."""
    lines = [_head()]
    for sensor in INERTIAL:
        lines.append(f"{sensor.capitalize()} [{_UNITS[sensor]}]")
        lines += [_row(result, sensor).rstrip() for result in table.results]
    lines += ["", f"{'Truth messages in = what became of them':79}{'lost':>6}{'windows':>12}"]
    lines += [_balance(result) for result in table.results]
    lines += ["", *_judgement(table, seconds)]
    return "\n".join(lines)


def _head() -> str:
    sigma = f"{'measured':>11}{'expected':>10}{'':10}"
    average = f"average over {WINDOW:g} s"
    return (
        f"{'':20}{'one sample':>20}{'':11}{average:>20}{'':11}{'correlation of':>16}\n"
        f"{'':20}{sigma}{sigma}{'neighbours':>16}"
    )


def _row(result: RunResult, sensor: str) -> str:
    figures = result.figures[sensor]
    return (
        f"{_name(result.run):20}{_sigma(figures.sample, 3)}{_sigma(figures.average, 4)}"
        f"{figures.correlation.measured:+8.3f} ± {figures.correlation.tolerance:.3f}"
        f"{_mark(figures.correlation)}"
    )


def _sigma(figure: Figure, digits: int) -> str:
    measured, expected, tolerance = (
        f"{1e3 * number:.{digits}f}"
        for number in (figure.measured, figure.expected, figure.tolerance)
    )
    return f"{measured:>11}{_mark(figure)}{expected:>9} ± {tolerance:7}"


def _mark(figure: Figure) -> str:
    return " " if figure.good else "!"


def _balance(result: RunResult) -> str:
    counts = dict(result.counts)
    samples = counts.pop(Verdict.SAMPLE.value)
    reasons = "".join(f" + {n} {reason.replace('_', ' ')}" for reason, n in counts.items() if n)
    balance = f"{result.sent} = {samples} samples{reasons}"
    windows = f"{result.complete} of {result.windows}"
    return f"{_name(result.run):20}   {balance:56}{result.lost:>6}{windows:>12}"


def _name(run: Run) -> str:
    return f"  {_LAWS[run.law]:11}{run.rate} Hz"


def _judgement(table: RateTable, seconds: float) -> Iterator[str]:
    complaints = table.complaints()
    if complaints:
        yield "NOT as it must be:"
        yield from (f"  {complaint}" for complaint in complaints)
        return
    yield _MEANING
    yield ""
    figures = sum(len(vars(f)) for result in table.results for f in result.figures.values())
    duration = table.results[0].duration
    yield textwrap.fill(
        f"Right: all {figures} figures are within ±, which is {BOUND:g} standard deviations of "
        f"theory for so many samples; nothing was lost; the two runs at 100 Hz, where both "
        f"specifications come to the same sigma, are identical to the bit. {duration:.0f} s "
        f"of truth went through in {seconds:.1f} s.",
        width=96,
    )
