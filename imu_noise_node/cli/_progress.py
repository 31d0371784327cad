"""A progress bar, where there is a terminal to show it on."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes how much is done and how much there is to do."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        print("(no progress bar: python3-tqdm is not installed)", file=sys.stderr)
        yield lambda _done, _total: None
        return
    with tqdm(desc=what, leave=False, bar_format="{desc} {percentage:3.0f}% {bar:40}") as shown:

        def show(done: int, total: int) -> None:
            shown.total = total
            shown.update(done - shown.n)

        yield show
