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

"""What demo.launch.py can be asked for; as in `launch_arguments`, nothing here needs launch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..schema import check
from . import launch_arguments
from .launch_arguments import Argument, Setup, Texts
from .moving_truth import RATE

_OWN = ("truth_source", "odom_topic", "ideal_topic", "use_sim_time")
"""Arguments of sim.launch.py on which the demo has made up its mind."""

_CHANGED: Mapping[str, str] = {"profile": "bmi088"}


def arguments(params_file: Path) -> tuple[Argument, ...]:
    """Return the arguments of demo.launch.py: its own, then some of sim.launch.py."""
    return (
        Argument("truth_rate", "Messages of truth per second, 1 to 1000.", default="200"),
        *(
            replace(argument, default=_CHANGED.get(argument.name, argument.default))
            for argument in launch_arguments.arguments(params_file)
            if argument.name not in _OWN
        ),
    )


def read(values: Texts) -> tuple[Setup, float]:
    """Turn the texts given for the arguments into a setup of the node and the truth's rate [Hz].

    Raises
    ------
    ParameterError, InputError
        The first text that cannot be used.
    """
    rate: float = check("truth_rate", values.get("truth_rate", "").strip() or "200", RATE)
    return launch_arguments.read({**values, "truth_source": "odometry"}), rate
