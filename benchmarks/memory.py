"""How much memory a process has and had, as the kernel counts it.

Not `getrusage`: its figure for a process starts at the peak of the one that started it.
"""

from __future__ import annotations

from pathlib import Path


def resident(process: int | str = "self") -> int:
    """Return what a process holds in memory now [bytes]."""
    return _status(process, "VmRSS")


def peak(process: int | str = "self") -> int:
    """Return the most that a process ever held in memory [bytes]."""
    return _status(process, "VmHWM")


def _status(process: int | str, key: str) -> int:
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(":")
        if name == key:
            return int(value.split()[0]) * 1024
    raise LookupError(f"/proc/{process}/status has no {key}")
