"""The text of a file, whatever editor wrote it."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError


def read_text(path: Path) -> str:
    """Return the UTF-8 text at `path`, without a byte order mark and with line ends of Unix.

    Raises
    ------
    InputError
        The file cannot be read, or is not UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError("file", str(path), f"cannot be read: {reason}") from None
