"""Files that are whole or not there: a full disk or a crash leaves the one before."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path beside `path`; what is written there takes its place if the block ends well.

    A device, such as /dev/null, is yielded as it is.

    Raises
    ------
    OSError
        It cannot be written; then nothing of it is left.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        yield path
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
