"""A vector that is constant in the world, as a sensor that turns sees it."""

from __future__ import annotations

from ..samples import Quaternion, Vector
from .rotations import conjugate, cross, rotate, turning


def mean_in_sensor(vector: Vector, phi: Vector, orientation: Quaternion) -> Vector:
    """Return the mean of `vector` over an interval, in the sensor's turning axes.

    Going back from the end, where the sensor sees b, over an interval with the rotation vector
    phi, the mean of Exp(u phi) b over 0 <= u <= 1 is b + c1 phi x b + c2 phi x (phi x b), with
    c1 = (1 - cos t)/t^2, c2 = (t - sin t)/t^3 and t = |phi|: exact for a constant rate.

    Parameters
    ----------
    vector : Vector
        World axes.
    phi : Vector
        Rotation over the interval [rad], sensor axes.
    orientation : Quaternion
        Sensor to world at the interval's end.
    """
    b = rotate(conjugate(orientation), vector)
    first = cross(phi, b)
    second = cross(phi, first)
    c1, c2 = turning(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2])
    return (
        b[0] + c1 * first[0] + c2 * second[0],
        b[1] + c1 * first[1] + c2 * second[1],
        b[2] + c1 * first[2] + c2 * second[2],
    )
