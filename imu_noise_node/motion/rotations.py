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

"""Quaternions x, y, z, w and three-vectors as tuples of floats, written out."""

from __future__ import annotations

import math

from ..samples import Quaternion, Vector

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Quaternion = (0.0, 0.0, 0.0, 1.0)


def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def product(p: Quaternion, q: Quaternion) -> Quaternion:
    """Return the rotation that turns by `q` first, then by `p`."""
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return (
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
        pw * qw - px * qx - py * qy - pz * qz,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """Return the inverse rotation."""
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q: Quaternion, v: Vector) -> Vector:
    """Return `v` turned by the unit quaternion `q`: v + 2 w (u x v) + 2 u x (u x v)."""
    x, y, z, w = q
    tx = 2.0 * (y * v[2] - z * v[1])
    ty = 2.0 * (z * v[0] - x * v[2])
    tz = 2.0 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def norm(q: Quaternion) -> float:
    """Return the length of `q`."""
    x, y, z, w = q
    return math.sqrt(x * x + y * y + z * z + w * w)


def normalised(q: Quaternion) -> Quaternion:
    """Return `q` scaled to unit length."""
    n = norm(q)
    return (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


def logarithm(q: Quaternion) -> Vector:
    """Return the rotation vector [rad] of `q`, the short way round: |result| <= pi.

    q and -q are one attitude and have one logarithm.
    """
    x, y, z, w = q
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    s = math.sqrt(x * x + y * y + z * z)
    # angle/sin(angle/2); the limit is 2, and 2/w is right to the last bit for tiny s.
    scale = 2.0 * math.atan2(s, w) / s if s > 1e-12 else 2.0 / w
    return (scale * x, scale * y, scale * z)


def exponential(phi: Vector) -> Quaternion:
    """Return the rotation of the rotation vector `phi` [rad]."""
    x, y, z = phi
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    # sin(half)/(2 half); the limit is a half.
    scale = 0.5 * math.sin(half) / half if half > 1e-12 else 0.5
    return (scale * x, scale * y, scale * z, math.cos(half))


def from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Return the rotation by roll about x, pitch about y, yaw about z, fixed axes (REP-103)."""
    cr, sr = math.cos(roll / 2.0), math.sin(roll / 2.0)
    cp, sp = math.cos(pitch / 2.0), math.sin(pitch / 2.0)
    cy, sy = math.cos(yaw / 2.0), math.sin(yaw / 2.0)
    return (
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    )


def turning(t2: float) -> tuple[float, float]:
    """Return (1 - cos t)/t^2 and (t - sin t)/t^3 for t^2."""
    if t2 < 1e-3:
        return (
            0.5 - t2 * (1.0 / 24.0 - t2 / 720.0),
            1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 / 5040.0),
        )
    t = math.sqrt(t2)
    return (1.0 - math.cos(t)) / t2, (t - math.sin(t)) / (t2 * t)
