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

"""How results are timed, judged and asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import batch, figures, pace, record
from benchmarks.__main__ import PARTS
from benchmarks.memory import peak, resident
from benchmarks.million import normals_per_sample
from benchmarks.table import Row, Target
from benchmarks.timing import alternate, ratios

REPO = Path(__file__).resolve().parents[2]


def test_jobs_take_turns_and_the_warm_up_does_not_count():
    order = []

    def job(name):
        order.append(name)
        return float(len(order))

    times = alternate({"a": lambda: job("a"), "b": lambda: job("b")}, rounds=2, warm_up=1)
    assert order == ["a", "b"] * 3
    assert times == {"a": [3.0, 5.0], "b": [4.0, 6.0]}
    assert ratios(times["a"], times["b"]) == [3.0 / 4.0, 5.0 / 6.0]


@pytest.mark.parametrize(
    ("target", "ratio", "met"),
    [
        (Target(20.0), 20.0, True),
        (Target(20.0), 19.9, False),
        (Target(2.0, at_most=True), 2.0, True),
        (Target(2.0, at_most=True), 2.1, False),
    ],
)
def test_the_median_decides_whether_a_target_is_met(target, ratio, met):
    line = str(Row("what", [0.0, ratio, 1000.0], target))
    assert f"{target}, {'met' if met else 'MISSED'}" in line


def test_white_noise_takes_one_normal_an_axis():
    assert normals_per_sample(figures.WHITE) == 6
    assert normals_per_sample(figures.FULL) > 6


def test_memory_is_that_of_this_process():
    assert 0 < resident() <= peak()


def test_help_names_the_parts():
    command = [sys.executable, "-m", "benchmarks", "--help"]
    shown = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=True).stdout
    assert all(f"\n  {part} " in shown for part in PARTS)


@pytest.mark.parametrize(
    ("part", "smaller", "rows"),
    [
        (batch, {"_BATCHES": (1, 16), "_NUMBERS": 64, "_ROUNDS": 2}, ["1 at once", "16 at once"]),
        (record, {"_LENGTHS": (10, 20), "_REFERENCE": 20, "_SAMPLES": 40}, ["10 samples"]),
        (pace, {"_SECONDS": 0.02, "_ROUNDS": 2}, ["p99.9, clock", "p99.9, processor"]),
    ],
    ids=lambda value: value.__name__.rpartition(".")[2] if hasattr(value, "measure") else "",
)
def test_a_part_prints_its_rows(part, smaller, rows, monkeypatch, capsys):
    for name, value in smaller.items():
        monkeypatch.setattr(part, name, value)
    part.measure()
    printed = capsys.readouterr().out
    assert all(f"\n  {row} " in printed for row in rows)
