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

"""Figures as datasheets print them, `0.34 deg/sqrt(h)`, read as numbers in SI units.

A unit is a product of powers of named units: `ug/sqrt(Hz)`, `µg/√Hz`, `m s^-2`, `(rad/s)^2/Hz`.
`g` is gravity, `G` and `gauss` are gauss, `K` is a difference of temperatures only. An angle is a
quantity of its own, so that `0.1 deg` is no scale factor; Hz is 1/s, so that `deg/sqrt(h)` is an
angular rate's noise density. LSB are no unit: what one is worth is another figure.
"""

from .text import CUSTOMARY, has_unit, in_si, si

__all__ = ["CUSTOMARY", "has_unit", "in_si", "si"]
