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

"""A million samples at once: `ImuModel.run` beside the bare limit, the drawing of its normals.

No sampler can be faster than NumPy's generator gives it the normals that go into the samples. They
are drawn here in blocks that fit the processor's cache and then thrown away. Each way of running
has a process of its own, which also tells the peak memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from .million import SAMPLES
from .table import Row, Target, show

_TARGET = Target(2.0, at_most=True)


def measure() -> None:
    """Print the table."""
    with_scipy, without = _results(), _results("--without-scipy")
    rows = []
    for result, how, target in ((with_scipy, "", _TARGET), (without, ", without scipy", None)):
        rows += [_row(result, "full", f"all noise terms{how}", target)]
        rows += [_row(result, "white", f"white noise alone{how}", target)]
    memory = with_scipy["memory"]
    rows.append(
        Row(
            "peak memory, all noise terms",
            [memory["peak"] / memory["arrays"]],
            context=f"{memory['peak'] / 1e6:.0f} MB, "
            f"input and output alone {memory['arrays'] / 1e6:.0f}",
        )
    )
    show(f"run: {SAMPLES:,} samples, times the cost of drawing their normals", rows)


def _row(result: dict[str, Any], terms: str, what: str, target: Target | None) -> Row:
    found = result[terms]
    return Row(
        what,
        found["ratios"],
        target,
        f"{found['run']:.2f} s, {found['per_sample']} normals a sample {found['normals']:.2f}",
    )


def _results(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.million", *arguments]
    finished = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(finished.stdout)
    return found
