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
