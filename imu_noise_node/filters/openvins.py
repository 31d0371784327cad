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

"""OpenVINS' kalibr_imu_chain.yaml.

The propagator divides the squares of the densities and walks by the interval and multiplies with
its square (`Qc` and `G` in `Propagator::predict_and_compute`, ov_msckf/src/state/Propagator.cpp):
they are densities, and the rate does not enter.
"""

from __future__ import annotations

from . import kalibr
from .figures import FilterFigures
from .settings import Settings

TITLE = "OpenVINS"

_INFLATION = (
    "OpenVINS' own guide says that calibrated figures may have to be inflated by 10 to 20 "
    "(docs/gs-calibration.dox)"
)


def settings(figures: FilterFigures) -> Settings:
    """Return the file with all keys that OpenVINS asks for, of perfect axes, and its figures."""
    text, notes = kalibr.plain_text(figures, "so that the filter stops estimating the bias")
    flat = [line for line in text.splitlines() if not line.startswith("#")]
    lines = [
        "%YAML:1.0 # written by imu_noise",
        "",
        "imu0:",
        *_matrix("T_i_b", 4, 1.0),
        *(f"  {line}" for line in flat),
        "  time_offset: 0.0",
        '  model: "kalibr"',
        *(
            row
            for name in ("Tw", "R_IMUtoGYRO", "Ta", "R_IMUtoACC")
            for row in _matrix(name, 3, 1.0)
        ),
        *_matrix("Tg", 3, 0.0),
    ]
    return Settings(
        "openvins_kalibr_imu_chain.yaml",
        "\n".join(lines) + "\n",
        kalibr.table(figures),
        (*notes, _INFLATION),
    )


def _matrix(name: str, size: int, diagonal: float) -> list[str]:
    rows = [[diagonal * (i == k) for k in range(size)] for i in range(size)]
    return [f"  {name}:", *(f"    - {row}" for row in rows)]
