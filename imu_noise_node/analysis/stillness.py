"""Whether a long record is of a sensor at rest, and whether its readings are fresh."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from .allan_terms import Array

_WINDOW = 1.0
"""Shortest window [s] in which readings are compared."""

_READINGS = 50
"""Fewest readings in it: the sigma of fewer scatters too much."""

_MOST_WINDOWS = 2000

_MOVING = 3.0
"""Ratio of busy to quiet windows above which a record is one of motion.

The sigmas of 50 normal numbers scatter by a tenth, so that the ratio is 1.3 at rest.
"""

_HELD = 0.01

_AXES = ("gyroscope x", "gyroscope y", "gyroscope z") + (
    "accelerometer x",
    "accelerometer y",
    "accelerometer z",
)


def require_still(source: str, values: Array, rate: float) -> None:
    """Refuse a record whose noise is not the same all along, as is one of motion.

    The sigmas within short windows are compared, of which nine in ten are below the one and one in
    ten below the other quantile. No threshold is absolute: a loud sensor at rest is as homogeneous
    as a quiet one.

    Parameters
    ----------
    values : ndarray, shape (6, T)
    rate : float
        [Hz]

    Raises
    ------
    InputError
        It is not still, or has readings that are no finite numbers.
    """
    length = min(max(_READINGS, int(_WINDOW * rate)), values.shape[1] // 4)
    starts = np.arange(0, values.shape[1] - length + 1, length)
    starts = starts[:: max(1, len(starts) // _MOST_WINDOWS)]
    for axis, row in zip(_AXES, values, strict=True):
        if np.isnan(row[0]):
            continue
        windows = np.stack([row[start : start + length] for start in starts])
        if not np.isfinite(np.sum(row)):
            raise InputError(source, axis, "has readings that are no finite numbers")
        sigmas = windows.std(axis=1)
        quiet, busy = np.quantile(sigmas, [0.1, 0.9])
        ratio = busy / max(quiet, _step(windows))
        if ratio > _MOVING:
            raise InputError(
                source,
                axis,
                "must be of a sensor at rest: its busy seconds are "
                f"{ratio:.0f} times as loud as its quiet ones",
                "leave it alone on firm ground, and cut off where it was touched",
            )


def held_values(values: Array) -> list[str]:
    """Return a sentence where readings repeat the one before in all axes.

    Parameters
    ----------
    values : ndarray, shape (k, T)
    """
    repeats, block = 0, 1 << 20
    for start in range(0, values.shape[1] - 1, block):
        part = values[:, start : start + block + 1]
        repeats += int(np.count_nonzero((part[:, 1:] == part[:, :-1]).all(axis=0)))
    share = repeats / (values.shape[1] - 1)
    if share < _HELD:
        return []
    return [
        f"{share:.1%} of the readings repeat the one before in all axes: the sensor is slower than "
        "its messages, or its steps are coarser than its noise; short averaging times say little"
    ]


def _step(windows: Array) -> float:
    """Return the smallest change between readings, or a number above 0 where nothing changes."""
    changes = np.abs(np.diff(windows, axis=1))
    return float(changes[changes > 0.0].min(initial=np.inf))
