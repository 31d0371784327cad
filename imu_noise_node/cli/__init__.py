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

"""The tools, one file per command, and what finds and runs them.

A command is a module beside this one. Its name is the command's, its docstring the help text,
`add_arguments(parser)` declares its arguments, and `run(args)` does the work and returns the exit
code. To add a command, add the file; one that starts with an underscore is only a helper.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import errno
import importlib.util
import os
import pkgutil
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from ..errors import ImuNoiseError, UnknownNameError

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
UNREAD = 141
"""Nobody reads the output any more; what a shell says of a program that SIGPIPE has ended."""


def script() -> int:
    """Run the tool that the calling script is named after: `ros2 run imu_noise NAME`."""
    return run([Path(sys.argv[0]).name, *sys.argv[1:]], program="ros2 run imu_noise")


def run(argv: Sequence[str], program: str) -> int:
    """Run the tool `argv[0]` with the arguments that follow, and return the exit code.

    `program` is how the user called us, for the help and the error messages.
    """
    output = _Output(sys.stdout)
    try:
        with contextlib.redirect_stdout(output):
            try:
                return _answer(argv, program)
            finally:
                # Not when Python ends, which knows no sentence for an output that is full.
                output.flush()
    except ImuNoiseError as error:
        print(f"{program}: {error.sentence()}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except _OutputError as failure:
        output.give_up()
        if isinstance(failure.reason, BrokenPipeError):
            return UNREAD
        why = failure.reason.strerror or failure.reason
        print(f"{program}: standard output cannot be written: {why}", file=sys.stderr)
        return FAILED


def tools() -> list[str]:
    """Names of all tools, in alphabetical order."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name for name in modules if not name.startswith("_"))


class _OutputError(Exception):
    """Standard output cannot be written; no OSError, lest a tool take it for its own file's."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class _Output:
    """Standard output that says when it cannot be written.

    Parameters
    ----------
    stream : file or None
        None where the caller has closed it.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if self._stream is None:
            raise _OutputError(OSError(errno.EBADF, "it is closed"))
        try:
            return self._stream.write(text)
        except OSError as error:
            raise _OutputError(error) from None

    def flush(self) -> None:
        try:
            if self._stream is not None:
                self._stream.flush()
        except OSError as error:
            raise _OutputError(error) from None

    def give_up(self) -> None:
        """Let what could not be written go where Python can write it when it ends."""
        if self._stream is None:
            return
        # One without a descriptor is a test's.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _answer(argv: Sequence[str], program: str) -> int:
    if not argv:
        print(_overview(program), file=sys.stderr)
        return BAD_INPUT
    if argv[0] in ("-h", "--help"):
        print(_overview(program))
        return 0
    return _run_tool(argv[0], argv[1:], program)


def _run_tool(name: str, arguments: Sequence[str], program: str) -> int:
    if name not in tools():
        raise UnknownNameError("tool", name, tools())
    tool = importlib.import_module(f"{__name__}.{name}")
    parser = argparse.ArgumentParser(prog=f"{program} {name}", description=tool.__doc__)
    tool.add_arguments(parser)
    args = parser.parse_args(arguments)
    try:
        return int(tool.run(args))
    except ImuNoiseError as error:
        _name_options(error, vars(args), arguments)
        raise


def _name_options(error: ImuNoiseError, names: Iterable[str], arguments: Sequence[str]) -> None:
    """Call arguments of the library what the user knows them by in a sentence: options."""
    given = [
        text.partition("=")[0] for text in arguments if text.startswith("--") and text != "--"
    ]
    for name in names:
        option = f"--{name.replace('_', '-')}"
        # Many a thing is a topic or a rate; this one the user has given. Abbreviated, maybe.
        if error.key == name and any(option.startswith(text) for text in given):
            error.key = option
        if "_" in name:
            error.allowed, error.hint = (
                re.sub(rf"\b{name}\b", option, text) for text in (error.allowed, error.hint)
            )


def _overview(program: str) -> str:
    width = max(map(len, tools()), default=0)
    lines = [f"  {name:{width}}  {_summary(name)}" for name in tools()]
    return "\n".join([f"usage: {program} NAME [--help] [arguments]", "", *lines])


def _summary(name: str) -> str:
    """First line of a tool's docstring, read without importing what the tool imports."""
    tool = importlib.util.find_spec(f"{__name__}.{name}")
    source = Path(tool.origin).read_text(encoding="utf-8") if tool and tool.origin else ""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
