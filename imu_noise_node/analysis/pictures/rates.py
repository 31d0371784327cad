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

"""The picture of the rate table, from the model alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...model.imu import ImuModel
from ...model.spec import INERTIAL, ImuSpec, TriadSpec
from ...motion.intervals import NANOSECONDS
from ..plots import Samples, plot_rates
from ..rate_runs import RUNS, TRUE_VALUES, Parked, Run


def plot_model_rates(path: Path) -> None:
    """Write the picture that `make demo` makes of nodes, whose samples are the same to the bit."""
    truth = Parked()
    plot_rates(path, truth, {run: samples(run, truth) for run in RUNS})


def samples(run: Run, truth: Parked) -> Samples:
    """Return what a run's sensor reads of the parked truth."""
    figure = {"density": "noise_density", "per_sample": "noise_stddev"}[run.law]
    figures: list[dict[str, Any]] = [{figure: noise} for noise in run.noise]
    triads = {name: TriadSpec(**given) for name, given in zip(INERTIAL, figures, strict=True)}
    stamps = truth.captures(run.rate)
    steps = np.diff(stamps, prepend=truth.start) / NANOSECONDS
    model = ImuModel(ImuSpec(triads["gyroscope"], triads["accelerometer"]))
    return stamps, model.run(steps, TRUE_VALUES[:3], TRUE_VALUES[3:]).values
