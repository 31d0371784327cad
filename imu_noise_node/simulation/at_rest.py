"""A long record of a simulated IMU at rest, on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..model.imu import ImuModel
from ..model.spec import ImuSpec
from ..motion.intervals import NANOSECONDS
from ..recordings.record import ImuRecord

GRAVITY = (0.0, 0.0, 9.80665)
"""What an accelerometer at rest and level feels [m/s^2]."""

_BLOCK = 1 << 16
"""Readings made at a time: the memory needed is that of a block, however long the record."""


def record_at_rest(
    spec: ImuSpec,
    duration: float,
    rate: float,
    folder: Path,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImuRecord:
    """Return what an IMU reads that lies level and still.

    Parameters
    ----------
    spec : ImuSpec
    duration : float
        [s]
    rate : float
        [Hz]
    folder : Path
        Where to keep the readings, 48 bytes each; they are mapped into memory.
    seed : int
    """
    count = round(duration * rate)
    values = np.lib.format.open_memmap(
        folder / "values.npy", mode="w+", dtype=np.float64, shape=(6, count)
    )
    model = ImuModel(spec, seed)
    field = None if spec.magnetometer is None else np.zeros(3)
    for start in range(0, count, _BLOCK):
        steps = np.full(min(_BLOCK, count - start), 1.0 / rate)
        block = model.run(steps, np.zeros(3), GRAVITY, magnetic_field=field).values
        values[:, start : start + len(steps)] = block[:, 0:6].T
        progress(start + len(steps), count)
    stamps = np.round(np.arange(1, count + 1) * (NANOSECONDS / rate)).astype(np.int64)
    return ImuRecord(f"simulated for {duration:g} s at {rate:g} Hz", stamps, values)
