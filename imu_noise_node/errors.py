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

"""Errors a user can act on: one sentence that says what, where and what is allowed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_LONGEST = 240
"""Characters of a value that are shown."""


class ImuNoiseError(ValueError):
    """Base of every error that this package raises on bad input.

    Attributes
    ----------
    key : str
        What was wrong: a parameter, a key of a file, a topic.
    value : object
        The offending value.
    allowed : str
        What would have been accepted.
    hint : str
        What to try instead; may be empty.
    """

    def __init__(self, key: str, value: object, allowed: str, hint: str = "") -> None:
        self.key = key
        self.value = value
        self.allowed = allowed
        self.hint = hint
        super().__init__(self.sentence())

    def sentence(self) -> str:
        """Return the one sentence that the user reads."""
        return f"{self.key} = {_short(self.value)}: {self.allowed}{_tail(self.hint)}"


class ParameterError(ImuNoiseError):
    """A value of the wrong kind or out of range."""


class UnknownNameError(ImuNoiseError):
    """A name that nothing answers to; the message offers the nearest one that exists.

    Attributes
    ----------
    known : tuple of str
        The names that would have been accepted.
    """

    def __init__(self, kind: str, name: object, known: Iterable[str], where: str = "") -> None:
        self.kind = kind
        self.where = where
        self.known = tuple(sorted(known))
        near = nearest(str(name), self.known)
        hint = f"did you mean '{near}'?" if near else ""
        super().__init__(f"{where}{kind}", name, f"known: {', '.join(self.known)}", hint)

    def sentence(self) -> str:
        """Return the sentence; the list of names is left out when one of them is near."""
        place = f" in {self.where}" if self.where else ""
        return f"unknown {self.kind} {_short(self.value)}{place}; {self.hint or self.allowed}"


class InputError(ImuNoiseError):
    """A file, topic or stream that cannot be used."""


class MissingPackageError(ImuNoiseError):
    """A package that only some installations have is needed for what was asked."""

    def __init__(self, package: str, purpose: str, remedy: str) -> None:
        super().__init__(package, None, f"needed for {purpose}", remedy)

    def sentence(self) -> str:
        """Return the sentence; it ends with what to do."""
        return f"the package {self.key} is not installed, and {self.allowed}: {self.hint}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the name among `known` closest in spelling to `name`, or an empty string."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)), "")


def _short(value: object) -> str:
    try:
        text = re.sub(r"\n\s*", " ", repr(value))
    except ValueError:
        return "a whole number of thousands of digits"
    # Long enough for a path; of what is longer, both ends tell what it is.
    return text if len(text) <= _LONGEST else f"{text[:77]}...{text[-77:]}"


def _tail(hint: str) -> str:
    return f" ({hint})" if hint else ""
