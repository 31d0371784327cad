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

"""Damaged and invented files by the thousand: none may end in anything but one clear sentence.

    python test/fuzz/fuzz.py --count 100000 [--target NAME] [--seed N]

Each input follows from the seed, its target and its number alone. The exit code is 1 where one was
read with another error than those for bad input, took more than 10 s, or more memory than 4 GB;
such an input is kept, in the folder that is named then.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent / "bags", HERE.parent / "profiles", HERE.parents[1]):
    sys.path.insert(0, str(folder))

from fuzz_targets import TARGETS, Target  # noqa: E402

from imu_noise_node.errors import ImuNoiseError  # noqa: E402

PATIENCE = 10
MEMORY = 4 << 30


class Slow(BaseException):
    """An input that takes too long; nothing that reads files catches it."""


def attempt(name: str, number: int, seed: int, folder: Path) -> str:
    """Let a target read its input of that number; return what came of it.

    Returns
    -------
    str
        "read", "refused", or the traceback of what should not have been.
    """
    target: Target = TARGETS[name]
    random = Random(f"{seed} {name} {number}")
    path = folder / f"input{random.choice(target.suffixes)}"
    path.write_bytes(target.input(random, folder))
    try:
        with _in_time(), warnings.catch_warnings():
            warnings.simplefilter("error")
            target.read(path, random)
    except ImuNoiseError as error:
        return "refused" if "\n" not in str(error) else f"two lines: {error}"
    except (Exception, Slow):
        kept = folder / f"{name}-{number}{path.suffix}"
        kept.write_bytes(path.read_bytes())
        return traceback.format_exc()
    return "read"


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Slow

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def main() -> int:
    """Try the inputs, print what came of them; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="inputs of all targets together")
    parser.add_argument("--target", choices=TARGETS, action="append", help="default: all")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    names = args.target or list(TARGETS)
    folder = Path(tempfile.mkdtemp(prefix="fuzz_"))
    outcomes: dict[str, Counter[str]] = {name: Counter() for name in names}
    wrong: Counter[str] = Counter()
    for number in range(args.count):
        name = names[number % len(names)]
        outcome = attempt(name, number, args.seed, folder)
        bad = outcome not in ("read", "refused")
        outcomes[name]["WRONG" if bad else outcome] += 1
        if bad:
            wrong[outcome] += 1
            if wrong[outcome] == 1:
                print(f"--- {name} {number}\n{outcome}", flush=True)
    for name, counts in outcomes.items():
        print(f"{name:12}" + "".join(f"{kind:>10} {n}" for kind, n in sorted(counts.items())))
    print(
        f"{args.count} inputs, {sum(wrong.values())} wrong" + (f"; see {folder}" if wrong else "")
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
