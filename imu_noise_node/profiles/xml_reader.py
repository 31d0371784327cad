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

"""XML, for robot descriptions."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from ..errors import InputError


def parse_xml(text: str, path: Path) -> ElementTree.Element:
    """Return the root element of an XML text that came from `path`.

    Raises
    ------
    InputError
        The text is not XML, or declares entities, which no robot description needs: they can
        make a small file a huge one. The message names the line.
    """
    declaration = re.search(r"<!ENTITY", text)
    if declaration:
        line = text.count("\n", 0, declaration.start()) + 1
        raise InputError("file", str(path), f"must declare no entities; line {line} does")
    # An encoding named in the header was settled when the file became text.
    text = re.sub(r"\A\s*<\?xml.*?\?>", _blank, text, flags=re.DOTALL)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, RecursionError) as error:
        raise InputError("file", str(path), f"is not valid XML: {error}") from None


def _blank(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")
