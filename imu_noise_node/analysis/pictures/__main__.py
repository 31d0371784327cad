"""Draws the pictures of docs/model.md: `python -m imu_noise_node.analysis.pictures FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from ...profiles.loader import GRADES, load_profile
from .anatomy import plot_anatomy
from .ladder import PARTS, plot_ladder
from .trends import plot_trends


def main(folder: Path) -> None:
    """Write all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    grades = {name: load_profile(name) for name in GRADES}
    parts = {shown: load_profile(name) for name, shown in PARTS.items()}
    plot_ladder(folder / "allan_ladder.png", grades, parts)
    plot_anatomy(folder / "allan_anatomy.png")
    plot_trends(folder / "thermal_trends.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
