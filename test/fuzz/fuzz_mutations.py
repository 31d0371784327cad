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

"""What becomes of a valid file when it is damaged, edited by somebody in a hurry, or made up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import yaml

NUMBERS = (
    *("0", "-0.0", "1", "-1", "3", "1e-3", "4e-3", "5e-06", "0.1", ".5", "1.", "+2", "200", "1e4"),
    *(
        "1e308",
        "1e309",
        "-1e400",
        "1e-320",
        "1e100",
        "1e101",
        "1e-101",
        "1e999999999999",
        "nan",
        ".nan",
        "NaN",
        "inf",
    ),
    *(
        ".inf",
        "-Infinity",
        "null",
        "~",
        "true",
        "no",
        "0x10",
        "0b1",
        "0200",
        "1:30",
        "1_000",
        "--1",
    ),
    *(
        "9" * 25,
        "9" * 400,
        "1e",
        "e5",
        "1,5",
        "1.2.3",
        "2026-11-30",
        "[1]",
        "[1, 2, 3]",
        "[]",
        "{}",
    ),
    *("[1, nan, 3]", "[1, [2], 3]", '"7"', "'1 deg/s'", "1 deg/h", "60 ug/sqrt(Hz)", "5 parsec"),
)
"""What stands where a figure should."""

TOKENS = (
    *(
        ":",
        ": ",
        "\n",
        "\n\n",
        "\t",
        " ",
        "  ",
        "- ",
        "#",
        "//",
        "/*",
        "*/",
        ",",
        "[",
        "]",
        "{",
        "}",
    ),
    *(
        "&a ",
        "*a",
        "<<: *a",
        "!!python/object:os.system ",
        "!!binary ",
        "!!opencv-matrix ",
        "!!set ",
    ),
    *(
        "!!omap ",
        "!!timestamp ",
        "!!int ",
        "!!float ",
        "!x ",
        "---\n",
        "...\n",
        "%YAML:1.0\n",
        "? ",
        "|",
    ),
    *(
        ">",
        "@",
        "`",
        "\x00",
        "\x7f",
        "\ufeff",
        "\u2028",
        "\ud7ff",
        "é",
        "😀",
        "\\",
        "\\u",
        '"',
        "'",
    ),
    *(
        "<",
        ">",
        "</",
        "/>",
        "<!ENTITY a 'b'>",
        "<![CDATA[",
        "&lt;",
        "&a;",
        "<?xml?>",
        "<!--",
        "null",
    ),
)
"""Signs that mean something to one of the languages."""


_BAD = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def mutate(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return `data` with one to four changes; `others` are valid files to take pieces from."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 4))):
        data = random.choice(_MUTATIONS)(random, data, others)
    return data


def change_figures(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return `data` with one or two figures changed; much of what becomes of it can be read."""
    for _ in range(random.choice((1, 1, 2))):
        data = _number(random, data, others)
    return data


def noise(random: Random) -> bytes:
    """Return bytes of no sense, or a row of signs that have some."""
    length = random.choice((0, 1, 3, 10, 100, 1000))
    if random.random() < 0.5:
        return random.randbytes(length)
    words = (*NUMBERS, *TOKENS)
    return "".join(random.choices(words, k=length)).encode("utf-8", "surrogatepass")


def restructure(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return a document whose tree is that of `data` with nodes changed, moved or nested."""
    tree = _tree(data)
    if tree is None:
        return mutate(random, data, others)
    for _ in range(random.choice((1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            break
        holder, key = random.choice(places)
        _edit(random, holder, key, others)
    if random.random() < 0.5:
        return json.dumps(tree, default=str).encode()
    return yaml.safe_dump(tree, allow_unicode=True).encode("utf-8", "replace")


def _tree(data: bytes) -> Any:
    text = re.sub(rb"\A%YAML:1\.0[^\n]*", b"", data.strip())
    text = re.sub(rb"(?m)//.*$", b"", text).replace(b"!!opencv-matrix", b"")
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, *_BAD):
        return None


def _places(tree: Any) -> Any:
    """Yield each (holder, key or index) below `tree`."""
    items = (
        tree.items()
        if isinstance(tree, dict)
        else enumerate(tree)
        if isinstance(tree, list)
        else ()
    )
    for key, value in list(items):
        yield tree, key
        yield from _places(value)


def _edit(random: Random, holder: Any, key: Any, others: Sequence[bytes]) -> None:
    what = random.randrange(7)
    if what == 0:
        del holder[key]
    elif what == 1:
        holder[key] = _odd(random)
    elif what == 2:
        holder[key] = [holder[key]] * random.choice((0, 1, 2, 3, 9, 27))
    elif what == 3:
        holder[key] = {str(_odd(random)): holder[key]}
    elif what == 4:
        holder[key] = _tree(random.choice(others))
    elif what == 5 and isinstance(holder, dict):
        holder[random.choice((*holder, "noise_density", "x", "", "true", "1"))] = holder.pop(key)
    else:
        places = list(_places(holder))
        other, place = random.choice(places)
        holder[key] = json.loads(json.dumps(other[place], default=str))


def _odd(random: Random) -> Any:
    value = random.choice((*NUMBERS, *NUMBERS, *TOKENS))
    try:
        return yaml.safe_load(value)
    except (yaml.YAMLError, *_BAD):
        return value


def _flip(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    if not data:
        return random.randbytes(1)
    place = random.randrange(len(data))
    return data[:place] + random.randbytes(1) + data[place + 1 :]


def _cut(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    begin, end = sorted(random.choices(range(len(data) + 1), k=2))
    return data[:begin] + data[end:] if random.random() < 0.5 else data[:end]


def _repeat(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    begin, end = sorted(random.choices(range(len(data) + 1), k=2))
    return data[:end] + data[begin:end] * random.choice((1, 1, 2, 20)) + data[end:]


def _splice(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _insert(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    place = random.randrange(len(data) + 1)
    word = random.choice((*TOKENS, *NUMBERS)).encode()
    return data[:place] + word * random.choice((1, 1, 1, 3, 500)) + data[place:]


def _number(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    return _replace(random, data, rb"[-+]?\d[\d.]*(?:[eE][-+]?\d+)?", NUMBERS)


def _word(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    words = re.findall(rb"[A-Za-z_]\w*", random.choice(others)) or [b"x"]
    return _replace(random, data, rb"[A-Za-z_]\w*", [word.decode() for word in words])


def _line(random: Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    place = random.randrange(len(lines))
    what = random.randrange(4)
    if what == 0:
        del lines[place]
    elif what == 1:
        lines.insert(random.randrange(len(lines)), lines[place])
    elif what == 2:
        lines[place] = b" " * random.choice((1, 2, 4)) + lines[place]
    else:
        lines[place] = lines[place].lstrip()
    return b"\n".join(lines)


def _replace(random: Random, data: bytes, pattern: bytes, by: Sequence[str]) -> bytes:
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    one = random.choice(found)
    return data[: one.start()] + random.choice(by).encode() + data[one.end() :]


_MUTATIONS: tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...] = (
    *(_flip, _cut, _repeat, _splice, _insert, _number, _number, _number, _word, _word, _line),
)
