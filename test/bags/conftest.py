"""A test file cannot import its neighbours by itself, so their folder is put on the path here."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
