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

"""A long record of a simulated IMU at rest."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from ..errors import InputError
from ..model.imu import ImuModel
from ..model.spec import ImuSpec
from ..motion.intervals import NANOSECONDS
from ..recordings.gathering import Block, gather
from ..recordings.record import ImuRecord

GRAVITY = (0.0, 0.0, 9.80665)
"""What an accelerometer at rest and level feels [m/s^2]."""

_BYTES = 64
"""A reading takes on disk: stamp, six axes, and one axis twice while they are put together."""

_BLOCK = 1 << 16
"""Readings made at a time: no more are in memory, however long the record."""


def record_at_rest(
    spec: ImuSpec,
    duration: float,
    rate: float,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> ImuRecord:
    """Return what an IMU reads that lies level and still.

    Parameters
    ----------
    spec : ImuSpec
    duration : float
        [s]
    rate : float
        [Hz]
    seed : int
    progress : callable, optional
        Takes how many readings are done, and how many there will be.

    Raises
    ------
    InputError
        There is no room for temporary files.
    """
    count = round(duration * rate)
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if count * _BYTES > free:
        needed = f"takes {count * _BYTES / 1e9:.3g} GB, and {free / 1e9:.3g} GB are free"
        raise InputError(
            "duration", duration, f"{needed} in {tempfile.gettempdir()}", "TMPDIR names another"
        )
    # What a magnetometer reads is not asked for.
    model = ImuModel(replace(spec, magnetometer=None), seed)
    blocks = _blocks(model, count, rate, progress)
    return ImuRecord(f"simulated, {duration:g} s at {rate:g} Hz", *gather(blocks, 6))


def _blocks(
    model: ImuModel, count: int, rate: float, progress: Callable[[int, int], None] | None
) -> Iterator[Block]:
    for start in range(0, count, _BLOCK):
        numbers = np.arange(start + 1, min(start + _BLOCK, count) + 1)
        steps = np.full(len(numbers), 1.0 / rate)
        values = model.run(steps, np.zeros(3), GRAVITY).values
        stamps = np.round(numbers * (NANOSECONDS / rate)).astype(np.int64)
        yield stamps, values
        if progress is not None:
            progress(int(numbers[-1]), count)
