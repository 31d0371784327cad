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

"""Where the runs go: a bag each, and one file of arrays, all of them whole or not there."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np

from ..bags.messages import IMU_TYPE, ODOMETRY_TYPE, imu_messages, odometry_messages
from ..errors import InputError
from ..samples import Array
from ..simulation.attitudes import noisy_orientation
from ..simulation.monte_carlo import Outcome
from ..simulation.run import ImuRun
from ..simulation.tape import Progress
from ._simulate_arrays import Arrays
from ._simulate_options import ODOMETRY_TOPIC, Options
from ._simulate_source import Source

_BAG_BYTES = 300
"""At least so many has an Imu message: 37 numbers of 8 bytes, stamp and frame."""

_NPZ_BYTES = 192
"""Of a sample: 12 numbers of 8 bytes, on the disk twice while they are joined in the file."""


def check_places(options: Options) -> None:
    """Refuse places to which nothing can be written, before any work is done.

    Raises
    ------
    InputError
        Something is there, it is inside the input, or its folder cannot be written to.
    """
    for key, path in (("--output", options.output), ("--npz", options.npz)):
        if path is None:
            continue
        if path.is_symlink() or path.exists():
            raise InputError(key, str(path), "exists already; nothing is overwritten")
        if options.source.resolve() in path.resolve().parents:
            raise InputError(key, str(path), f"must not be inside the input, {options.source}")
        with _writing(key, path):
            if not path.parent.is_dir():
                raise NotADirectoryError(errno.ENOENT, "its folder does not exist")
            with tempfile.TemporaryFile(dir=path.parent):
                pass
    if options.output is not None and options.output == options.npz:
        raise InputError("--npz", str(options.npz), "must be another name than that of --output")
    if options.output is not None and options.output.suffix in (".mcap", ".db3", ".bag", ".npz"):
        told = "is a folder's name: a bag of ROS 2 is a folder"
        raise InputError("--output", str(options.output), told, "leave the suffix off")


def check_room(options: Options, samples: int) -> None:
    """Refuse what cannot fit on the disk, before it is written.

    Raises
    ------
    InputError
        The samples alone are more than there is room for.
    """
    all_samples = samples * len(options.seeds)
    for key, path, each in (
        ("--output", options.output, _BAG_BYTES),
        ("--npz", options.npz, _NPZ_BYTES),
    ):
        if path is None:
            continue
        needed, free = all_samples * each, shutil.disk_usage(path.parent).free
        if needed > free:
            told = f"would take {needed / 1e9:.3g} GB or more, and {free / 1e9:.3g} GB are free"
            raise InputError(key, str(path), told)


class Sinks:
    """Takes the runs one by one; what it has written gets its name when all are there.

    Parameters
    ----------
    options : Options
    source : Source
    first : ImuRun
        Any of the runs: stamps, truth and covariance are the same in all.
    """

    def __init__(self, options: Options, source: Source, first: ImuRun) -> None:
        self._options = options
        self._source = source
        self._first = first
        self._stack = ExitStack()
        self._bags: Path | None = None
        self._arrays: Arrays | None = None

    def __enter__(self) -> Sinks:
        output, npz = self._options.output, self._options.npz
        with ExitStack() as stack:
            if output is not None:
                with _writing("--output", output):
                    self._bags = Path(stack.enter_context(_scratch(output)), output.name)
            if npz is not None:
                with _writing("--npz", npz):
                    folder = Path(stack.enter_context(_scratch(npz)))
                    self._arrays = Arrays(folder, npz, self._first, self._options.seeds)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def take(self, outcome: Outcome, progress: Progress | None = None) -> None:
        """Write one run; `progress` takes how many messages are copied, and how many there are.

        Raises
        ------
        InputError
            There is no room, or the bag of the truth is damaged.
        """
        if self._bags is not None:
            assert self._options.output is not None
            with _writing("--output", self._options.output):
                folder = self._bags
                if len(self._options.seeds) > 1:
                    folder.mkdir(exist_ok=True)
                    folder /= f"seed_{outcome.seed}"
                self._write_bag(folder, outcome, progress)
        if self._arrays is not None:
            with _writing("--npz", self._arrays.final):
                self._arrays.take(outcome)

    def _write_bag(self, folder: Path, outcome: Outcome, progress: Progress | None) -> None:
        from ..bags.copying import Added, copy_with, write_new

        options, source, first = self._options, self._source, self._first
        tape, stream = first.tape, source.stream
        messages = imu_messages(
            tape.stamps,
            outcome.values,
            first.covariance,
            options.frame_id,
            _reported(options, first, outcome.seed),
            np.diag(np.square(options.orientation_stddev)),
        )
        imu = Added(options.imu_topic, IMU_TYPE, stream.times[tape.messages].tolist(), messages)
        if source.bag is not None:
            copy_with(source.bag, folder, [imu], progress)
            return
        truth = odometry_messages(stream.stamps, stream.values, *options.frames)
        topic = options.topic or ODOMETRY_TOPIC
        write_new(folder, [Added(topic, ODOMETRY_TYPE, stream.times.tolist(), truth), imu])

    def finish(self) -> Iterator[str]:
        """Give everything its name; yield what is where."""
        if self._arrays is not None:
            with _writing("--npz", self._arrays.final):
                self._arrays.finish()
            yield f"{'Arrays':18}{self._arrays.final}"
        output = self._options.output
        if self._bags is not None and output is not None:
            with _writing("--output", output):
                self._bags.rename(output)
            several = f", one each in seed_{self._options.seeds[0]} and so on"
            yield f"{'Bag':18}{output}{several if len(self._options.seeds) > 1 else ''}"


def _reported(options: Options, run: ImuRun, seed: int) -> Array | None:
    """Return the orientation that the messages have, if any."""
    if options.orientation == "none":
        return None
    if options.orientation == "truth":
        return run.orientation
    return noisy_orientation(run.tape, seed, options.orientation_stddev)


def _scratch(path: Path) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix=".unfinished_", dir=path.parent)


@contextmanager
def _writing(key: str, path: Path) -> Iterator[None]:
    """Turn what the file system says into one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(key, str(path), f"cannot be written: {reason}") from None
