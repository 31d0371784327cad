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

"""What a checkpoint of an IMU holds, and how the IMU goes on from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checkpoint import load
from ..errors import InputError
from ..motion.intervals import Verdict
from ..profiles.writer import to_mapping

if TYPE_CHECKING:
    from .instrument import Instrument


def snapshot(instrument: Instrument) -> dict[str, Any]:
    """Return all that the next samples and counts depend on, JSON-able."""
    counts = instrument.pipeline.counts
    return {
        **_made_as(instrument),
        "pipeline": instrument.pipeline.state(),
        "delivery": instrument.delivery.state(),
        "counts": {verdict.name: count for verdict, count in counts.items()},
        "lost": instrument.lost,
    }


def resume(instrument: Instrument, path: Path) -> None:
    """Let an IMU that has just been made go on from the checkpoint at `path`.

    Raises
    ------
    InputError
        The file cannot be read, or is of an IMU that is made otherwise.
    """
    found = load(path)
    # A seed that was drawn is that of the run.
    drawn = instrument.settings.node.seed == -1
    for name, value in json.loads(json.dumps(_made_as(instrument))).items():
        if found.get(name) != value and not (drawn and name == "seed"):
            raise InputError("checkpoint", str(path), _otherwise(name, value, found.get(name)))
    try:
        instrument.pipeline.restore(found["pipeline"])
        instrument.delivery.restore(found["delivery"])
        instrument.pipeline.counts.update({Verdict[n]: c for n, c in found["counts"].items()})
        instrument.lost = found["lost"]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            "checkpoint", str(path), f"is not one of this node as it is set up: {error}"
        ) from None


def _otherwise(name: str, now: Any, then: Any) -> str:
    """Say that a run was made otherwise; of the figures, which."""
    if name != "figures" or not isinstance(then, dict):
        return f"is of a run with another {name}: it had {then}, and now has {now}"
    flat = [_flat(figures) for figures in (then, now)]
    keys = sorted({key for figures in flat for key in figures})
    told = [
        f"{key} was {_value(flat[0].get(key))} and is {_value(flat[1].get(key))}"
        for key in keys
        if flat[0].get(key) != flat[1].get(key)
    ]
    return (
        f"is of a run with other figures: {'; '.join(told)} (what was changed while it ran must "
        "be given at the start)"
    )


def _flat(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return figures by their names as parameters."""
    flat: dict[str, Any] = {}
    for key, value in figures.items():
        inner = value.items() if isinstance(value, dict) else ()
        flat |= {f"{key}.{name}": v for name, v in inner} or {key: value}
    return flat


def _value(value: Any) -> str:
    return "not given" if value is None else str(value)


def _made_as(instrument: Instrument) -> dict[str, Any]:
    """Return what must be the same for a run to go on."""
    settings = instrument.settings
    return {
        "seed": instrument.pipeline.model.seed,
        "truth_source": settings.node.truth_source,
        "figures": to_mapping(settings.spec),
    }
