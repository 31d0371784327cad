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

"""JSON as people write it: comments and a comma after the last entry are allowed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..errors import InputError
from .nesting import TOO_DEEP, is_too_deep

# What is not closed ends with the text, so that it is looked through once and not from every sign.
_STRING = r'"(?:[^"\\\n]|\\.)*"?'
# A string is matched first, so that nothing inside one is taken for a comment or a comma.
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*[\]}}])")


def parse_json(text: str, path: Path) -> Any:
    """Return what a JSON text that came from `path` holds; it may have comments, trailing commas.

    Raises
    ------
    InputError
        It is not JSON, or has a key twice; the message names the place.
    """
    plain = _LAST_COMMA.sub(_blank, _COMMENT.sub(_blank, text))
    try:
        document = json.loads(plain, object_pairs_hook=_mapping)
    except json.JSONDecodeError as error:
        place = f" at line {error.lineno}, column {error.colno}"
        raise InputError("file", str(path), f"is not valid JSON{place}: {error.msg}") from None
    except ValueError as error:
        raise InputError("file", str(path), f"is not valid JSON: {error}") from None
    except RecursionError:
        raise InputError("file", str(path), TOO_DEEP) from None
    if is_too_deep(document):
        raise InputError("file", str(path), TOO_DEEP)
    return document


def _blank(match: re.Match[str]) -> str:
    """Put as many blanks in the place of a comment, so that lines and columns stay."""
    found = match.group()
    return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise ValueError(f"the key '{key}' stands twice")
        mapping[key] = value
    return mapping
