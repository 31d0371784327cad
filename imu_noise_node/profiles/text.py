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

"""The text of a file, whatever editor wrote it."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError

LARGEST = 10_000_000
"""Bytes; no file of figures comes near, and a log given by mistake is not read to its end."""


def read_text(path: Path) -> str:
    """Return the UTF-8 text at `path`, without a byte order mark and with line ends of Unix.

    Raises
    ------
    InputError
        The file cannot be read, is larger than `LARGEST`, or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("file", str(path), f"cannot be read: {reason}") from None
    if len(content) > LARGEST:
        allowed = f"must be no larger than {LARGEST // 1_000_000} MB"
        raise InputError("file", str(path), allowed)
    try:
        text = content.decode("utf-8-sig")
    except ValueError:
        raise InputError("file", str(path), "cannot be read: it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")
