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

"""List, show, check and convert profiles: the figures of real sensors.

A profile is a YAML or JSON file with the figures of a sensor, in SI units or in those of its
datasheet, and with the sources that state them. Many come with the package as presets. Wherever a
profile is asked for, the name of a preset or the path of a file will do.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InputError
from ..profiles.documents import read_document
from ..profiles.formats import FORMATS, find_format
from ..profiles.loader import Profile, presets, read_profile
from ._profile_check import check_text
from ._profile_list import list_markdown, list_text
from ._profile_show import show_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and the arguments of each."""
    # Read by the tool alone when it runs, and not by whoever imports this module.
    from . import _profile_convert

    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    listing = _add(
        actions,
        "list",
        "list the presets with their main figures",
        "One line for each preset. gyro N and accel N are the white noise (angle and velocity "
        "random walk), gyro B and accel B the bias instability, the flat floor of the Allan "
        "deviation. Where axes differ, the worst is shown; - means that nobody states it.",
    )
    listing.add_argument(
        "--markdown", action="store_true", help="print a Markdown table, with the full names"
    )

    show = _add(
        actions,
        "show",
        "show every figure of a profile, with its source",
        "Each figure as the file has it, in SI units, what it is and which source states it; "
        "then the sources with address and the day on which they were looked at.",
    )
    show.add_argument("profile", metavar="NAME", help="name of a preset, or path of a file")

    check = _add(
        actions,
        "check",
        "say whether a file is a profile that can be used",
        "Reads the file as the node would. The exit code is 0 where it can be used, with a "
        "warning for whatever looks odd, and 2 where it cannot.",
    )
    check.add_argument("profile", metavar="FILE", help="path of a file, or name of a preset")

    convert = _add(
        actions,
        "convert",
        "make a profile of another tool's file, or the other way round",
        "Prints the result, or writes it with --output. What gets lost on the way, and what was "
        "assumed, goes to standard error.",
    )
    _profile_convert.add_arguments(convert)


def run(args: argparse.Namespace) -> int:
    """Do what was asked, and return the exit code."""
    if args.action == "convert":
        from . import _profile_convert

        return int(_profile_convert.run(args))
    if args.action == "list":
        print(list_markdown() if args.markdown else list_text())
    elif args.action == "show":
        print(show_text(_read(args.profile)))
    else:
        print(check_text(_checked(args.profile)))
    return 0


def _add(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    description: str,
) -> argparse.ArgumentParser:
    text = f"{summary[0].upper()}{summary[1:]}. {description}".strip()
    return actions.add_parser(name, help=summary, description=text)


def _checked(name: str) -> Profile:
    """Read a profile; a file of another tool's is pointed to `profile convert`."""
    path = Path(name).expanduser()
    if path.is_file() and (found := find_format(read_document(path))) is not None:
        told = f"is no profile but {FORMATS[found].TITLE}"
        raise InputError("file", str(path), told, "`profile convert` makes a profile of it")
    return _read(name)


def _read(name: str) -> Profile:
    """Read a preset or a file; a file in this folder needs no suffix to be known as one."""
    if name not in presets() and Path(name).is_file():
        return read_profile(Path(name).resolve())
    return read_profile(name)
