"""A short run of what `python -m benchmarks endurance` does for half an hour of truth."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="needs ROS 2: rclpy is not installed")

PROGRAM = "from benchmarks import endurance; endurance._BLOCK = 2000; endurance.measure(10)"


def test_nothing_is_lost_and_memory_stays():
    """A queue that kept its messages would grow by 1.4 MB a block, by 6 % in all."""
    repo = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=repo, text=True, capture_output=True, check=True
    )
    (lost,) = re.findall(r"lost on the way +(\d+)\n", done.stdout)
    (received,) = re.findall(r"received +([\d,]+),", done.stdout)
    (became,) = re.findall(r"samples and baselines +([\d,]+)\n", done.stdout)
    (growth,) = re.findall(r"memory at the end +([\d.]+) times", done.stdout)
    assert lost == "0"
    assert received == became
    assert int(received.replace(",", "")) > 10_000
    assert float(growth) < 1.03
