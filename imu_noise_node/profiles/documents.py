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

"""Files of any kind that figures come in: YAML, JSON with or without comments, XML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .json_reader import parse_json
from .text import read_text
from .xml_reader import parse_xml
from .yaml_reader import parse_yaml

JSON_SUFFIXES = (".json", ".jsonc")
YAML_SUFFIXES = (".yaml", ".yml")


def read_document(path: Path) -> Any:
    """Return what the file at `path` holds.

    XML is known by its first character. Otherwise the suffix decides between JSON and YAML; a
    file with another suffix is JSON where it starts as only JSON does.

    Returns
    -------
    object
        What YAML or JSON hold (a mapping, most often), or the root element of XML.

    Raises
    ------
    InputError
        The file cannot be read, or is not what it seems; the message names line and column.
    """
    text = read_text(path)
    start = text.lstrip()[:2]
    suffix = path.suffix.lower()
    if start.startswith("<"):
        return parse_xml(text, path)
    if suffix in JSON_SUFFIXES or (
        suffix not in YAML_SUFFIXES and (start.startswith("{") or start in ("//", "/*"))
    ):
        return parse_json(text, path)
    return parse_yaml(text, path)
