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

"""Poses between the poses: a smooth path through all of them, whose own twist goes with it.

Position is a quintic spline (four derivatives are steady, not-a-knot at its ends), attitude a
cubic one in rotation vectors with steady angular acceleration (`scipy`'s RotationSpline, after
nmayorov.github.io/nmayorov's "Rotation splines"). Velocity and rate are their derivatives, so that
pose and twist tell one story, which a velocity from elsewhere would not.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingPackageError
from ..motion.intervals import NANOSECONDS, TimePolicy
from ..samples import Array
from .trajectory import Trajectory

try:
    from scipy.interpolate import make_interp_spline
    from scipy.spatial.transform import Rotation, RotationSpline
except ImportError:
    raise MissingPackageError(
        "scipy", "splines through trajectories", "pip install scipy"
    ) from None

DEGREE = 5
"""Of the polynomials in time between the positions."""

ENOUGH = DEGREE + 1
"""So many poses a spline takes."""

_SAME = 1.001
"""Rates that differ by less are one: stamps are rounded, and their median is not exact."""


@dataclass(frozen=True, eq=False)
class Resampled:
    """A trajectory with a twist, and where it is from.

    Attributes
    ----------
    trajectory : Trajectory
    sentences : tuple of str
        What was done.
    """

    trajectory: Trajectory
    sentences: tuple[str, ...]


def rate_of(stamps: NDArray[np.int64]) -> float:
    """Return the rate [Hz] by the median interval of stamps [ns]; 0 of fewer than two."""
    if len(stamps) < 2:
        return 0.0
    return NANOSECONDS / max(float(np.median(np.diff(stamps))), 1.0)


def resampled(trajectory: Trajectory, policy: TimePolicy) -> Resampled:
    """Return a trajectory with a twist, and with poses at `rate` if its own are slower.

    A trajectory that is fast enough and has a twist comes back as it is.

    Parameters
    ----------
    trajectory : Trajectory
        Its stamps rise.
    policy : TimePolicy
        Its `rate` is wanted, and no path is laid across a gap.

    Raises
    ------
    InputError
        No part without a gap has poses enough, they are so far apart that numbers end, or the rate
        is one that the policy thins out again.
    """
    rate, max_gap = policy.rate, policy.max_gap
    own = rate_of(trajectory.stamps)
    faster = rate > own * _SAME
    if not faster and trajectory.velocity is not None and trajectory.angular_velocity is not None:
        return Resampled(trajectory, ())
    if faster and rate * policy.min_interval > 1.0:
        told = f"must be at most {1.0 / policy.min_interval:g} Hz, where min_interval has samples"
        raise InputError("rate", rate, told)
    parts = _parts(trajectory.stamps, max_gap)
    long = [part for part in parts if part.stop - part.start >= ENOUGH]
    if not long:
        raise InputError(
            "trajectory",
            trajectory.source,
            f"needs {ENOUGH} poses or more without a gap above max_gap, {max_gap:g} s, "
            f"for a spline",
        )
    paths = [_path(trajectory, part, rate if faster else 0.0) for part in long]
    joined = Trajectory(trajectory.source, *map(np.concatenate, zip(*paths, strict=True)))
    if not all(np.isfinite(found).all() for path in paths for found in path[1:]):
        far = f"{np.abs(trajectory.position).max():.3g} m"
        told = f"has poses that are too far apart, up to {far} away, for a spline through them"
        raise InputError("trajectory", trajectory.source, told)
    lost = len(trajectory.stamps) - sum(part.stop - part.start for part in long)
    return Resampled(joined, tuple(_sentences(joined, own, faster, len(long), lost)))


def _parts(stamps: NDArray[np.int64], max_gap: float) -> list[slice]:
    """Return the parts between which there are gaps."""
    breaks = np.flatnonzero(np.diff(stamps) > round(max_gap * NANOSECONDS)) + 1
    edges = [0, *breaks.tolist(), len(stamps)]
    return [slice(start, stop) for start, stop in itertools.pairwise(edges)]


def _path(
    trajectory: Trajectory, part: slice, rate: float
) -> tuple[NDArray[np.int64], Array, Array, Array, Array]:
    """Return stamps, position, orientation, velocity and rate of one part."""
    knots = trajectory.stamps[part]
    start, end = int(knots[0]), int(knots[-1])
    stamps = knots
    if rate > 0.0:
        count = int((end - start) * rate / NANOSECONDS) + 1
        stamps = start + np.rint(np.arange(count) * (NANOSECONDS / rate)).astype(np.int64)
        stamps = stamps[stamps <= end]
    times, wanted = (knots - start) / NANOSECONDS, (stamps - start) / NANOSECONDS
    place = make_interp_spline(times, trajectory.position[part], k=DEGREE)
    turn = RotationSpline(times, Rotation.from_quat(trajectory.orientation[part]))
    position, orientation = place(wanted), turn(wanted).as_quat()
    if rate == 0.0:
        position, orientation = trajectory.position[part], trajectory.orientation[part]
    return stamps, position, orientation, place(wanted, 1), turn(wanted, 1)


def _sentences(made: Trajectory, own: float, faster: bool, parts: int, lost: int) -> list[str]:
    path = "a spline through all poses (quintic in position, cubic in attitude)"
    if faster:
        text = (
            f"resampled from {own:.4g} to {rate_of(made.stamps):.4g} Hz by {path}, "
            "whose derivatives are velocity and rate"
        )
    else:
        text = f"velocity and rate are the derivatives of {path}"
    found = [text]
    if parts > 1:
        found.append(f"{parts} splines, none across a gap")
    if lost:
        found.append(f"{lost} poses left out between gaps, too few for a spline")
    return found
