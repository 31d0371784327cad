"""Property tests: hypothesis makes up the input, and what is promised must hold for all of it.

HYPOTHESIS_PROFILE=long tries many more inputs, other ones each time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

hypothesis = pytest.importorskip("hypothesis", reason="needs hypothesis")

_QUIET = {
    "deadline": None,
    "suppress_health_check": list(hypothesis.HealthCheck),
    # A counterexample is long whatever is taken from it, and to look for a short one takes minutes.
    "phases": [hypothesis.Phase.explicit, hypothesis.Phase.generate],
}
# In CI the same inputs every time, and no file left behind.
hypothesis.settings.register_profile("ci", derandomize=True, database=None, **_QUIET)
hypothesis.settings.register_profile("long", database=None, **_QUIET)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
