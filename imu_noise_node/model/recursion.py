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

"""The one recursion that cannot be vectorised over time: x[i + 1] = keep * x[i] + kick[i]."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Filter = Callable[..., Any]

SHORT = 64
"""Below this many steps setting up the filter costs more than it saves."""

_MANY_LANES = 512
"""From this many parallel recursions on, NumPy's loop over time is the faster one."""


def recur(keep: Array, states: Array, kicks: Array) -> None:
    """Fill `states[1:]` from `states[0]`.

    Every element of the result is the rounded product plus the kick, whichever way is taken, so
    a block and single steps give the same bits.

    Parameters
    ----------
    keep : ndarray, broadcasting with shape (P, *batch, K)
    states : ndarray, shape (P, n + 1, *batch, K)
    kicks : ndarray, shape (P, n, *batch, K)
    """
    fast = None
    steps = kicks.shape[1]
    if steps >= SHORT and kicks[:, 0].size < _MANY_LANES:
        fast = _trusted_filter()
    if fast is not None:
        _by_filter(fast, np.broadcast_to(keep, kicks[:, 0].shape), states, kicks)
        return
    path = states.swapaxes(0, 1)
    for start, end, kick in zip(path[:-1], path[1:], kicks.swapaxes(0, 1), strict=True):
        np.multiply(keep, start, end)
        np.add(end, kick, end)


def _by_filter(lfilter: Filter, keep: Array, states: Array, kicks: Array) -> None:
    for factors, path, pushes in zip(keep, states, kicks, strict=True):
        # Lanes side by side; those that share their factor go through the filter together.
        width = factors.size
        factors, path, pushes = (a.reshape(-1, width) for a in (factors, path, pushes))
        alike = (factors == factors[0, 0]).all()
        for lanes in [slice(None)] if alike else [slice(k, k + 1) for k in range(width)]:
            factor = float(factors[0, lanes][0])
            path[1:, lanes], _ = lfilter(
                [1.0], [1.0, -factor], pushes[:, lanes], axis=0, zi=factor * path[:1, lanes]
            )


@cache
def _trusted_filter() -> Filter | None:
    """Return SciPy's filter if it is installed and rounds as NumPy does, else None.

    A compiler may fuse its multiplication and addition into one rounding on some processors.
    """
    try:
        from scipy.signal import lfilter
    except ImportError:
        return None
    kicks = np.random.default_rng(0).standard_normal((1, 1000, 3))
    keep = np.full((1, 3), 0.9990234375 - 1e-9)
    plain = np.empty((1, 1001, 3))
    plain[:, 0] = 0.3
    filtered = plain.copy()
    for i in range(1000):
        plain[:, i + 1] = keep * plain[:, i] + kicks[:, i]
    _by_filter(lfilter, keep, filtered, kicks)
    return lfilter if np.array_equal(plain, filtered) else None
