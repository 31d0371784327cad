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

"""Checkpoints: files from which a run goes on as if it had not been interrupted."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError, ParameterError
from .files import replacing
from .schema import check_fields, parameter

_FORMAT = "imu_noise checkpoint 2"

_LARGEST = 100_000_000
"""Bytes; far beyond what any run has to remember."""


@dataclass(frozen=True, eq=False)
class CheckpointPolicy:
    """Where checkpoints go, how often they are made, and whether the run begins with one.

    Raises
    ------
    ParameterError
        A value that is not allowed, or a path is missing.
    """

    path: str = parameter(
        "", "file of the checkpoint; ~/checkpoint writes it", kind=str, live=False
    )
    period: float = parameter(
        0.0, "time between two that are written by themselves; 0 writes none", "s", lower=0.0
    )
    resume: bool = parameter(
        False, "whether the run goes on from the file, where there is one", kind=bool, live=False
    )

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.path and (self.period > 0.0 or self.resume):
            raise ParameterError("path", "", "must be given where period or resume is")

    @property
    def file(self) -> Path:
        """`path` with the home directory spelt out."""
        return Path(self.path).expanduser()


def save(path: Path, state: Mapping[str, Any]) -> None:
    """Write a checkpoint, whole or not at all: a crash leaves the one before.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    text = json.dumps({"format": _FORMAT, "digest": _digest(state), **state}, allow_nan=False)
    try:
        with replacing(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("checkpoint", str(path), f"cannot be written: {reason}") from None


def load(path: Path) -> dict[str, Any]:
    """Return what `save` was given.

    Raises
    ------
    InputError
        The file cannot be read, is no checkpoint, or is not as `save` left it.
    """
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_LARGEST))
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("checkpoint", str(path), f"cannot be read: {reason}") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.pop("format", None) != _FORMAT:
        raise InputError("checkpoint", str(path), f"must be a file of the format '{_FORMAT}'")
    # A number that was changed would not stop the run, but let it go astray or fail much later.
    if found.pop("digest", None) != _digest(found):
        raise InputError("checkpoint", str(path), "is not as it was written: its digest differs")
    return found


def _digest(state: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()
