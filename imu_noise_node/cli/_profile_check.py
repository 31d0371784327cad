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

"""What `profile check` says of a profile that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import numpy as np

from ..model.plausible import implausible
from ..model.spec import INERTIAL, TriadSpec
from ..profiles.loader import Profile


def check_text(profile: Profile) -> str:
    """Return one line on what was found, and one for each thing that looks odd."""
    lines = [f"ok: {profile.path} ({profile.name}): {_found(profile)}"]
    return "\n".join([*lines, *(f"warning: {warning}" for warning in _warnings(profile))])


def _found(profile: Profile) -> str:
    # What is no figure of a sensor is one of the whole unit.
    owners = (key.split(".")[0] if "." in key else "unit" for key in profile.provenance)
    counts = ", ".join(f"{number} of the {owner}" for owner, number in Counter(owners).items())
    sourced = sum(bool(origin.source) for origin in profile.provenance.values())
    return f"figures: {counts or 'none'}; {sourced} with a source"


def _warnings(profile: Profile) -> Iterator[str]:
    yield from implausible(profile.spec)
    for name in INERTIAL:
        if _noiseless(profile.spec.triads()[name]):
            yield f"the {name} has no noise_density and is noiseless"
    for name, triad in profile.spec.triads().items():
        given = {key.split(".")[1] for key in profile.provenance if key.startswith(f"{name}.")}
        yield from (f"{name}.{oddity}" for oddity in _oddities(triad, given))
    for key in profile.sources:
        if key not in (origin.source for origin in profile.provenance.values()):
            yield f"no figure names the source {key}"


def _oddities(triad: TriadSpec, given: Collection[str]) -> Iterator[str]:
    """Yield what is odd of the figures that are `given`, or has no effect."""
    density = next((name for name in ("noise_density", "noise_covariance") if name in given), "")
    if density and np.any(triad.noise_stddev):
        yield f"noise_stddev is not used where {density} is given"
    if "noise_type" in given and "noise_density" not in given:
        yield "noise_type is not used without noise_density"
    if np.any(triad.bias_correlation_time) and not np.any(triad.bias_stddev):
        yield "bias_correlation_time is not used without bias_stddev"
    step, limit = np.broadcast_arrays(triad.resolution, triad.range)
    coarse = (step > limit) & (limit > 0.0)
    if coarse.any():
        yield (
            f"resolution = {step[coarse][0]:.4g} is larger than range = {limit[coarse][0]:.4g}: "
            "such an axis reads nothing but 0"
        )


def _noiseless(triad: TriadSpec) -> bool:
    given = triad.noise_density is not None or triad.noise_covariance is not None
    return not given and not np.any(triad.noise_stddev)
