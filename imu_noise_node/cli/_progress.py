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
