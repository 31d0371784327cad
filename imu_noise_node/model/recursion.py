"""The one recursion that cannot be vectorised over time: x[i + 1] = keep * x[i] + kick[i]."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Filter = Callable[..., Any]

_SHORT = 64
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
    states : ndarray, shape (n + 1, P, *batch, K)
    kicks : ndarray, shape (n, P, *batch, K)
    """
    fast = None
    if len(kicks) >= _SHORT and kicks[0].size < _MANY_LANES:
        fast = _trusted_filter()
    if fast is not None:
        _by_filter(fast, np.broadcast_to(keep, kicks.shape[1:]), states, kicks)
        return
    for i, kick in enumerate(kicks):
        np.multiply(keep, states[i], out=states[i + 1])
        states[i + 1] += kick


def _by_filter(lfilter: Filter, keep: Array, states: Array, kicks: Array) -> None:
    for p in np.ndindex(keep.shape[:-1]):
        lanes: Any = (slice(None), *p)
        factors = keep[p]
        start = factors * states[0][p]
        columns: list[Any] = [slice(None)]
        if (factors != factors[0]).any():
            columns = [slice(k, k + 1) for k in range(len(factors))]
        for c in columns:
            coefficients = [1.0, -float(factors[c][0])]
            states[1:][lanes][:, c], _ = lfilter(
                [1.0], coefficients, kicks[lanes][:, c], axis=0, zi=start[None, c]
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
    kicks = np.random.default_rng(0).standard_normal((1000, 1, 3))
    keep = np.full((1, 3), 0.9990234375 - 1e-9)
    plain = np.empty((1001, 1, 3))
    plain[0] = 0.3
    filtered = plain.copy()
    for i, kick in enumerate(kicks):
        plain[i + 1] = keep * plain[i] + kick
    _by_filter(lfilter, keep, filtered, kicks)
    return lfilter if np.array_equal(plain, filtered) else None
