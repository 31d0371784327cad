"""The orientation that an IMU reports along a tape."""

from __future__ import annotations

import numpy as np

from ..attitude import AttitudeNoise
from ..samples import Array, Vector
from .tape import Tape


def noisy_orientation(tape: Tape, seed: int, stddev: Vector) -> Array:
    """Return the orientation with the error that the node gives it, shape (T, 4).

    Rows without an orientation stay NaN.

    Parameters
    ----------
    tape : Tape
    seed : int
        0 or more.
    stddev : Vector
        Sigma of the rotation about each axis of the world [rad].
    """
    noise = AttitudeNoise(seed, stddev)
    restarts = {part.before for part in tape.breaks if part.skipped is None}
    found = tape.orientation.copy()
    for index, (x, y, z, w) in enumerate(tape.orientation.tolist()):
        if index in restarts:
            noise.reset()
        if not np.isnan(x):
            found[index] = noise.apply((x, y, z, w))
    return found
