"""YAML as people write it: `%YAML:1.0` headers and numbers such as 4e-3 mean what they say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from ..errors import InputError


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the numbers of YAML 1.2: an exponent needs no dot and no sign.

    A key that stands twice in a mapping is an error, and not silently the last one.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping, its keys checked."""
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key '{key.value}' stands twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_NUMBER = re.compile(
    r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$|^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$"
)
_FLOAT_TAG = "tag:yaml.org,2002:float"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _FLOAT_TAG]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
# Behind the resolver of whole numbers, so that those stay what they are.
_Loader.add_implicit_resolver(_FLOAT_TAG, _NUMBER, list("-+0123456789."))

_OPENCV_HEADER = re.compile(r"\A%YAML:1\.0\s*")


def read_yaml(path: Path) -> Any:
    """Return what the YAML file at `path` holds.

    Raises
    ------
    InputError
        The file cannot be read, or is not YAML; the message names line and column.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError("file", str(path), f"cannot be read: {reason}") from None
    try:
        # SafeLoader only: a profile is data and never runs code.
        return yaml.load(_OPENCV_HEADER.sub("", text), Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise InputError("file", str(path), f"is not valid YAML{place}: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputError("file", str(path), f"is not valid YAML: {error}") from None
