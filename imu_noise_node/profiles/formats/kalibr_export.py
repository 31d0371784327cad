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

"""To Kalibr's imu.yaml: one density and one random walk per sensor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...model.spec import INERTIAL, ImuSpec
from ..writer import number_text
from .export import column, density, rms, unwritten
from .kalibr import FIGURES

TOPIC = "/imu"


def kalibr_text(
    spec: ImuSpec,
    rate: float,
    remarks: Sequence[str] = (),
    of_zero: str = "which Kalibr refuses",
) -> tuple[str, list[str]]:
    """Return the text of an imu.yaml for `rate` [Hz], and notes on what it leaves out.

    Kalibr has one figure for the three axes of a sensor: their root mean square. `remarks` on the
    figures are comments in the file.
    """
    lines = ["# Kalibr imu.yaml, written by imu_noise", *(f"# {remark}" for remark in remarks)]
    notes = list(remarks)
    for name in INERTIAL:
        triad = getattr(spec, name)
        noise, said = density(name, triad, rate)
        figures = {"noise_density": noise, "random_walk": column(name, triad, "random_walk")}
        notes += said
        for figure, values in figures.items():
            if (values != values[0]).any():
                silent = " and ".join(np.array(list("xyz"))[values == 0.0])
                without = f", 0 on {silent} included" if silent else ""
                notes.append(
                    f"{name}.{figure}: the root mean square of its three axes is written{without}"
                )
            lines.append(f"{FIGURES[name][figure]}: {number_text(rms(values))}")
        if not figures["random_walk"].any():
            notes.append(f"{name} has no random walk: it is written as 0, {of_zero}")
    lines += [f"rostopic: {TOPIC}", f"update_rate: {number_text(rate)}"]
    notes.append(f"the topic is written as {TOPIC}: put yours")
    return "\n".join(lines) + "\n", [*notes, *unwritten(spec, ("random_walk",))]
