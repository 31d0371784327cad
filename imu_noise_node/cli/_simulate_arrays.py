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

"""The file of arrays that `simulate` writes of its runs."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ..simulation.monte_carlo import Outcome
from ..simulation.run import ImuRun

# NumPy has no types for it.
_open_memmap: Any = np.lib.format.open_memmap


class Arrays:
    """Gathers the runs on disk, so that no more than one is in memory.

    Parameters
    ----------
    folder : Path
        For what is not finished, on the same disk as `final`.
    final : Path
    first : ImuRun
        Any of the runs: stamps, truth and covariance are the same in all.
    seeds : range
    """

    def __init__(self, folder: Path, final: Path, first: ImuRun, seeds: range) -> None:
        self.final = final
        self._folder = folder
        self._seeds = seeds
        shape = (len(seeds), len(first.stamps), 6)
        self._runs = {
            name: _open_memmap(folder / f"{name}.npy", "w+", np.float64, shape)
            for name in ("values", "bias")
        }
        self._common = {
            "seeds": np.array(seeds, dtype=np.int64),
            "stamps": first.stamps,
            "dt": first.dt,
            "truth": first.truth,
            "orientation": first.orientation,
            "sigma": np.sqrt(np.diagonal(first.covariance, axis1=1, axis2=2)),
        }

    def take(self, outcome: Outcome) -> None:
        """Write one run."""
        place = outcome.seed - self._seeds[0]
        self._runs["values"][place] = outcome.values
        self._runs["bias"][place] = outcome.bias

    def finish(self) -> None:
        """Join all arrays in the file, and give it its name."""
        for name, array in self._common.items():
            np.save(self._folder / f"{name}.npy", array)
        for array in self._runs.values():
            array.flush()
        made = self._folder / "all.npz"
        with zipfile.ZipFile(made, "w", allowZip64=True) as file:
            for name in (*self._common, *self._runs):
                file.write(self._folder / f"{name}.npy", f"{name}.npy")
        made.replace(self.final)
