"""What `profile show` prints: each figure with its source."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..model.spec import ImuSpec, TriadSpec, spell_out_unit
from ..profiles.loader import Profile
from ..profiles.provenance import Provenance
from ..schema import Parameter, parameters

_WIDTH = 99
_INDENT = 26
"""Column at which the values stand: behind the longest name of a figure."""


def show_text(profile: Profile) -> str:
    """Return the figures, by sensor, and the sources."""
    about = [f"{profile.name} ({profile.path})"]
    about += [line for line in (profile.description, _grade(profile)) if line]
    groups = ["\n".join(about), *_groups(profile)]
    if profile.sources:
        groups.append("\n".join(_sources(profile)))
    return "\n\n".join(groups)


def _grade(profile: Profile) -> str:
    return f"grade: {profile.grade}" if profile.grade else ""


def _groups(profile: Profile) -> Iterator[str]:
    spec = profile.spec
    for sensor, triad in spec.triads().items():
        own = {k.split(".")[1]: v for k, v in profile.provenance.items() if k.startswith(sensor)}
        facts = parameters(TriadSpec)
        lines = [
            line
            for name, origin in own.items()
            for line in _figure(name, getattr(triad, name), origin, facts[name], sensor)
        ]
        yield "\n".join([sensor.capitalize(), *(lines or ["  no figures: it is perfect"])])
    unit = [
        line
        for name, origin in profile.provenance.items()
        if name in parameters(ImuSpec)
        for line in _figure(name, getattr(spec, name), origin, parameters(ImuSpec)[name], "")
    ]
    if unit:
        yield "\n".join(["Unit", *unit])


def _figure(
    name: str, value: Any, origin: Provenance, facts: Parameter, sensor: str
) -> Iterator[str]:
    unit = "" if facts.unit == "1" else spell_out_unit(facts.unit, sensor)
    si = f"{_number(value)} {unit}".strip()
    written = _written(origin.written)
    head = f"  {name:{_INDENT - 2}}"
    # A plain number is in SI units already.
    yield from _wrapped(f"{written} = {si}" if _has_unit(origin.written) else si, head)
    cited = ", ".join(text for text in (origin.source, origin.where) if text)
    note = " ".join(text for text in (origin.what, f"[{cited}]" if cited else "") if text)
    if note:
        yield from _wrapped(note, " " * _INDENT)


def _sources(profile: Profile) -> Iterator[str]:
    yield "Sources"
    for key, source in profile.sources.items():
        day = f" ({source.date})" if source.date else ""
        yield from _wrapped(f"{source.title}{day}", f"  {key:{_INDENT - 2}}")
        if source.address:
            yield f"{'':{_INDENT}}{source.address}"


def _wrapped(text: str, head: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=head,
        subsequent_indent=" " * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _has_unit(written: Any) -> bool:
    return any(isinstance(v, str) for v in (written if isinstance(written, list) else [written]))


def _written(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _number(value: Any) -> str:
    if isinstance(value, str):
        return value
    return ", ".join(f"{number:.4g}" for number in np.asarray(value, dtype=float).ravel())
