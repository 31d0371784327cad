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

"""What `simulate` prints: what came of the truth, and how noisy the samples are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import InputError
from ..motion.intervals import Verdict
from ..simulation.run import ImuRun
from ._simulate_options import Options
from ._simulate_source import Source

_WIDTH = 18


def report(options: Options, source: Source, run: ImuRun) -> str:
    """Return the text.

    Raises
    ------
    InputError
        The truth came to no sample; the sentence has the reasons.
    """
    if not len(run.stamps):
        reasons = ", ".join(f"{v.value} {n}" for v, n in sorted_counts(run))
        raise InputError("truth", str(options.source), f"comes to no sample: {reasons}")
    lines = [f"{'Truth':{_WIDTH}}{source.stream.source}, {source.rate:.4g} Hz"]
    seeds = options.seeds
    which = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    lines.append(f"{'Sensor':{_WIDTH}}{options.profile}, {which}")
    lines += [f"{'Note':{_WIDTH}}{text}" for text in (*source.sentences, *run.tape.warnings)]
    return "\n".join([*lines, "", *_counted(source, run), "", *_sigmas(run)])


def sorted_counts(run: ImuRun) -> list[tuple[Verdict, int]]:
    """Return what became of the messages, in the order in which the node lists it."""
    return [(verdict, run.counts[verdict]) for verdict in Verdict if run.counts.get(verdict)]


def _counted(source: Source, run: ImuRun) -> Iterator[str]:
    yield f"{'messages in':{_WIDTH}}{len(source.stream):>10}"
    for verdict, count in sorted_counts(run):
        yield f"  {verdict.value.replace('_', ' '):{_WIDTH - 2}}{count:>10}"


def _sigmas(run: ImuRun) -> Iterator[str]:
    """Yield what one sample errs by, from the covariance that is reported."""
    variances = np.median(np.diagonal(run.covariance, axis1=1, axis2=2), axis=0)
    interval = float(np.median(run.dt))
    yield f"{'Effective sigma of one sample, at':{_WIDTH}} {1.0 / interval:.4g} Hz"
    for what, unit, part in (
        ("gyroscope", "rad/s", slice(0, 3)),
        ("accelerometer", "m/s^2", slice(3, 6)),
    ):
        axes = "  ".join(f"{value:9.3e}" for value in np.sqrt(variances[part]))
        yield f"  {what:{_WIDTH - 2}}{axes}  {unit}"
