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

"""Whether an object is a stage of the signal path: for the tests of those who write their own."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .conformance_pieces import INTERVALS, Batch, Piece, make_pieces
from .spec import INERTIAL
from .stage import Stage

Array = NDArray[np.float64]

BATCHES: tuple[Batch, ...] = ((), (1,), (3, 1, 2, 1))
"""No batch, a batch of one, and a batch with several axes, some of them 1 long."""


CUTS: tuple[tuple[int, ...], ...] = ((1,), (7, 1, 64, 2))
"""Lengths of blocks, by turns."""

_METHODS = ("apply", "reset", "state", "restore")


class ConformanceError(AssertionError):
    """A stage breaks a rule; the message says which, and where it was seen.

    Attributes
    ----------
    rule : str
        The rule in one clause.
    """

    def __init__(self, rule: str, found: str) -> None:
        self.rule = rule
        super().__init__(f"{rule}; {found}")


def check_stage(
    make: Callable[[Batch], Stage],
    sensors: Sequence[str] = INERTIAL,
    batches: Sequence[Batch] = BATCHES,
    intervals: Sequence[tuple[float, int]] = INTERVALS,
    amplitude: float = 1.0,
    may_lose: bool = False,
) -> None:
    """Check that a stage keeps the rules of `Stage`, and so may be one of `extra_stages`.

    It feeds fresh stages with random signals and compares to the bit.

    Parameters
    ----------
    make : callable
        From the batch shape to a new stage. Those of one shape must be equal, so that one which
        draws random numbers must seed its generator itself.
    sensors : sequence of str, optional
        Whose axes are stacked; K is three times as many.
    batches : sequence of tuple of int, optional
        Batch shapes that the stage must take.
    intervals : sequence of (float, int), optional
        Times between captures [s], with how many captures come at that interval.
    amplitude : float, optional
        Standard deviation of the signal [u]: large enough for the stage to do what it does.
    may_lose : bool, optional
        Whether NaN may stand for captures that are lost.

    Raises
    ------
    ConformanceError
        The first rule that is broken.
    """
    for batch in batches:
        trial = _Trial(make, tuple(sensors), batch, intervals, amplitude)
        _check_methods(trial)
        outputs = _check_values(trial, may_lose)
        _check_memory(trial)
        _check_cuts(trial, outputs)
        _check_reset(trial, outputs)
        _check_state(trial, outputs)
        _check_members(trial, outputs)
        _check_reset_of_some(trial)
    _check_batch_of_one(make, tuple(sensors), intervals, amplitude)


class _Trial:
    """What is to be checked, and captures for it."""

    def __init__(
        self,
        make: Callable[[Batch], Stage],
        sensors: tuple[str, ...],
        batch: Batch,
        intervals: Sequence[tuple[float, int]],
        amplitude: float,
    ) -> None:
        self.batch = batch
        self.pieces = make_pieces(sensors, batch, intervals, amplitude)
        self.others = make_pieces(sensors, batch, intervals, amplitude, seed=99)
        self._make = make

    def stage(self) -> Stage:
        """Return a new stage."""
        return self._make(self.batch)

    def expect(self, rule: str, found: Array, expected: Array) -> None:
        """Raise ConformanceError unless two arrays are equal to the bit."""
        same = (found == expected) | (np.isnan(found) & np.isnan(expected))
        if not same.all():
            place = tuple(int(i) for i in np.argwhere(~same)[0])
            raise ConformanceError(
                rule,
                f"with batch {self.batch}, capture {place[0]}, {place[1:]} reads {found[place]} "
                f"instead of {expected[place]}",
            )

    def mixed(self, members: NDArray[np.bool_]) -> list[Piece]:
        """Return captures that differ for the batch members in the mask `members` alone."""
        mask = members[..., None]
        pairs = zip(self.pieces, self.others, strict=True)
        return [
            one._replace(
                block=np.where(mask, other.block, one.block),
                truth=np.where(mask, other.truth, one.truth),
            )
            for one, other in pairs
        ]

    def masks(self) -> Iterator[NDArray[np.bool_]]:
        """Yield masks, shape `batch`: none, every other member, the first one."""
        yield np.zeros(self.batch, dtype=bool)
        size = int(np.prod(self.batch))
        if size > 1:
            numbers = np.arange(size).reshape(self.batch)
            yield numbers % 2 == 1
            yield numbers == 0


def _feed(stage: Stage, pieces: Sequence[Piece], cut: Sequence[int] = ()) -> Array:
    """Return what the stage makes of all captures, in blocks as long as `cut` says by turns."""
    outputs = []
    for piece in pieces:
        for part in _parts(len(piece.block), cut):
            output = stage.apply(piece.block[part].copy(), piece.dt, piece.context(part))
            outputs.append(output.copy())
    return np.concatenate(outputs)


def _parts(count: int, cut: Sequence[int]) -> Iterator[slice]:
    start = 0
    for length in itertools.cycle(cut or [count]):
        if start == count:
            return
        stop = min(start + length, count)
        yield slice(start, stop)
        start = stop


def _check_methods(trial: _Trial) -> None:
    stage = trial.stage()
    for method in _METHODS:
        if not callable(getattr(stage, method, None)):
            raise ConformanceError(
                f"a stage must have the methods {', '.join(_METHODS)}",
                f"{type(stage).__name__} has no {method}",
            )


def _check_values(trial: _Trial, may_lose: bool) -> Array:
    """Check what comes out of each block by itself; return all of it."""
    stage = trial.stage()
    outputs = []
    for piece in trial.pieces:
        context = piece.context(slice(0, len(piece.block)))
        output = stage.apply(piece.block.copy(), piece.dt, context)
        if not isinstance(output, np.ndarray) or output.shape != piece.block.shape:
            raise ConformanceError(
                "apply must return an array of the shape of the block",
                f"for {piece.block.shape} it returned {getattr(output, 'shape', output)!r}",
            )
        if output.dtype != np.float64:
            raise ConformanceError("apply must return float64", f"it returned {output.dtype}")
        good = np.isfinite(output) | (may_lose & np.isnan(output))
        if not good.all():
            raise ConformanceError(
                "apply must return finite values for finite ones",
                f"with batch {trial.batch} it returned {output[~good][0]}",
            )
        trial.expect("apply must not write to context.truth", context.truth, piece.truth)
        outputs.append(output.copy())
    return np.concatenate(outputs)


def _check_memory(trial: _Trial) -> None:
    """Check that a stage and its caller do not write to each other's arrays."""
    kept: list[Array] = []
    copies: list[Array] = []
    scribbled: list[Array] = []
    stage = trial.stage()
    for piece in trial.pieces:
        for part in _parts(len(piece.block), (5, 1)):
            kept.append(stage.apply(piece.block[part].copy(), piece.dt, piece.context(part)))
            copies.append(kept[-1].copy())
    rule = "apply must not change later what it has returned"
    trial.expect(rule, np.concatenate(kept), np.concatenate(copies))
    stage = trial.stage()
    for piece in trial.pieces:
        for part in _parts(len(piece.block), (5, 1)):
            block, context = piece.block[part].copy(), piece.context(part)
            output = stage.apply(block, piece.dt, context)
            scribbled.append(output.copy())
            for array in (output, block, context.truth):
                array[...] = 1e3
    rule = "a stage must copy what it remembers of blocks, which others write to"
    # In the blocks of above, which another rule compares with whole ones.
    trial.expect(rule, np.concatenate(scribbled), np.concatenate(copies))


