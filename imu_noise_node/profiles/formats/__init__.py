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

"""The formats that IMU figures come in, one file each.

A format is a module with `TITLE`, `is_mine(document)`, which knows its own by the content, and
`read(document, ask)`, which returns a spec and notes on what it could not take over.
"""

from __future__ import annotations

from typing import Any, Protocol

from ...errors import InputError, UnknownNameError
from . import euroc, imu_error_model, imu_utils, kalibr, maplab, mathworks, rwth, sdf, vins
from .imported import MEANINGS, Ask, Imported

__all__ = ["FORMATS", "MEANINGS", "Ask", "Format", "Imported", "find_format", "import_document"]


class Format(Protocol):
    """What a module of this package has."""

    TITLE: str

    def is_mine(self, document: Any) -> bool:
        """Whether a document is in this format."""

    def read(self, document: Any, ask: Ask) -> Imported:
        """Return what the document says, in our figures."""


FORMATS: dict[str, Format] = {
    "euroc": euroc,
    "kalibr": kalibr,
    "maplab": maplab,
    "vins": vins,
    "imu-utils": imu_utils,
    "rwth-irt": rwth,
    "mathworks": mathworks,
    "imu-error-model": imu_error_model,
    "sdf": sdf,
}
"""The formats by name. EuRoC's comes first: it has Kalibr's keys and one more."""


def find_format(document: Any) -> str | None:
    """Return the name of the format that a document is in, or None."""
    return next((name for name, form in FORMATS.items() if form.is_mine(document)), None)


def import_document(document: Any, ask: Ask, name: str | None = None) -> Imported:
    """Return what a document says, read as the format `name`, or as the one it is found to be in.

    Raises
    ------
    InputError
        It is in no known format, or not in the one named, or leaves a question open; or `ask` says
        what it has no use for.
    UnknownNameError, ParameterError
        A format, key or figure that is not allowed.
    """
    if name is not None and name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS)
    found = name or find_format(document)
    if found is None:
        titles = ", ".join(form.TITLE for form in FORMATS.values())
        raise InputError("file", ask.where, f"has no IMU figures in a known format: {titles}")
    if not FORMATS[found].is_mine(document):
        raise InputError("file", ask.where, f"must be a file of the format {found}; it is not")
    imported = FORMATS[found].read(document, ask)
    ask.check_used()
    return imported
