"""What `profile check` says of a profile that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..model.spec import INERTIAL, TriadSpec, implausible
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
    for key in profile.sources:
        if key not in (origin.source for origin in profile.provenance.values()):
            yield f"no figure names the source {key}"


def _noiseless(triad: TriadSpec) -> bool:
    given = triad.noise_density is not None or triad.noise_covariance is not None
    return not given and not np.any(triad.noise_stddev)