def _check_cuts(trial: _Trial, expected: Array) -> None:
    rule = "the samples must not depend on how they are cut into blocks"
    for cut in CUTS:
        trial.expect(rule, _feed(trial.stage(), trial.pieces, cut), expected)


def _check_reset(trial: _Trial, expected: Array) -> None:
    stage = trial.stage()
    _feed(stage, trial.others)
    stage.reset()
    rule = "after reset() a stage must do what a new one does"
    trial.expect(rule, _feed(stage, trial.pieces), expected)


def _check_state(trial: _Trial, expected: Array) -> None:
    rule = "a stage that restore() gave a state must go on like the one that it came from"
    for place in range(len(trial.pieces)):
        stage, other = trial.stage(), trial.stage()
        before, after = trial.pieces[:place], trial.pieces[place:]
        start = sum(len(piece.block) for piece in before)
        for piece in before:
            _feed(stage, [piece])
        state = _through_json(stage)
        rest = _feed(stage, after)
        trial.expect("state() must change nothing", rest, expected[start:])
        _feed(other, trial.others)
        other.restore(state)
        trial.expect(rule, _feed(other, after), expected[start:])


def _through_json(stage: Stage) -> Any:
    try:
        return json.loads(json.dumps(stage.state(), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ConformanceError(
            "state() must return what JSON can hold: "
            "dictionaries, lists, strings, finite numbers, True, False, None",
            f"json.dumps says: {error}",
        ) from None


def _check_members(trial: _Trial, expected: Array) -> None:
    rule = "a batch member must not depend on what the others measure"
    for members in trial.masks():
        found = _feed(trial.stage(), trial.mixed(members))
        trial.expect(rule, found[:, ~members], expected[:, ~members])


def _check_reset_of_some(trial: _Trial) -> None:
    half = (len(trial.pieces) + 1) // 2
    first, rest = trial.pieces[:half], trial.pieces[half:] or trial.pieces
    undisturbed = trial.stage()
    _feed(undisturbed, first)
    expected = _feed(undisturbed, rest)
    for members in trial.masks():
        stage, other = trial.stage(), trial.stage()
        _feed(stage, first)
        stage.reset(members)
        found = _feed(stage, rest)
        rule = "reset(where) must leave the members that are not in `where` alone"
        trial.expect(rule, found[:, ~members], expected[:, ~members])
        _feed(other, trial.mixed(members)[:half])
        other.reset(members)
        rule = "after reset(where) the members in `where` must not depend on what was before"
        trial.expect(rule, _feed(other, rest)[:, members], found[:, members])


def _check_batch_of_one(
    make: Callable[[Batch], Stage],
    sensors: tuple[str, ...],
    intervals: Sequence[tuple[float, int]],
    amplitude: float,
) -> None:
    alone, one = (_Trial(make, sensors, b, intervals, amplitude) for b in ((), (1,)))
    found = _feed(one.stage(), one.pieces)
    rule = "a batch of one must read what a stage without batch reads"
    one.expect(rule, found, _feed(alone.stage(), alone.pieces)[:, None])
