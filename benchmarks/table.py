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

"""The tables in which results are printed: ratios first, times only as context."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH = 36


@dataclass(frozen=True)
class Target:
    """What a ratio must reach: at least `bound`, or at most if `at_most`."""

    bound: float
    at_most: bool = False

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='} {self.bound:g}"

    def met(self, ratio: float) -> bool:
        """Return whether `ratio` is good enough."""
        return ratio <= self.bound if self.at_most else ratio >= self.bound


@dataclass(frozen=True)
class Row:
    """One result.

    Attributes
    ----------
    what : str
    rounds : sequence of float
        The ratio in each round; their median counts.
    target : Target, optional
    context : str, optional
        What helps to judge it.
    """

    what: str
    rounds: Sequence[float]
    target: Target | None = None
    context: str = ""

    @property
    def ratio(self) -> float:
        """The median."""
        return statistics.median(self.rounds)

    def __str__(self) -> str:
        verdict = ""
        if self.target is not None:
            verdict = f"{self.target}, {'met' if self.target.met(self.ratio) else 'MISSED'}"
        line = (
            f"  {self.what:{_WIDTH}}{self.ratio:7.2f} {self._spread:15}{verdict:16}{self.context}"
        )
        return line.rstrip()

    @property
    def _spread(self) -> str:
        """Between which ratios the middle half of the rounds lies."""
        if len(self.rounds) < 4:
            return ""
        low, _, high = statistics.quantiles(self.rounds, n=4)
        return f"({low:.2f}-{high:.2f})"


def show(title: str, rows: Sequence[Row], *notes: str) -> None:
    """Print a table and notes below it."""
    print(f"\n{title}")
    print(f"  {'':{_WIDTH}}{'ratio':>7} {'(middle half)':15}target")
    for row in rows:
        print(row, flush=True)
    for note in notes:
        print(f"  {note}", flush=True)
