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

"""YAML as people write it: `%YAML:1.0` headers and numbers such as 4e-3 mean what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from ..errors import InputError
from .nesting import DEEPEST, MOST_VALUES, TOO_DEEP, TOO_MANY


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the numbers of YAML 1.2: an exponent needs no dot and no sign.

    A key that stands twice in a mapping is an error, and not silently the last one. So are a
    document that is too large once its aliases are written out, and one that is nested too deep.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = self._count = 0
        self._sizes: dict[int, int] = {}

    def compose_node(self, parent: Any, index: Any) -> yaml.Node | None:
        """Return the next node, its size and depth checked before anything is made of it."""
        before = self._count
        event = self.peek_event()  # type: ignore[no-untyped-call]
        mark: Any = event.start_mark
        self._count += 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise yaml.composer.ComposerError(None, None, TOO_DEEP, mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        if not isinstance(event, yaml.AliasEvent):
            self._sizes[id(node)] = self._count - before
        elif id(node) in self._sizes:
            self._count += self._sizes[id(node)]
        else:
            within = f"the alias '*{event.anchor}' stands within what it means"
            raise yaml.composer.ComposerError(None, None, within, mark)
        if self._count > MOST_VALUES:
            raise yaml.composer.ComposerError(None, None, TOO_MANY, mark)
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping, its keys checked."""
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _wrong(key, "a key must be a name")
            if key.value in seen:
                raise _wrong(key, f"the key '{key.value}' stands twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    def text(self, node: yaml.ScalarNode) -> str:
        """Return a text, unless it is a number with a comment as other languages have it."""
        value = str(self.construct_scalar(node))
        if node.style is None and re.match(r"[-+.\d]\S*\s+//", value):
            raise _wrong(node, f"'{value}' is no number; a comment starts with #, not with //")
        return value

    def matrix(self, node: yaml.Node) -> list[list[Any]]:
        """Return the rows of a matrix as OpenCV writes it: `rows`, `cols` and flat `data`."""
        if not isinstance(node, yaml.MappingNode):
            raise _wrong(node, "an opencv-matrix must be a mapping of rows, cols and data")
        mapping = self.construct_mapping(node, deep=True)
        rows: Any = mapping.get("rows")
        columns: Any = mapping.get("cols")
        data: Any = mapping.get("data")
        whole = isinstance(rows, int) and isinstance(columns, int) and isinstance(data, list)
        if not whole or rows < 1 or columns < 1 or len(data) != rows * columns:
            raise _wrong(node, "an opencv-matrix must have rows, cols, and rows x cols data")
        return [data[row * columns : (row + 1) * columns] for row in range(rows)]


def _wrong(node: yaml.Node, problem: str) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


_FLOAT_TAG, _INT_TAG = "tag:yaml.org,2002:float", "tag:yaml.org,2002:int"
_FLOAT = re.compile(
    r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"
    r"|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$"
)
# YAML 1.1 takes 0200 for 128 and 1:30 for 90.
_INT = re.compile(r"^[-+]?(0|[1-9][0-9]*)$|^0x[0-9a-fA-F]+$")
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (_FLOAT_TAG, _INT_TAG)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_INT_TAG, _INT, list("-+0123456789"))
# Behind the resolver of whole numbers, so that those stay what they are.
_Loader.add_implicit_resolver(_FLOAT_TAG, _FLOAT, list("-+0123456789."))
_Loader.add_constructor("tag:yaml.org,2002:str", _Loader.text)
_Loader.add_constructor("tag:yaml.org,2002:opencv-matrix", _Loader.matrix)

_OPENCV_HEADER = re.compile(r"\A%YAML:1\.0[^\n]*")


def parse_yaml(text: str, path: Path) -> Any:
    """Return what a YAML text that came from `path` holds.

    Raises
    ------
    InputError
        It is not YAML; the message names line and column.
    """
    try:
        # SafeLoader only: a profile is data and never runs code.
        return yaml.load(_OPENCV_HEADER.sub("", text), Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise InputError("file", str(path), f"is not valid YAML{place}: {error.problem}") from None
    except (yaml.YAMLError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError("file", str(path), f"is not valid YAML: {reason}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError):
        # So PyYAML ends on `!!int ''`, `!!timestamp x` or `!!bool maybe`.
        raise InputError(
            "file", str(path), "is not valid YAML: a value is not what its tag says"
        ) from None
