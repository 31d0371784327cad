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

"""The bandwidth of the signal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .recursion import recur
from .stage import Context, listed, mask_of

Array = NDArray[np.float64]


class LowPass:
    """First-order low-pass, dy = (x - y)/tau dt with tau = 1/(2 pi f_c).

    Exact for any interval over which x is constant: y_end = exp(-dt/tau) (y - x) + x. The output
    is its value at the interval's end. The first capture of a run finds it settled.

    Parameters
    ----------
    bandwidth : ndarray, shape (*batch, K)
        f_c [Hz]; zero is unlimited.
    batch : tuple of int

    Attributes
    ----------
    last : ndarray, shape (*batch, K)
        The last output [u]; NaN where there is none yet.
    """

    def __init__(self, bandwidth: Array, batch: tuple[int, ...]) -> None:
        self._rate = np.where(bandwidth > 0.0, 2.0 * np.pi * bandwidth, np.inf)
        self._shape = (*batch, bandwidth.shape[-1])
        self._dt = 0.0
        self.last = np.full(self._shape, np.nan)
        self._begins = True

    def apply(self, block: Array, dt: float, context: Context) -> Array:
        """Return the filter's output [u] at the end of each interval, shape (T, *batch, K)."""
        if dt != self._dt:
            self._dt = dt
            self._keep, self._pull = self.coefficients(dt)
        if self._begins:
            self.last = np.where(np.isnan(self.last), block[0], self.last)
            self._begins = False
        pulls: Array = self._pull * block
        if len(block) == 1:
            pulls += self._keep * self.last
            self.last = pulls[0].copy()
            return pulls
        path = np.empty((1, len(block) + 1, *self._shape))
        path[0, 0] = self.last
        recur(self._keep[None], path, pulls[None])
        self.last = path[0, -1].copy()
        outputs: Array = path[0, 1:]
        return outputs

    def coefficients(self, dt: float) -> tuple[Array, Array]:
        """Return what an interval of `dt` [s] leaves of the output and takes of the input."""
        exponent = -dt * self._rate
        return np.exp(exponent), -np.expm1(exponent)

    def skip(self, dt: float) -> None:
        """Settle anew: what the signal did in the gap is not known."""
        self.reset()

    def reset(self, where: NDArray[np.bool_] | None = None) -> None:
        """Begin at the next capture, with `where`, shape `batch`, for those members alone."""
        begin = mask_of(where)
        self.last = np.where(begin, np.nan, self.last)
        self._begins = True

    def state(self) -> Any:
        """Return the last output, None where there is none."""
        return listed(self.last)

    def restore(self, state: Any) -> None:
        """Continue from what `state` returned."""
        self.last = np.array(state, dtype=np.float64).reshape(self._shape)
        self._begins = True
