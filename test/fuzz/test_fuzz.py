"""A small, fixed slice of what fuzz.py tries: damaged files end in one sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

import fuzz


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_no_damaged_file_is_read_with_a_traceback(tmp_path, target):
    outcomes = [fuzz.attempt(target, number, 0, tmp_path) for number in range(100)]
    assert set(outcomes) <= {"read", "refused"}, "\n".join(outcomes)
    assert 2 <= outcomes.count("read") <= 98
