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

"""Draws pictures of docs/ and README: `python -m imu_noise_node.analysis.pictures FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from ...profiles.loader import GRADES, load_profile
from ...simulation.scene import Scene
from ...simulation.still import still
from ...simulation.stream import stream_of
from ..drift import drift
from ..drift_plot import plot_drift
from .anatomy import plot_anatomy
from .ladder import PARTS, plot_ladder
from .rates import plot_model_rates
from .series import plot_series
from .trends import plot_trends


def main(folder: Path) -> None:
    """Write all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    grades = {name: load_profile(name) for name in GRADES}
    parts = {shown: load_profile(name) for name, shown in PARTS.items()}
    plot_model_rates(folder / "rate_table.png")
    plot_ladder(folder / "allan_ladder.png", grades, parts)
    plot_anatomy(folder / "allan_anatomy.png")
    plot_trends(folder / "thermal_trends.png")
    plot_series(folder / "time_series.png", {name: grades[name] for name in GRADES[:4]})
    tape = Scene().record(stream_of(still(60.0, 100.0)))
    sensors = {**grades, "ADIS16470": parts["ADIS16470"]}
    drifts = {name: drift(tape, spec, seed=k) for k, (name, spec) in enumerate(sensors.items())}
    plot_drift(folder / "drift.png", "A minute of dead reckoning at rest", drifts)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
