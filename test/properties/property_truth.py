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

"""Any stream of truth: jittered, repeated, late, gone back, far ahead, huge, and not a number."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from imu_noise_node.samples import Truth

_ZERO = (0.0, 0.0, 0.0)
_FAR = st.sampled_from([1e6, -1e12, 1e100, -1e150, 1e200, 1e300, 1.7e308])
_NO_NUMBER = st.sampled_from([math.nan, math.inf, -math.inf])
_NEAR = st.floats(-10.0, 10.0)

_REGULAR = st.sampled_from([0.0025, 0.005, 0.01])
_JITTERED = st.floats(1e-3, 0.1)
_ODD = st.sampled_from(
    # Repeated, too soon, late, gone back, a gap, and years.
    [0.0, 1e-9, 49e-6, -1e-9, -0.05, -0.1, -3.0, 0.5, 0.6, 40.0, 1e8, -1e8]
)
STEPS = st.integers(0, 9).flatmap(
    lambda kind: _ODD if kind == 0 else _JITTERED if kind < 3 else _REGULAR
)


@st.composite
def _vectors(draw: Any, usual: Any) -> tuple[float, float, float]:
    kind = draw(st.integers(0, 99))
    component = _NO_NUMBER if kind == 0 else _FAR if kind == 1 else _NEAR
    if kind > 10:
        return tuple(usual)  # type: ignore[return-value]
    x, y, z = (draw(component) for _ in range(3))
    return (x, y, z)


@st.composite
def _orientations(draw: Any) -> tuple[float, float, float, float]:
    kind = draw(st.integers(0, 99))
    if kind == 0:
        return (math.nan, 0.0, 0.0, 1.0)
    if kind == 1:
        return (0.0, 0.0, 0.0, 0.0)
    if kind == 2:
        return (1e200, 0.0, 0.0, 1e200)
    raw = [draw(st.floats(-1.0, 1.0)) for _ in range(3)] + [1.0]
    length = math.hypot(*raw) * draw(st.sampled_from([1.0, 1.0, 1.0, -1.0, 1.005, 1.05]))
    x, y, z, w = (value / length for value in raw)
    return (x, y, z, w)


@st.composite
def truths(draw: Any) -> list[Truth]:
    """Return messages of every kind; a field that a source does not fill may be None."""
    stamp = draw(st.sampled_from([10**9, 1, 1_779_876_543_123_456_789, (2**31 - 2) * 10**9]))
    x, found = 0.0, []
    for _ in range(draw(st.integers(8, 25))):
        step = draw(STEPS)
        stamp = max(0, stamp + round(step * 1e9))
        x += min(max(step, 0.0), 0.1)
        found.append(
            Truth(
                draw(st.sampled_from([*[stamp] * 30, 0, 2**63 - 1])),
                draw(_vectors((x, 0.0, 0.0))),
                draw(_orientations()),
                draw(_vectors((1.0, 0.0, 0.0))),
                draw(_vectors(_ZERO)),
                draw(_vectors((0.0, 0.0, 9.8))),
            )
        )
    return found
